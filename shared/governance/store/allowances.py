"""Allowances: the last uses of each, one item for a subject; a use is taken under a condition and may be given back."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.domain.allowance import Allowance
from governance.errors import unavailable
from governance.instants import epoch, shift
from governance.store import schema
from governance.store.schema import TTL, Item, Key
from governance.store.writes import Condition, Update, Write, equals, otherwise


@dataclass(frozen=True)
class Uses:
    """What a subject has used of an allowance, as read."""

    allowance: Allowance
    key: Key
    used: Mapping[str, Any]

    def is_spent(self, now: str) -> bool:
        """Whether nothing is left at this instant."""
        return not self.allowance.open(self.used, now)

    def check(self, now: str) -> None:
        """429 where nothing is left."""
        if self.is_spent(now):
            raise self.allowance.refusal(self.used, now)

    def take(self, now: str) -> Use:
        """One use of what is left; any open slot, so that uses side by side seldom meet in one."""
        return Use(self.allowance, self.key, random.choice(self.allowance.open(self.used, now)), now)  # noqa: S311


@dataclass(frozen=True)
class Use:
    """One use, of one slot, at one instant."""

    allowance: Allowance
    key: Key
    slot: str
    at: str

    @property
    def write(self) -> Write:
        """Take it, if nobody has taken the slot since it was read."""
        expiry = epoch(shift(self.at, hours=self.allowance.hours)) + 1
        is_open = Condition("attribute_not_exists(#s) OR #s <= :over", {"#s": self.slot}, _over(self))
        names = {"#s": self.slot, "#ttl": TTL}
        return Update(self.key, "SET #s = :at, #ttl = :ttl", names, {":at": self.at, ":ttl": expiry}, is_open)

    @property
    def give_back(self) -> Write:
        """It was not used after all."""
        return Update(
            self.key, "REMOVE #s", {"#s": self.slot}, {}, equals(**{self.slot: self.at}), otherwise(unavailable)
        )


def _over(use: Use) -> Item:
    return {":over": use.allowance.over(use.at)}


def key(allowance: Allowance, subject: str) -> Key:
    """Where a subject's uses lie."""
    return schema.allowance(allowance.purpose, subject)


def of(allowance: Allowance, subject: str, loaded: Mapping[Key, Item]) -> Uses:
    """A subject's uses, from what was read."""
    place = key(allowance, subject)
    return Uses(allowance, place, loaded.get(place, {}))
