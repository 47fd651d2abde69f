"""Events: written in the transaction of the change itself, by time, in a partition per board and month (ADR
history)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from governance.domain.access.visibility import Visibility, VisibilityKind, event_visibility, is_board_wide
from governance.ids import BoardId, is_id, millis_of_id
from governance.instants import Instant, epoch, from_millis, months, shift
from governance.limits import EVENT_COMMIT_SECONDS, EVENT_DAYS
from governance.log.leaves import Leaf
from governance.models.history.event import BoardEvent, StoredEvent, is_logged
from governance.store.decoding import decode_all
from governance.store.history.leaves import TEXT, leaves_of, salted
from governance.store.paging import Window, merged_page
from governance.store.schema import ranges
from governance.store.schema.history import RESERVE, event_key, events_partition
from governance.store.schema.keys import PK, SK, TTL, Item, Key, SortedList, make_item, position
from governance.store.table import iter_range, read
from governance.store.writes import EXISTS, Put, Update, Write


def put(event: StoredEvent, *, is_protecting: bool = False) -> Write:
    """Returns the write of an event, which the table's stream passes on; it expires after `EVENT_DAYS`.

    One that is logged has a leaf, and lives as long as what it is about.

    A protecting one that every admin sees is recorded even if the board's history is full. It is committed within
    `EVENT_COMMIT_SECONDS` or not at all: then the feed may have passed its instant (ADR history).
    """
    key = event_key(event.board_id, event_visibility(event), event.created_at, event.id)
    has_reserve = is_protecting and is_board_wide(event)
    return Put(
        _item(key, event),
        commit_by=shift(event.created_at, seconds=EVENT_COMMIT_SECONDS),
        reserve=events_partition(event.board_id, RESERVE) if has_reserve else None,
    )


def _item(key: Key, event: StoredEvent) -> Item:
    if is_logged(event.type):
        entry = _logged_events(event).entry(position(event.created_at, event.id))
        return make_item(key, {**event.item(), **salted({TEXT: BoardEvent.of(event).to_json()})}, **entry)
    return make_item(key, event.item(), ttl=shift(event.created_at, days=EVENT_DAYS))


def _logged_events(event: StoredEvent) -> SortedList:
    resolution_id = event.refs.get("resolutionId")
    return ranges.logged_events(resolution_id) if resolution_id else ranges.LOGGED_EVENTS_OF_MINUTES


def find_leaf(board_id: BoardId, visibilities: Sequence[Visibility], event_id: str) -> Leaf | None:
    """Returns the leaf of a logged event that is in one of these visibilities; None if there is none."""
    row = find_logged(board_id, visibilities, event_id)
    return next(iter(leaves_of(row)), None) if row else None


def indexes_of(board_id: BoardId, visibilities: Mapping[str, Sequence[Visibility]]) -> dict[str, int]:
    """Returns the places in the log of those of these events that are logged by now, each with where it may be."""
    keys = {
        event_key(board_id, visibility, from_millis(millis_of_id(event_id)), event_id): event_id
        for event_id, possible in visibilities.items()
        for visibility in possible
    }
    leaves = {keys[key]: leaves_of(item)[0] for key, item in (read(keys).items() if keys else ())}
    return {event_id: leaf.index for event_id, leaf in leaves.items() if leaf.index is not None}


def find_logged(board_id: BoardId, visibilities: Sequence[Visibility], event_id: str) -> Item | None:
    """Returns the row of a logged event that is in one of these visibilities; None if there is none."""
    if not is_id(event_id):
        return None
    at = from_millis(millis_of_id(event_id))
    items = read([event_key(board_id, visibility, at, event_id) for visibility in visibilities])
    return next((item for item in items.values() if TEXT in item), None)


def iter_logged(board_id: BoardId, since: Instant, until: Instant, resolution_id: str = "") -> Iterator[Item]:
    """Yields the keys of the logged events of one resolution, or of all of a board, between two instants."""
    spans = [ranges.logged_events(resolution_id), *([] if resolution_id else [ranges.LOGGED_EVENTS_OF_MINUTES])]
    for in_month in months(since, until):
        for span in spans:
            yield from iter_range(span.within(events_partition(board_id, in_month)), PK, SK)


def expire(key: Key, now: Instant) -> Write:
    """Returns the write after which an event lives for `EVENT_DAYS` more, as what it is about is gone."""
    expiry = epoch(shift(now, days=EVENT_DAYS))
    return Update(key, "SET #ttl = :ttl", {"#ttl": TTL}, {":ttl": expiry}, EXISTS)


def redact(key: Key, delivery_data: Sequence[str], details: Sequence[str]) -> Write:
    """Returns the write that empties these fields of an event's delivery data and nulls these of its details."""
    names: dict[str, str] = {}
    values: Item = {}
    emptied: list[str] = []
    for attribute, members, nothing in (("deliveryData", delivery_data, ""), ("details", details, None)):
        for member in members:
            names |= {f"#{attribute}": attribute, f"#{member}": member}
            values[f":{attribute}"] = nothing
            emptied.append(f"#{attribute}.#{member} = :{attribute}")
    return Update(key, f"SET {', '.join(emptied)}", names, values, EXISTS)


def list_page(
    board_id: BoardId, visibilities: Sequence[Visibility], above: str, below: str, after: str | None, limit: int
) -> tuple[list[StoredEvent], str | None]:
    """Returns a page of a board's visible events, oldest first, and the last one's position (None: no more).

    The events lie between two positions and behind `after`. The months that they may be in are read at the same time.
    """
    lists = [
        (events_partition(board_id, month), ranges.events_visible_by(visibility))
        for month in months(max(above, after or ""), below)
        for visibility in visibilities
    ]
    lists += [
        (events_partition(board_id, RESERVE), ranges.events_visible_by(visibility))
        for visibility in visibilities
        if visibility.kind is VisibilityKind.BOARD_EVENTS
    ]
    items, last = merged_page(lists, Window(limit, descending=False, after=after, above=above, below=below))
    return decode_all(StoredEvent, items), last
