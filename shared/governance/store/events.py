"""Events: written in the transaction of the change itself, in a partition of each board, ordered by time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from governance.domain.visibility import event_bucket
from governance.instants import shift
from governance.limits import EVENT_DAYS
from governance.models.event import StoredEvent
from governance.store import schema
from governance.store.attributes import unmarshal
from governance.store.paging import Window, page
from governance.store.schema import Key, make_item
from governance.store.writes import EXISTS, Put, Update, Write


def put(event: StoredEvent) -> Write:
    """An event; the stream carries it to whatever follows from it."""
    key = schema.event(event.board_id, event_bucket(event), event.created_at, event.id)
    return Put(make_item(key, event.item(), ttl=shift(event.created_at, days=EVENT_DAYS)))


def redact(key: Key, members: Sequence[str]) -> Write:
    """The event without what these members of its data said."""
    names = {"#d": "data"} | {f"#m{i}": name for i, name in enumerate(members)}
    nothing = ", ".join(f"#d.#m{i} = :nothing" for i in range(len(members)))
    return Update(key, f"SET {nothing}", names, {":nothing": ""}, EXISTS)


def from_stream(image: Mapping[str, Any]) -> StoredEvent:
    """The event in a record of the stream; raises `ValueError` where there is none."""
    return StoredEvent.model_validate(unmarshal(image))


def list_page(board_id: str, buckets: Sequence[str], window: Window) -> tuple[list[StoredEvent], str | None]:
    """A page of a board's events in these buckets, oldest first."""
    partition = schema.event(board_id, "", "", "").pk
    items, position = page(partition, None, [f"{bucket}#" for bucket in buckets], window)
    return [StoredEvent.model_validate(item) for item in items], position
