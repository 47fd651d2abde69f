"""Audit entries: written in the transaction of the change itself, in a partition for each board, ordered by time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import AUDIT_DAYS
from governance.models.audit import AuditEntry
from governance.store.paging import strictly_after
from governance.store.schema import SK, Item, Range, audit_entry_key, audit_partition, make_item, position
from governance.store.table import iter_range
from governance.store.writes import Put, Write

_TEXT, _OWN_TEXT, _DRAFT_OF = "entry", "ownEntry", "draftOf"
_TOGETHER, _AT = "entries", "at"
_ENTRIES_PER_ITEM = 50
"""So many of the longest entries fit into an item."""


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


def iter_texts(board_id: BoardId, reader: UserId | None, now: Instant, after: str | None) -> Iterator[tuple[str, str]]:
    """Yields the position and the text of a board's entries of the last year, oldest first, behind a position.

    `reader` is the user whose texts are wanted, None for a board token. The entries are read page by page as they are
    asked for: a board may have many more than a response takes.
    """
    oldest = strictly_after(shift(now, days=-AUDIT_DAYS))
    entries = Range(audit_partition(board_id), above=max(oldest, after or ""))
    items = iter_range(entries, SK, _TEXT, _OWN_TEXT, _DRAFT_OF, _TOGETHER)
    return (entry for item in items for entry in _texts_of(item, reader, after or ""))


def _texts_of(item: Item, reader: UserId | None, after: str) -> Iterator[tuple[str, str]]:
    if _TOGETHER in item:
        yield from ((entry[_AT], entry[_TEXT]) for entry in item[_TOGETHER] if entry[_AT] > after)
    else:
        yield item[SK], item[_OWN_TEXT if reader and item.get(_DRAFT_OF) == reader else _TEXT]
