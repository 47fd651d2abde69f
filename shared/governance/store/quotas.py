"""Allowances: the last uses of each, one item for a subject; a use is taken under a condition and may be given back."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.domain.quota import Quota
from governance.errors import unavailable
from governance.instants import epoch, shift
from governance.store import schema
from governance.store.schema import TTL, Item, Key
from governance.store.writes import Condition, Update, Write, equals, fail_with


@dataclass(frozen=True)
class QuotaUsage:
    """What a subject has used of an allowance, as read."""

    quota: Quota
    key: Key
    used: Mapping[str, Any]

    def is_exhausted(self, now: str) -> bool:
        """Whether nothing is left at this instant."""
        return not self.quota.open_slots(self.used, now)

    def check(self, now: str) -> None:
        """429 where nothing is left."""
        if self.is_exhausted(now):
            raise self.quota.error(self.used, now)

    def claim_slot(self, now: str) -> QuotaSlot:
        """One use of what is left; any open slot, so that uses side by side seldom meet in one."""
        return QuotaSlot(self.quota, self.key, random.choice(self.quota.open_slots(self.used, now)), now)  # noqa: S311


@dataclass(frozen=True)
class QuotaSlot:
    """One use, of one slot, at one instant."""

    quota: Quota
    key: Key
    slot: str
    at: str

    @property
    def claim(self) -> Write:
        """Take it, if nobody has taken the slot since it was read."""
        expiry = epoch(shift(self.at, hours=self.quota.hours)) + 1
        is_open = Condition("attribute_not_exists(#s) OR #s <= :over", {"#s": self.slot}, _over(self))
        names = {"#s": self.slot, "#ttl": TTL}
        return Update(self.key, "SET #s = :at, #ttl = :ttl", names, {":at": self.at, ":ttl": expiry}, is_open)

    @property
    def release(self) -> Write:
        """It was not used after all."""
        return Update(
            self.key, "REMOVE #s", {"#s": self.slot}, {}, equals(**{self.slot: self.at}), fail_with(unavailable)
        )


def _over(use: QuotaSlot) -> Item:
    return {":over": use.quota.window_start(use.at)}


def key(allowance: Quota, subject: str) -> Key:
    """Where a subject's uses lie."""
    return schema.quota(allowance.purpose, subject)


def usage_of(allowance: Quota, subject: str, loaded: Mapping[Key, Item]) -> QuotaUsage:
    """A subject's uses, from what was read."""
    place = key(allowance, subject)
    return QuotaUsage(allowance, place, loaded.get(place, {}))
