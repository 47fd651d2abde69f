"""Events and audit entries: written in the transaction of the act itself, in partitions of their own by time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from governance.domain.visibility import event_bucket
from governance.instants import shift
from governance.limits import AUDIT_DAYS, EVENT_DAYS
from governance.models.act import AuditEntry, StoredEvent
from governance.store import schema
from governance.store.attributes import unmarshal
from governance.store.paging import Window, page, strictly_after
from governance.store.schema import SK, Key, stored
from governance.store.table import Range, every
from governance.store.writes import EXISTS, Put, Update, Write

_TEXT, _OWN_TEXT, _DRAFT_OF = "entry", "ownEntry", "draftOf"


def event(happened: StoredEvent) -> Write:
    """An event; the stream carries it to whatever follows from it."""
    key = schema.event(happened.board_id, event_bucket(happened), happened.created_at, happened.id)
    return Put(stored(key, happened.item(), ttl=shift(happened.created_at, days=EVENT_DAYS)))


def without(key: Key, members: Sequence[str]) -> Write:
    """The event without what these members of its data said."""
    names = {"#d": "data"} | {f"#m{i}": name for i, name in enumerate(members)}
    nothing = ", ".join(f"#d.#m{i} = :nothing" for i in range(len(members)))
    return Update(key, f"SET {nothing}", names, {":nothing": ""}, EXISTS)


def event_of_stream(image: Mapping[str, Any]) -> StoredEvent:
    """The event in a record of the stream; raises `ValueError` where there is none."""
    return StoredEvent.model_validate(unmarshal(image))


def events(board_id: str, buckets: Sequence[str], window: Window) -> tuple[list[StoredEvent], str | None]:
    """A page of a board's events in these buckets, oldest first."""
    partition = schema.event(board_id, "", "", "").pk
    items, position = page(partition, None, [f"{bucket}#" for bucket in buckets], window)
    return [StoredEvent.model_validate(item) for item in items], position


def audit(entry: AuditEntry, draft_of: str | None = None) -> Write:
    """An audit entry, as the very text that is answered; it goes after a year.

    An act on a draft names it to the draft's creator alone: whoever else reads the log has a text without its subject.
    """
    key = schema.audit(entry.board_id or "", entry.created_at, entry.id)
    texts = {_TEXT: entry.wire()}
    if draft_of is not None:
        texts = {_TEXT: entry.nameless().wire(), _OWN_TEXT: entry.wire(), _DRAFT_OF: draft_of}
    return Put(stored(key, texts, ttl=shift(entry.created_at, days=AUDIT_DAYS)))


def audit_texts(board_id: str, reader: str | None, now: str, after: str | None) -> Iterator[tuple[str, str]]:
    """The board's entries of the last year, as this reader has them (None: a board token), oldest first: their
    positions and texts, behind a position, read as they are asked for.

    A board may have many more entries than an answer takes, so nobody reads them all at once.
    """
    oldest = strictly_after(shift(now, days=-AUDIT_DAYS))
    span = Range(schema.audit(board_id, "", "").pk, "", above=max(oldest, after or ""))
    items = every(span, SK, _TEXT, _OWN_TEXT, _DRAFT_OF)
    return ((item[SK], item[_OWN_TEXT if reader and item.get(_DRAFT_OF) == reader else _TEXT]) for item in items)
