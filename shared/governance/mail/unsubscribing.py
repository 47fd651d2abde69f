"""The link of an e-mail by which its recipient turns off e-mails like it, without signing in (RFC 8058, ADR mail)."""

from __future__ import annotations

from governance.domain.notifications.unsubscribing import Subscription, token
from governance.ids import UserId
from governance.instants import now
from governance.models.notifications.notification import MailTopic
from governance.settings import Secret, settings


def unsubscribe_url(user_id: UserId, address: str, topic: MailTopic) -> str:
    """Returns the URL that mail programs send a POST to, in an e-mail to this address of the user."""
    return f"{settings().root_url}/api/v1/unsubscribe/{_token(user_id, address, topic)}"


def unsubscribe_page(user_id: UserId, address: str, topic: MailTopic) -> str:
    """Returns the URL of the page that does the same for a person."""
    return f"{settings().root_url}/unsubscribe/{_token(user_id, address, topic)}"


def _token(user_id: UserId, address: str, topic: MailTopic) -> str:
    return token(settings().secret(Secret.INVITE_LINK), Subscription(user_id, topic), address, now())
