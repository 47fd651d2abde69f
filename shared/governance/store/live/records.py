"""The audit entries of the live channel, each once an hour; those without a board have partitions of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from heapq import merge
from itertools import islice
from operator import itemgetter

from governance.instants import Instant, days, months, shift
from governance.limits import AUDIT_DAYS, LIVE_AUDIT_HOURS
from governance.models.history.audit import AuditEntry
from governance.store.dynamodb import run_async
from governance.store.schema.keys import PK, SK, Item, Key, Range, make_item
from governance.store.schema.live import system_audit_partition_of_month, system_audit_partitions, system_entry_key
from governance.store.table import query
from governance.store.writes import Condition, Put, Write

_RECORDED, _TEXT = "recordedAt", "text"


def is_recent(item: Item | None, now: Instant) -> bool:
    """Returns whether the row of an entry says that one was written within the hour."""
    return item is not None and bool(item[_RECORDED] > _window_start(now))


def note(key: Key, now: Instant) -> Write:
    """Returns the write that notes an entry. It fails with `StaleRead` if one was noted within the hour."""
    due = Condition(
        "attribute_not_exists(#pk) OR #r <= :start", {"#pk": PK, "#r": _RECORDED}, {":start": _window_start(now)}
    )
    return Put(make_item(key, {_RECORDED: now}, ttl=shift(now, hours=LIVE_AUDIT_HOURS)), due)


def _window_start(now: Instant) -> Instant:
    return shift(now, hours=-LIVE_AUDIT_HOURS)


def put_system(entry: AuditEntry) -> Write:
    """Returns the write of an entry without a board, kept as its JSON text; it expires after a year."""
    key = system_entry_key(entry.created_at, entry.id)
    return Put(make_item(key, {_TEXT: entry.to_json()}, ttl=shift(entry.created_at, days=AUDIT_DAYS)))


def iter_system(since: Instant | None, now: Instant, limit: int | None = None) -> Iterator[str]:
    """Yields the JSON texts of the entries without a board of the last year, or since an instant, newest first.

    They are `limit` at most, and read day by day.
    """
    first = max(shift(now, days=-AUDIT_DAYS), since or Instant(""))
    found = merge(_daily(first, now, limit), _monthly(first, now), key=itemgetter(SK), reverse=True)
    for item in islice(found, limit):
        yield item[_TEXT]


def _daily(first: Instant, now: Instant, limit: int | None) -> Iterator[Item]:
    for day in reversed(days(first, now)):
        spans = [Range(partition, above=first) for partition in system_audit_partitions(day)]
        shards = [run_async(partial(query, span, limit, descending=True)) for span in spans]
        yield from merge(*(shard.result() for shard in shards), key=itemgetter(SK), reverse=True)


def _monthly(first: Instant, now: Instant) -> Iterator[Item]:
    """Yields what releases before 0.5 wrote."""
    for month in reversed(months(first, now)):
        yield from query(Range(system_audit_partition_of_month(month), above=first), descending=True)
