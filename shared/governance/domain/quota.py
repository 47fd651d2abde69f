"""Quotas: an exact limit of uses within a number of minutes (ADR limits).

A quota has one permit for each use. A permit holds the instant of its last use and is free again when the window has
passed since. So no window of that length, wherever it begins, holds more uses than the quota has permits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from governance.errors import ApiError, rate_limited
from governance.instants import Instant, millis, parse, shift
from governance.limits import (
    EXPORTS_PER_DAY,
    INVITE_MAILS_PER_HOUR,
    INVITE_MAILS_PER_SENDER_AND_DAY,
    INVITES_PER_HOUR,
    MANUAL_REMINDER_HOURS,
    NOTIFICATION_MAILS_PER_DAY,
    NOTIFICATION_MAILS_PER_HOUR,
    PACKS_PER_DAY,
    RECIPIENT_MAILS_PER_DAY,
    SAME_NOTIFICATION_MAIL_MINUTES,
    TEST_MAILS_PER_HOUR,
    WEBHOOK_OWNER_CONCURRENCY,
)

Purpose = Literal[
    "mails_of_invite",
    "mails_to_recipient",
    "test_mails",
    "new_invites",
    "invite_mails_of_sender",
    "invite_notifications",
    "bounce_notifications",
    "notification_mails_per_hour",
    "notification_mails_per_day",
    "same_notification_mails",
    "reminders",
    "webhook_attempts",
    "board_packs",
    "exports",
]
_HOUR, _DAY = 60, 24 * 60
_DOTS_IGNORED = {"gmail.com", "googlemail.com"}


@dataclass(frozen=True)
class Quota:
    """How often something may be done; each subject (an invite, an address, a user) has the quota to itself."""

    purpose: Purpose
    uses: int
    minutes: int

    @property
    def permits(self) -> list[str]:
        """The names of its permits."""
        return [f"u{number}" for number in range(self.uses)]

    def window_start(self, now: Instant) -> Instant:
        """Returns the instant up to which uses no longer count."""
        return shift(now, minutes=-self.minutes)

    def free_permits(self, used: Mapping[str, Any], now: Instant) -> list[str]:
        """Returns the permits that may be used now; `used` has the instant of the last use of each permit."""
        return [permit for permit in self.permits if used.get(permit, "") <= self.window_start(now)]

    def error(self, used: Mapping[str, Any], now: Instant) -> ApiError:
        """Returns the 429 for a quota without a free permit, with the seconds until the first permit is free again."""
        first = min(used[permit] for permit in self.permits)
        return rate_limited(-((millis(now) - millis(shift(first, minutes=self.minutes))) // 1000))


@dataclass(frozen=True)
class DailyQuota:
    """How often something may be done each UTC day; each subject (a board, a user) has the quota to itself."""

    purpose: Purpose
    uses: int

    def error(self, now: Instant) -> ApiError:
        """Returns the 429 for a quota without a use left today, with the seconds until the next day."""
        tomorrow = parse(f"{shift(now, days=1)[:10]}T00:00:00Z")
        return rate_limited(-((millis(now) - millis(tomorrow)) // 1000))


MAILS_OF_INVITE = Quota("mails_of_invite", INVITE_MAILS_PER_HOUR, _HOUR)
MAILS_TO_RECIPIENT = Quota("mails_to_recipient", RECIPIENT_MAILS_PER_DAY, _DAY)
TEST_MAILS = Quota("test_mails", TEST_MAILS_PER_HOUR, _HOUR)
NEW_INVITES = Quota("new_invites", INVITES_PER_HOUR, _HOUR)
INVITE_MAILS_OF_SENDER = Quota("invite_mails_of_sender", INVITE_MAILS_PER_SENDER_AND_DAY, _DAY)
INVITE_NOTIFICATIONS = Quota("invite_notifications", 1, _DAY)
BOUNCE_NOTIFICATIONS = Quota("bounce_notifications", 1, _DAY)
NOTIFICATION_MAILS_HOURLY = Quota("notification_mails_per_hour", NOTIFICATION_MAILS_PER_HOUR, _HOUR)
NOTIFICATION_MAILS_DAILY = Quota("notification_mails_per_day", NOTIFICATION_MAILS_PER_DAY, _DAY)
WEBHOOK_ATTEMPTS = Quota("webhook_attempts", WEBHOOK_OWNER_CONCURRENCY, 1)
"""Attempts that are being made. A use is given back when its attempt has ended; that of a killed worker expires."""
REMINDERS = Quota("reminders", 1, MANUAL_REMINDER_HOURS * _HOUR)
BOARD_PACKS = DailyQuota("board_packs", PACKS_PER_DAY)
EXPORTS = DailyQuota("exports", EXPORTS_PER_DAY)
SAME_NOTIFICATION_MAILS = Quota("same_notification_mails", 1, SAME_NOTIFICATION_MAIL_MINUTES)


def counted_address(address: str) -> str:
    """Returns the address that mails to an address are counted under: the same without its `+tag`.

    Many mail services deliver `ann+tag@…` to `ann@…`, and one ignores dots too, so neither must multiply what one
    person gets.
    """
    local, _, domain = address.rpartition("@")
    local = local.partition("+")[0] or local
    return f"{local.replace('.', '') if domain in _DOTS_IGNORED else local}@{domain}"
