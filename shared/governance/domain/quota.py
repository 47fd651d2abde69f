"""Quotas: so many uses within so many minutes, exactly (ADR 0041).

A quota has as many slots as uses. A slot holds the instant of its last use, and is open again once that instant is out
of the window. So no window of that length, wherever it begins, holds more uses than there are slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from governance.errors import ApiError, rate_limited
from governance.instants import Instant, millis, shift
from governance.limits import (
    INVITE_MAILS_PER_HOUR,
    INVITES_PER_HOUR,
    NOTIFICATION_MAILS_PER_DAY,
    NOTIFICATION_MAILS_PER_HOUR,
    RECIPIENT_MAILS_PER_DAY,
    SAME_NOTIFICATION_MAIL_MINUTES,
    TEST_MAILS_PER_HOUR,
)

Purpose = Literal[
    "mails_of_invite",
    "mails_to_recipient",
    "test_mails",
    "new_invites",
    "notification_mails_per_hour",
    "notification_mails_per_day",
    "same_notification_mails",
]
_HOUR, _DAY = 60, 24 * 60


@dataclass(frozen=True)
class Quota:
    """How often something may be done; each subject (an invite, an address, a user) has the quota to itself."""

    purpose: Purpose
    uses: int
    minutes: int

    @property
    def slots(self) -> list[str]:
        """The names of its slots."""
        return [f"u{number}" for number in range(self.uses)]

    def window_start(self, now: Instant) -> Instant:
        """Returns the instant up to which uses no longer count."""
        return shift(now, minutes=-self.minutes)

    def open_slots(self, used: Mapping[str, Any], now: Instant) -> list[str]:
        """Returns the slots that may be used now; `used` has the instant of the last use of each slot."""
        return [slot for slot in self.slots if used.get(slot, "") <= self.window_start(now)]

    def error(self, used: Mapping[str, Any], now: Instant) -> ApiError:
        """Returns the 429 for a quota without an open slot, with the seconds until the first slot is open again."""
        first = min(used[slot] for slot in self.slots)
        return rate_limited(-((millis(now) - millis(shift(first, minutes=self.minutes))) // 1000))


MAILS_OF_INVITE = Quota("mails_of_invite", INVITE_MAILS_PER_HOUR, _HOUR)
MAILS_TO_RECIPIENT = Quota("mails_to_recipient", RECIPIENT_MAILS_PER_DAY, _DAY)
TEST_MAILS = Quota("test_mails", TEST_MAILS_PER_HOUR, _HOUR)
NEW_INVITES = Quota("new_invites", INVITES_PER_HOUR, _HOUR)
NOTIFICATION_MAILS_HOURLY = Quota("notification_mails_per_hour", NOTIFICATION_MAILS_PER_HOUR, _HOUR)
NOTIFICATION_MAILS_DAILY = Quota("notification_mails_per_day", NOTIFICATION_MAILS_PER_DAY, _DAY)
SAME_NOTIFICATION_MAILS = Quota("same_notification_mails", 1, SAME_NOTIFICATION_MAIL_MINUTES)


def counted_address(address: str) -> str:
    """Returns the address that mails to an address are counted under: the same without its `+tag`.

    Many mail services deliver `ann+tag@…` to `ann@…`, so tags must not multiply what one person gets. Dots are kept.
    """
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"
