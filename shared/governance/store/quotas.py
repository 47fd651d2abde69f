"""Quotas: the last uses of each, one item for a subject.

A use is claimed under a condition, and may be given back if it was not needed after all.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from governance.domain.quota import DailyQuota, Quota
from governance.errors import unavailable
from governance.instants import Instant, epoch, shift
from governance.store.schema.keys import PK, SK, TTL, Item, Key, Range, key_of
from governance.store.schema.usage import quota_key
from governance.store.table import iter_range, read
from governance.store.writes import Condition, Update, Write, equals, fail_with

_COUNT = "count"


@dataclass(frozen=True)
class QuotaUsage:
    """A subject's uses of a quota, as read."""

    quota: Quota
    key: Key
    used: Mapping[str, Any]

    def is_exhausted(self, now: Instant) -> bool:
        """Returns whether no use is left at this instant."""
        return not self.quota.free_permits(self.used, now)

    def check(self, now: Instant) -> None:
        """Raises 429 if no use is left at this instant."""
        if self.is_exhausted(now):
            raise self.quota.error(self.used, now)

    def claim(self, now: Instant) -> QuotaClaim:
        """Returns a claim on a free permit, chosen at random so that concurrent uses seldom choose the same."""
        return QuotaClaim(self.quota, self.key, random.choice(self.quota.free_permits(self.used, now)), now)  # noqa: S311


@dataclass(frozen=True)
class QuotaClaim:
    """A claim on one permit of a quota, made at the instant `now`."""

    quota: Quota
    key: Key
    permit: str
    now: Instant

    @property
    def take(self) -> Write:
        """The write that takes the permit. It fails with `StaleRead` if another use took it since it was read."""
        expiry = epoch(shift(self.now, minutes=self.quota.minutes)) + 1
        start = self.quota.window_start(self.now)
        is_free = Condition("attribute_not_exists(#p) OR #p <= :start", {}, {":start": start})
        names = {"#p": self.permit, "#ttl": TTL}
        return Update(self.key, "SET #p = :now, #ttl = :ttl", names, {":now": self.now, ":ttl": expiry}, is_free)

    @property
    def release(self) -> Write:
        """The write that gives the permit back. It fails with 503 if the permit was taken again."""
        return Update(
            self.key, "REMOVE #p", {"#p": self.permit}, {}, equals(**{self.permit: self.now}), fail_with(unavailable)
        )


def count_use(quota: DailyQuota, subject: str, now: Instant) -> Write:
    """Returns the write that counts a use today. It fails with 429 if the subject has no use left today."""
    room = Condition("attribute_not_exists(#n) OR #n < :uses", {}, {":uses": quota.uses})
    return Update(
        quota_key(quota.purpose, subject, now[:10]),
        "ADD #n :one SET #ttl = :ttl",
        {"#n": _COUNT, "#ttl": TTL},
        {":one": 1, ":ttl": epoch(shift(now, days=2))},
        room,
        fail_with(lambda: quota.error(now)),
    )


def key(quota: Quota, subject: str, about: str = "") -> Key:
    """Returns the key of a subject's uses; if the quota is for each thing, of the uses about one thing."""
    return quota_key(quota.purpose, subject, about)


def usages(quotas: Iterable[Quota], subject: str) -> list[QuotaUsage]:
    """Returns a subject's uses of some quotas, with one batch."""
    keys = {key(quota, subject): quota for quota in quotas}
    loaded = read(keys)
    return [usage_at(quota, uses, loaded) for uses, quota in keys.items()]


def keys_of_subject(quota: Quota, subject: str) -> list[Key]:
    """Returns the keys of all stored uses of a subject, about any thing."""
    return [key_of(item) for item in iter_range(Range(key(quota, subject).pk), PK, SK)]


def usage_of(quota: Quota, subject: str, loaded: Mapping[Key, Item]) -> QuotaUsage:
    """Returns a subject's uses from the loaded items."""
    return usage_at(quota, key(quota, subject), loaded)


def usage_at(quota: Quota, uses: Key, loaded: Mapping[Key, Item]) -> QuotaUsage:
    """Returns the uses under this key from the loaded items."""
    return QuotaUsage(quota, uses, loaded.get(uses, {}))
