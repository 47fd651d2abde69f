"""Audit entries: written in the transaction of the change itself, by time, in a partition per board and month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from heapq import merge
from itertools import chain, islice
from operator import itemgetter

from governance.ids import BoardId, UserId, is_id, millis_of_id
from governance.instants import Instant, from_millis, month, months, shift
from governance.limits import AUDIT_DAYS
from governance.log.leaves import Leaf
from governance.models.boards.board import StoredBoard
from governance.models.history.audit import AuditEntry
from governance.store.dynamodb import run_async
from governance.store.history.leaves import ATTRIBUTES, TEXT, TOGETHER, leaves_of, salted
from governance.store.paging import strictly_after
from governance.store.schema.history import RESERVE, audit_entry_key, audit_partition
from governance.store.schema.keys import PK, SK, Item, Range, make_item, position
from governance.store.table import iter_range, iter_ranges, query
from governance.store.writes import Put, Write

_DRAFT_OF, _MEETING, _AT = "draftOf", "meetingId", "at"
_ENTRIES_PER_ITEM = 50
"""The number of the longest entries that fit into an item."""
_READ_AHEAD = 250
"""Entries of each month that are read in parallel if the whole log is requested."""
_MONTHS_OF_A_PAGE = 2
"""Months that are read first: a page often begins at the end of one."""
_CLOCK_MINUTES = 5
"""Largest difference between the clocks of two functions, in minutes."""


@dataclass(frozen=True)
class Draft:
    """The draft that an entry is about: its creator, and the meeting that it became if it was opened since."""

    creator_id: UserId
    meeting_id: str


@dataclass(frozen=True)
class LogEntry:
    """An entry as it is stored: its position in the log, its JSON text in responses, and the draft it is about."""

    position: str
    text: str
    draft: Draft | None = None


def earliest(board: StoredBoard) -> str:
    """Returns a position before all entries of a board."""
    return shift(board.created_at, minutes=-_CLOCK_MINUTES)


def _latest(now: Instant) -> str:
    return shift(now, minutes=_CLOCK_MINUTES)


def put(entry: AuditEntry, draft: Draft | None = None, *, is_protecting: bool = False) -> Write:
    """Returns the write of an audit entry, kept as its JSON text in responses; it expires after a year.

    A protecting one is recorded even if the board's history is full.
    """
    key = audit_entry_key(BoardId(entry.board_id or ""), entry.created_at, entry.id)
    about = {_DRAFT_OF: draft.creator_id, _MEETING: draft.meeting_id} if draft else {}
    item = make_item(key, {**salted({TEXT: entry.to_json()}), **about}, ttl=shift(entry.created_at, days=AUDIT_DAYS))
    return Put(item, reserve=_reserve(entry, is_protecting=is_protecting))


def _reserve(entry: AuditEntry, *, is_protecting: bool) -> str | None:
    """Returns the partition for an entry of a full month; None unless the entry is a protecting one."""
    return audit_partition(BoardId(entry.board_id or ""), RESERVE) if is_protecting else None


def put_together(entries: Sequence[AuditEntry], *, is_protecting: bool = False) -> list[Write]:
    """Returns the writes of entries of one instant with consecutive ids, several in an item (ADR boards)."""
    chunks = [entries[start : start + _ENTRIES_PER_ITEM] for start in range(0, len(entries), _ENTRIES_PER_ITEM)]
    return [_put_chunk(chunk, is_protecting=is_protecting) for chunk in chunks]


def _put_chunk(entries: Sequence[AuditEntry], *, is_protecting: bool) -> Write:
    """Returns the write of an item with several entries; its key is that of the last, so that no entry is behind it."""
    last = entries[-1]
    key = audit_entry_key(BoardId(last.board_id or ""), last.created_at, last.id)
    texts = [salted({_AT: position(entry.created_at, entry.id), TEXT: entry.to_json()}) for entry in entries]
    item = make_item(key, {TOGETHER: texts}, ttl=shift(last.created_at, days=AUDIT_DAYS))
    return Put(item, reserve=_reserve(last, is_protecting=is_protecting))


def partitions(board_id: BoardId, at: Instant) -> list[str]:
    """Returns the partitions of a board's entries: of the last year, and of those that are about to expire."""
    parts = [*months(shift(at, days=-AUDIT_DAYS - 31), shift(at, days=1)), RESERVE]
    return [audit_partition(board_id, part) for part in parts]


def rows_of_board(board_id: BoardId, at: Instant) -> Iterator[Item]:
    """Yields what the log knows of a board's entries."""
    for pk in partitions(board_id, at):
        yield from iter_range(Range(pk), PK, SK, *ATTRIBUTES)


def find(board_id: BoardId, entry_id: str) -> tuple[LogEntry, Leaf] | None:
    """Returns an entry, with its place in the log that nobody can rewrite; None if there is none.

    An entry of several in a row is in the first row that does not lie before it.
    """
    if not is_id(entry_id):
        return None
    at = from_millis(millis_of_id(entry_id))
    wanted, before = position(at, entry_id), position(at, f"{max(int(entry_id, 16) - 1, 0):024x}")
    partitions = [audit_partition(board_id, part) for part in (month(at), RESERVE)]
    reads = [run_async(partial(query, Range(pk, above=before), 2)) for pk in partitions]
    items = [item for reading in reads for item in reading.result()]
    pairs = [pair for item in items for pair in zip(_entries_of(item, ""), leaves_of(item), strict=True)]
    return next((pair for pair in pairs if pair[0].position == wanted), None)


def iter_chunks(board: StoredBoard, now: Instant, after: str | None, limit: int | None) -> Iterator[list[LogEntry]]:
    """Yields a board's entries of the last year, oldest first, behind a position, some at a time.

    With a `limit`, two months are read first, and more only while their entries do not fill the page: the cost of a
    page does not grow with the months behind it. Without one, the first entries of every month are read in parallel,
    and the others page by page: a board may have many more than a response takes.
    """
    above = max(strictly_after(shift(now, days=-AUDIT_DAYS)), earliest(board), after or "")
    of_months = [Range(audit_partition(board.id, month), above=above) for month in months(above, _latest(now))]
    first = _READ_AHEAD if limit is None else limit + 1
    ahead = None if limit is None else _MONTHS_OF_A_PAGE
    reserve = Range(audit_partition(board.id, RESERVE), above=above)
    started = run_async(partial(query, reserve, first))
    months_items = iter_ranges(of_months, first, SK, TEXT, _DRAFT_OF, _MEETING, TOGETHER, ahead=ahead)
    items = merge(months_items, _continued(reserve, started, first), key=itemgetter(SK))
    while chunk := list(islice(items, first)):
        yield list(chain.from_iterable(_entries_of(item, after or "") for item in chunk))


def _continued(span: Range, started: Future[list[Item]], first: int) -> Iterator[Item]:
    """Yields the items of a range: the first ones, which are being read, then the others."""
    items = started.result()
    yield from items
    if len(items) == first:
        behind = replace(span, above=items[-1][SK])
        yield from iter_range(behind, SK, TEXT, _DRAFT_OF, _MEETING, TOGETHER)


def _entries_of(item: Item, after: str) -> list[LogEntry]:
    if TOGETHER in item:
        return [LogEntry(entry[_AT], entry[TEXT]) for entry in item[TOGETHER] if entry[_AT] > after]
    draft = Draft(item[_DRAFT_OF], item[_MEETING]) if _DRAFT_OF in item else None
    return [LogEntry(item[SK], item[TEXT], draft)]
