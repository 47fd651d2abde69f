"""Allowances: so many uses within so many hours, exactly (ADR 0041).

An allowance has as many slots as uses. A slot holds the instant of its last use, and is open again when that has passed
out of the window: so no window of that length, wherever it begins, holds more uses than there are slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.errors import ApiError, rate_limited
from governance.instants import millis, shift
from governance.limits import INVITE_MAILS_PER_HOUR, INVITES_PER_HOUR, RECIPIENT_MAILS_PER_DAY, TEST_MAILS_PER_HOUR


@dataclass(frozen=True)
class Quota:
    """What may be done how often; each subject (an invite, an address, a user) has its own."""

    purpose: str
    uses: int
    hours: int

    @property
    def slots(self) -> list[str]:
        """The names of its slots."""
        return [f"u{number}" for number in range(self.uses)]

    def window_start(self, now: str) -> str:
        """Uses up to this instant count no longer."""
        return shift(now, hours=-self.hours)

    def open_slots(self, used: Mapping[str, Any], now: str) -> list[str]:
        """The slots that may be used now."""
        return [slot for slot in self.slots if used.get(slot, "") <= self.window_start(now)]

    def error(self, used: Mapping[str, Any], now: str) -> ApiError:
        """429, with the seconds until the first slot is open again."""
        first = min(used[slot] for slot in self.slots)
        return rate_limited(-((millis(now) - millis(shift(first, hours=self.hours))) // 1000))


MAILS_OF_INVITE = Quota("INVITE_MAILS", INVITE_MAILS_PER_HOUR, 1)
MAILS_TO_RECIPIENT = Quota("RECIPIENT_MAILS", RECIPIENT_MAILS_PER_DAY, 24)
TEST_MAILS = Quota("TEST_MAILS", TEST_MAILS_PER_HOUR, 1)
NEW_INVITES = Quota("INVITES", INVITES_PER_HOUR, 1)
