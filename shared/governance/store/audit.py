"""Audit entries: written in the transaction of the change itself, by time, in a partition per board and month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from governance.ids import BoardId, UserId
from governance.instants import Instant, months, shift
from governance.limits import AUDIT_DAYS
from governance.models.audit import AuditEntry
from governance.models.board import StoredBoard
from governance.store.paging import strictly_after
from governance.store.schema import SK, Item, Range, audit_entry_key, audit_partition, make_item, position
from governance.store.table import iter_ranges
from governance.store.writes import Put, Write

_TEXT, _OWN_TEXT, _DRAFT_OF = "entry", "ownEntry", "draftOf"
_TOGETHER, _AT = "entries", "at"
_ENTRIES_PER_ITEM = 50
"""So many of the longest entries fit into an item."""
_READ_AHEAD = 250
"""Entries of each month that are read at once where the whole log is asked for."""
_CLOCK_MINUTES = 5
"""By which the clocks of two functions surely do not differ."""


def _earliest(board: StoredBoard) -> str:
    return shift(board.created_at, minutes=-_CLOCK_MINUTES)


def _latest(now: Instant) -> str:
    return shift(now, minutes=_CLOCK_MINUTES)


def put(entry: AuditEntry, draft_of: UserId | None = None) -> Write:
    """Returns the write of an audit entry, kept as the JSON text that is answered; it expires after a year.

    `draft_of` is the creator of the draft that the entry is about. Only that user's text names the draft: every other
    reader has a text without the subject.
    """
    key = audit_entry_key(BoardId(entry.board_id or ""), entry.created_at, entry.id)
    texts = {_TEXT: entry.to_json()}
    if draft_of is not None:
        texts = {_TEXT: entry.without_subject().to_json(), _OWN_TEXT: entry.to_json(), _DRAFT_OF: draft_of}
    return Put(make_item(key, texts, ttl=shift(entry.created_at, days=AUDIT_DAYS)))


def put_together(entries: Sequence[AuditEntry]) -> list[Write]:
    """Returns the writes of entries of one instant with consecutive ids, several in an item (ADR 0092)."""
    chunks = [entries[start : start + _ENTRIES_PER_ITEM] for start in range(0, len(entries), _ENTRIES_PER_ITEM)]
    return [_put_chunk(chunk) for chunk in chunks]


def _put_chunk(entries: Sequence[AuditEntry]) -> Write:
    """Returns the write of an item with several entries; its key is that of the last, so that no entry is behind it."""
    last = entries[-1]
    key = audit_entry_key(BoardId(last.board_id or ""), last.created_at, last.id)
    texts = [{_AT: position(entry.created_at, entry.id), _TEXT: entry.to_json()} for entry in entries]
    return Put(make_item(key, {_TOGETHER: texts}, ttl=shift(last.created_at, days=AUDIT_DAYS)))


def iter_texts(
    board: StoredBoard, reader: UserId | None, now: Instant, after: str | None, limit: int | None
) -> Iterator[tuple[str, str]]:
    """Yields the position and the text of a board's entries of the last year, oldest first, behind a position.

    `reader` is the user whose texts are wanted, None for a board token. The first entries of every month are read at
    the same time, so that a page of `limit` entries is one round trip; the others page by page as they are asked for: a
    board may have many more than a response takes.
    """
    above = max(strictly_after(shift(now, days=-AUDIT_DAYS)), _earliest(board), after or "")
    of_months = [Range(audit_partition(board.id, month), above=above) for month in months(above, _latest(now))]
    first = _READ_AHEAD if limit is None else limit + 1
    items = iter_ranges(of_months, first, SK, _TEXT, _OWN_TEXT, _DRAFT_OF, _TOGETHER)
    return (entry for item in items for entry in _texts_of(item, reader, after or ""))


def _texts_of(item: Item, reader: UserId | None, after: str) -> Iterator[tuple[str, str]]:
    if _TOGETHER in item:
        yield from ((entry[_AT], entry[_TEXT]) for entry in item[_TOGETHER] if entry[_AT] > after)
    else:
        yield item[SK], item[_OWN_TEXT if reader and item.get(_DRAFT_OF) == reader else _TEXT]
