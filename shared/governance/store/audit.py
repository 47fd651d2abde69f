"""Audit entries: written in the transaction of the change itself, in a partition of each board, ordered by time."""

from __future__ import annotations

from collections.abc import Iterator

from governance.instants import shift
from governance.limits import AUDIT_DAYS
from governance.models.audit import AuditEntry
from governance.store import schema
from governance.store.paging import strictly_after
from governance.store.schema import SK, make_item
from governance.store.table import Range, iter_range
from governance.store.writes import Put, Write

_TEXT, _OWN_TEXT, _DRAFT_OF = "entry", "ownEntry", "draftOf"


def put(entry: AuditEntry, draft_of: str | None = None) -> Write:
    """An audit entry, as the very text that is answered; it goes after a year.

    An act on a draft names it to the draft's creator alone: whoever else reads the log has a text without its subject.
    """
    key = schema.audit(entry.board_id or "", entry.created_at, entry.id)
    texts = {_TEXT: entry.to_json()}
    if draft_of is not None:
        texts = {_TEXT: entry.without_subject().to_json(), _OWN_TEXT: entry.to_json(), _DRAFT_OF: draft_of}
    return Put(make_item(key, texts, ttl=shift(entry.created_at, days=AUDIT_DAYS)))


def iter_texts(board_id: str, reader: str | None, now: str, after: str | None) -> Iterator[tuple[str, str]]:
    """The board's entries of the last year, as this reader has them (None: a board token), oldest first: their
    positions and texts, behind a position, read as they are asked for.

    A board may have many more entries than an answer takes, so nobody reads them all at once.
    """
    oldest = strictly_after(shift(now, days=-AUDIT_DAYS))
    span = Range(schema.audit(board_id, "", "").pk, "", above=max(oldest, after or ""))
    items = iter_range(span, SK, _TEXT, _OWN_TEXT, _DRAFT_OF)
    return ((item[SK], item[_OWN_TEXT if reader and item.get(_DRAFT_OF) == reader else _TEXT]) for item in items)
