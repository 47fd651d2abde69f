"""The link of an e-mail by which its recipient turns off e-mails like it, without signing in (RFC 8058, ADR mail).

For a person without an account, it turns off all e-mails of the board to them.
"""

from __future__ import annotations

from governance.domain.notifications.addressee import Addressee
from governance.domain.notifications.unsubscribing import BOARD_TOPIC, Subscription, token
from governance.instants import now
from governance.models.notifications.notification import MailTopic
from governance.settings import Secret, settings


def unsubscribe_url(recipient: Addressee, topic: MailTopic) -> str:
    """Returns the URL that mail programs send a POST to, in an e-mail to this recipient."""
    return f"{settings().root_url}/api/v1/unsubscribe/{_token(recipient, topic)}"


def unsubscribe_page(recipient: Addressee, topic: MailTopic) -> str:
    """Returns the URL of the page that does the same for a person."""
    return f"{settings().root_url}/unsubscribe/{_token(recipient, topic)}"


def _token(recipient: Addressee, topic: MailTopic) -> str:
    person = recipient.person
    subscription = Subscription(recipient.id, BOARD_TOPIC if person else topic, person.board_id if person else None)
    return token(settings().secret(Secret.INVITE_LINK), subscription, recipient.email, now())
