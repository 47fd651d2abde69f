"""Links that turn off mails without signing in (RFC 8058): each is for one user and one kind of mails (ADR 0133).

A link is signed and stored nowhere. It can do nothing but turn these mails off and on again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from typing import get_args

from governance.domain.notifications.notification_rules import CATEGORY, MAIL_SWITCH
from governance.ids import UserId
from governance.models.calendar import MailSwitch
from governance.models.notifications.notification import Category, MailTopic, NotificationType

_PURPOSE = b"unsubscribe\n"
_TOPICS: tuple[MailTopic, ...] = (*get_args(Category), *get_args(MailSwitch))
_ID_BYTES, _MAC_BYTES = 12, 16


@dataclass(frozen=True)
class Subscription:
    """The mails of one kind to one user: a category of notifications, or a calendar setting."""

    user_id: UserId
    topic: MailTopic


def topic_of(kind: NotificationType) -> MailTopic | None:
    """Returns what turns the mails of a type of notifications off; None for a type that is never mailed."""
    return CATEGORY.get(kind) or MAIL_SWITCH.get(kind)


def token(secret: str, subscription: Subscription) -> str:
    """Returns the token of a subscription, which only the holder of the secret can compute."""
    content = bytes.fromhex(subscription.user_id) + bytes([_TOPICS.index(subscription.topic)])
    return base64.urlsafe_b64encode(content + _mac(secret, content)).rstrip(b"=").decode()


def parse(secret: str, text: str) -> Subscription | None:
    """Returns the subscription of a token; None for any text that is not exactly one."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    content = data[: _ID_BYTES + 1]
    if len(data) != _ID_BYTES + 1 + _MAC_BYTES or content[-1] >= len(_TOPICS):
        return None
    found = Subscription(UserId(content[:-1].hex()), _TOPICS[content[-1]])
    return found if hmac.compare_digest(token(secret, found).encode(), text.encode()) else None


def _mac(secret: str, content: bytes) -> bytes:
    return hmac.new(secret.encode(), _PURPOSE + content, hashlib.sha256).digest()[:_MAC_BYTES]
