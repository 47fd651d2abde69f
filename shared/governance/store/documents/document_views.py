"""When a caller last viewed a document, so that a view is recorded once an hour (ADR history)."""

from __future__ import annotations

from governance.instants import Instant, shift
from governance.limits import DOCUMENT_VIEW_HOURS
from governance.store.schema.entities import DOCUMENT_VIEW
from governance.store.schema.keys import PK, Item, Key, make_item
from governance.store.table import read_one
from governance.store.writes import Condition, Put, Write

_VIEWED = "viewedAt"


def key(caller_id: str, document_id: str) -> Key:
    """Returns the key of a caller's last recorded view of a document; the caller is a user or a board token."""
    return DOCUMENT_VIEW.key_for(callerId=caller_id, documentId=document_id)


def is_recent(item: Item | None, now: Instant) -> bool:
    """Returns whether the view that an item notes was recorded within the hour."""
    return item is not None and bool(item[_VIEWED] > _window_start(now))


def was_recorded(caller_id: str, document_id: str, now: Instant) -> bool:
    """Returns whether a view of the document by the caller was recorded within the hour, with one read."""
    return is_recent(read_one(key(caller_id, document_id)), now)


def note(caller_id: str, document_id: str, now: Instant) -> Write:
    """Returns the write that notes a recorded view. It fails with `StaleRead` if one was recorded within the hour."""
    due = Condition(
        "attribute_not_exists(#pk) OR #v <= :start", {"#pk": PK, "#v": _VIEWED}, {":start": _window_start(now)}
    )
    expiry = shift(now, hours=DOCUMENT_VIEW_HOURS)
    return Put(make_item(key(caller_id, document_id), {_VIEWED: now}, ttl=expiry), due)


def _window_start(now: Instant) -> Instant:
    return shift(now, hours=-DOCUMENT_VIEW_HOURS)
