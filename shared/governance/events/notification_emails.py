"""The e-mails of notifications: one template for each category."""

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
    """Sends a notification as an e-mail with this message; raises `EmailRefused` if the mail service refuses it.

    If the response of the mail service is lost, the e-mail counts as sent, so that it is never sent twice.
    """
    link = notification.refs.get("meetingLink") or f"/boards/{board.id}"
    email = render_email(
        f"notification_{CATEGORY[notification.type]}",
        user.email,
        message,
        message=message,
        board=board.name,
        address=user.email,
        url=f"{settings().root_url}{link}",
    )
    try:
        send(email)
    except ApiError:
        return
