"""The mails that go with notifications: one template for each category."""

from __future__ import annotations

from governance.domain.notifications import CATEGORY
from governance.errors import ApiError
from governance.mail.rendering import render_email
from governance.mail.sender import send
from governance.models.board import StoredBoard
from governance.models.notification import StoredNotification
from governance.models.user import StoredUser
from governance.settings import settings


def send_notification_email(
    user: StoredUser, message: str, notification: StoredNotification, board: StoredBoard
) -> None:
    """Send a notification as a mail that says this; `Refused` where the mail service did not take it.

    Where its answer was lost nobody can tell: the mail counts as sent, so that nobody gets it twice.
    """
    link = notification.refs.get("meetingLink") or f"/boards/{board.id}"
    mail = render_email(
        f"notification_{CATEGORY[notification.type]}",
        user.email,
        message,
        message=message,
        board=board.name,
        address=user.email,
        url=f"{settings().root_url}{link}",
    )
    try:
        send(mail)
    except ApiError:
        return
