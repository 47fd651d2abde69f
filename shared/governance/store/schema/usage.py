"""The keys of quotas, rate windows, and recorded responses to idempotency keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.store.schema.keys import Key

if TYPE_CHECKING:
    from governance.domain.quota import Purpose

_QUOTAS: dict[Purpose, str] = {
    "mails_of_invite": "INVITE_MAILS",
    "mails_to_recipient": "RECIPIENT_MAILS",
    "test_mails": "TEST_MAILS",
    "new_invites": "INVITES",
    "invite_mails_of_sender": "SENDER_INVITE_MAILS",
    "invite_notifications": "INVITE_NOTIFICATIONS",
    "bounce_notifications": "BOUNCE_NOTIFICATIONS",
    "notification_mails_per_hour": "NOTIFICATION_MAILS_HOURLY",
    "notification_mails_per_day": "NOTIFICATION_MAILS_DAILY",
    "same_notification_mails": "SAME_NOTIFICATION_MAILS",
    "reminders": "REMINDERS",
    "webhook_attempts": "WEBHOOK_ATTEMPTS",
    "board_packs": "BOARD_PACKS",
    "exports": "EXPORTS",
}


def quota_key(purpose: Purpose, subject: str, about: str = "") -> Key:
    """Returns the key of a subject's uses of a quota; `about` names the thing if each thing has the quota to itself."""
    return Key(f"ALLOWANCE#{_QUOTAS[purpose]}#{subject}", f"USES#{about}" if about else "USES")


def rate_window_key(subject: str) -> Key:
    """Returns the key of the request count of a principal, or of an address (`address_subject`, `flood_subject`)."""
    return Key(f"RATE#{subject}", "WINDOW")


def address_subject(address: str) -> str:
    """Returns the subject of the requests of a network address whose credential does not hold."""
    return f"ADDRESS#{address}"


def flood_subject(address: str) -> str:
    """Returns the subject of the requests of a network address that carry no credential."""
    return f"FLOOD#{address}"


_IDEMPOTENCY_PARTS = "0123456789abcdef"


def _idempotency_partition(principal: str, part: str) -> str:
    return f"IDEMPOTENCY#{principal}#{part}"


def idempotency_partitions(principal: str) -> list[str]:
    """Returns the partitions of the recorded responses to a principal's requests with idempotency keys.

    There are several, because a day's responses to a busy principal may be larger than a partition.
    """
    return [_idempotency_partition(principal, part) for part in _IDEMPOTENCY_PARTS]


def idempotency_record_key(principal: str, digest: str) -> Key:
    """Returns the key of the recorded response to an idempotency key, by the hexadecimal digest of the latter."""
    return Key(_idempotency_partition(principal, digest[0]), digest)
