"""Links that turn off mails without signing in (RFC 8058): each is for one user and one kind of mails (ADR mail).

A link is signed and stored nowhere. It can do nothing but turn these mails off, for a year, and only while the user has
the address that it was sent to. That of a person without an account names their board too, and is about all mails.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
from dataclasses import dataclass
from datetime import date
from typing import get_args

from governance.ids import BoardId, PersonId, RecipientId, UserId
from governance.instants import Instant
from governance.limits import UNSUBSCRIBE_DAYS
from governance.models.calendars.calendar import MailSwitch
from governance.models.notifications.notification import MailTopic, NotificationCategory

_PURPOSE, _OF_ADDRESS = b"unsubscribe\n", b"unsubscribe address\n"
_CONTENT = struct.Struct(">12s2sH8s")
"""The id of the recipient, the mark of the topic, the last day on which the link works, the mark of the address."""
_MAC_BYTES, _ADDRESS_BYTES = 16, 8
_FIRST_DAY = date(1970, 1, 1)


def _mark(topic: str) -> bytes:
    return hashlib.sha256(topic.encode()).digest()[:2]


BOARD_TOPIC: MailTopic = "board"
"""The topic of all mails of a board to a person without an account."""
_TOPICS: dict[bytes, MailTopic] = {
    _mark(topic): topic for topic in (*get_args(NotificationCategory), *get_args(MailSwitch), BOARD_TOPIC)
}
"""The topics by their marks, which stay the same when topics are added."""


@dataclass(frozen=True)
class Subscription:
    """The mails of one kind to one user: a category of notifications, or a calendar setting.

    With a `board_id`, all mails of the board to a person without an account.
    """

    recipient_id: RecipientId
    topic: MailTopic
    board_id: BoardId | None = None

    @property
    def user_id(self) -> UserId:
        """The user. Raises `ValueError` for a person without an account."""
        if self.board_id is not None:
            raise ValueError("this is the subscription of a person without an account")
        return UserId(self.recipient_id)


@dataclass(frozen=True)
class UnsubscribeLink:
    """What a link names: a subscription, and the address that it was sent to, which only the secret tells."""

    subscription: Subscription
    last_day: int
    address_mark: bytes

    def works(self, secret: str, address: str, now: Instant) -> bool:
        """Returns whether the link still works for a user with this address."""
        mark = _mac(secret, _OF_ADDRESS, address.encode())[:_ADDRESS_BYTES]
        return _day(now) <= self.last_day and hmac.compare_digest(mark, self.address_mark)


def token(secret: str, subscription: Subscription, address: str, now: Instant) -> str:
    """Returns the token of a link in a mail to an address, which only the holder of the secret can compute."""
    mark = _mac(secret, _OF_ADDRESS, address.encode())[:_ADDRESS_BYTES]
    last_day = _day(now) + UNSUBSCRIBE_DAYS
    content = _CONTENT.pack(bytes.fromhex(subscription.recipient_id), _mark(subscription.topic), last_day, mark)
    content += bytes.fromhex(subscription.board_id or "")
    return base64.urlsafe_b64encode(content + _mac(secret, _PURPOSE, content)).decode()


def parse(secret: str, text: str) -> UnsubscribeLink | None:
    """Returns what a token names; None for any text that is not exactly one. Whether it still works is not known."""
    try:
        data = base64.urlsafe_b64decode(text.encode("ascii"))
    except ValueError:
        return None
    content, mac = data[:-_MAC_BYTES], data[-_MAC_BYTES:]
    named, board = content[: _CONTENT.size], content[_CONTENT.size :]
    is_exact = base64.urlsafe_b64encode(data).decode() == text
    if not is_exact or not hmac.compare_digest(mac, _mac(secret, _PURPOSE, content)):
        return None
    user_id, topic, last_day, mark = _CONTENT.unpack(named)
    if topic not in _TOPICS:
        return None
    board_id = BoardId(board.hex()) if board else None
    recipient_id = PersonId(user_id.hex()) if board else UserId(user_id.hex())
    return UnsubscribeLink(Subscription(recipient_id, _TOPICS[topic], board_id), last_day, mark)


def _day(now: Instant) -> int:
    """Returns the number of a day."""
    return (date.fromisoformat(now[:10]) - _FIRST_DAY).days


def _mac(secret: str, purpose: bytes, content: bytes) -> bytes:
    return hmac.new(secret.encode(), purpose + content, hashlib.sha256).digest()[:_MAC_BYTES]
