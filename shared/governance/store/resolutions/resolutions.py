"""Resolutions: a head each, in lists of its own, and a body with its text and its voters (ADR resolutions).

The body is in a partition of the resolution. Its voters are in groups, one item each, with their ballots. Every act of
a voter writes their group, and the transaction that closes a resolution writes all groups: each on the condition that
the group is as it was read. So the record counts exactly the ballots that were accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from governance.domain.resolutions.visibility import ResolutionVisibility, draft_owner
from governance.domain.resolutions.voting import is_open_at
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import RESOLUTION_SETTLES_SECONDS, RESOLUTIONS_PER_BOARD
from governance.models.resolutions.ballot import StoredVoter, VoterGroup
from governance.models.resolutions.resolution import DECIDED, StoredContent, StoredResolution
from governance.store import counters, numbers
from governance.store.decoding import decode_all, decode_or_none
from governance.store.dynamodb import run_async
from governance.store.paging import Window, page, strictly_after
from governance.store.schema import ranges
from governance.store.schema.entities import (
    RESOLUTION,
    RESOLUTION_CONTENT,
    RESOLUTION_COUNT,
    RESOLUTION_OF_MEETING,
    resolution_numbers_key,
    resolutions_partition,
    voter_group_key,
)
from governance.store.schema.keys import (
    PK,
    SEPARATOR,
    SK,
    Item,
    Key,
    Range,
    SortedList,
    is_of_kind,
    key_of,
    make_item,
    position,
)
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, Delete, Put, StaleRead, Write, equals

_SHOWN_TO_MEETING = ("status", "closesAt", "agendaItemId")
_CLOSED: Mapping[str, bool] = {"open": False, **dict.fromkeys((*DECIDED, "withdrawn"), True)}
"""Whether the groups of voters are closed, by the status; a status of a newer release says nothing of it."""


@dataclass(frozen=True)
class ResolutionContents:
    """The content of a resolution and its voters, in groups; a draft has none."""

    content: StoredContent
    groups: tuple[VoterGroup, ...] = ()

    @property
    def voters(self) -> tuple[StoredVoter, ...]:
        """All voters, in the order of their ids."""
        return tuple(voter for group in self.groups for voter in group.voters)


def _key(resolution: StoredResolution) -> Key:
    return RESOLUTION.key_for(boardId=resolution.board_id, resolutionId=resolution.id)


def content_key(resolution: StoredResolution) -> Key:
    """Returns the key of a resolution's content."""
    return RESOLUTION_CONTENT.key_for(boardId=resolution.board_id, resolutionId=resolution.id)


def _entries(resolution: StoredResolution, meeting_id: str | None) -> dict[str, str]:
    """Returns the keys that put a resolution, or its row for its meeting, in its lists."""
    owner = draft_owner(resolution)
    visibility = ResolutionVisibility(resolution.committee_id, is_draft=owner is not None)
    second = visibility if owner is None else visibility._replace(creator_id=owner)
    closed_at = resolution.closed_at or ""
    closing = (resolution.closes_at or "") if resolution.status == "open" else closed_at  # `over` reads this list
    entries: dict[str, str] = {}
    for on_shelf, status, closed in ((visibility, None, closed_at), (second, resolution.status, closing)):
        for by_closing, value in ((False, resolution.created_at), (True, closed)):
            listed = ranges.resolutions(on_shelf, by_closing=by_closing, meeting_id=meeting_id, status=status)
            entries |= listed.entry(position(value, resolution.id))
    return entries


def _head_items(resolution: StoredResolution) -> list[Item]:
    """Returns the head, and the row for its meeting if it has one."""
    head = make_item(_key(resolution), resolution.item(), **_entries(resolution, None))
    if resolution.meeting_id is None:
        return [head]
    named = {"boardId": resolution.board_id, "meetingId": resolution.meeting_id, "resolutionId": resolution.id}
    shown = {name: resolution.item()[name] for name in _SHOWN_TO_MEETING}
    row = make_item(RESOLUTION_OF_MEETING.key_for(**named), shown, **_entries(resolution, resolution.meeting_id))
    return [head, row]


def create(resolution: StoredResolution, content: StoredContent) -> list[Write]:
    """Returns the writes of a new draft; they fail with 409 `LIMIT_REACHED` at the limit of a board."""
    head, *rows = _head_items(resolution)
    count = counters.add(RESOLUTION_COUNT.key_for(boardId=resolution.board_id), RESOLUTIONS_PER_BOARD)
    return [Put(head, ABSENT), *map(Put, rows), _put_content(resolution, content), count]


def _put_content(resolution: StoredResolution, content: StoredContent) -> Write:
    return Put(make_item(content_key(resolution), content.item()))


def replace(
    old: StoredResolution,
    new: StoredResolution,
    content: StoredContent | None = None,
    *,
    commit_by: Instant | None = None,
) -> list[Write]:
    """Returns the writes that change a resolution, and its content if one is given.

    They fail with `StaleRead` if the resolution changed since it was read.
    """
    head, *rows = _head_items(new)
    kept = {key_of(row) for row in rows}
    gone = [Delete(key_of(row)) for row in _head_items(old)[1:] if key_of(row) not in kept]
    written = [] if content is None else [_put_content(new, content)]
    return [Put(head, equals(version=old.version), commit_by=commit_by), *map(Put, rows), *gone, *written]


def delete(resolution: StoredResolution) -> list[Write]:
    """Returns the writes that delete a draft. They fail with `StaleRead` if it changed since it was read."""
    count = counters.subtract(RESOLUTION_COUNT.key_for(boardId=resolution.board_id))
    _, *rows = _head_items(resolution)
    beside = [content_key(resolution), *map(key_of, rows)]
    return [Delete(_key(resolution), equals(version=resolution.version)), *map(Delete, beside), count]


def create_groups(resolution: StoredResolution, groups: Sequence[VoterGroup]) -> list[Write]:
    """Returns the writes of the voters of a resolution that is opened."""
    return [_put_group(resolution, number, group, None) for number, group in enumerate(groups)]


def replace_group(
    resolution: StoredResolution, number: int, old: VoterGroup, new: VoterGroup, commit_by: Instant | None = None
) -> Write:
    """Returns the write of a group of voters. It fails with `StaleRead` if the group changed since it was read."""
    return _put_group(resolution, number, new, old, commit_by)


def _put_group(
    resolution: StoredResolution, number: int, new: VoterGroup, old: VoterGroup | None, commit_by: Instant | None = None
) -> Write:
    key = voter_group_key(content_key(resolution), number)
    condition = ABSENT if old is None else equals(version=old.version)
    return Put(make_item(key, new.item()), condition, commit_by=commit_by)


def replace_group_at(key: Key, old: VoterGroup, new: VoterGroup) -> Write:
    """Returns the write of a group under its key. It fails with `StaleRead` if the group changed since it was read."""
    return Put(make_item(key, new.item()), equals(version=old.version))


def bring_back(
    old: StoredResolution | None, new: StoredResolution, body: ResolutionContents, lowest_number: int
) -> list[Write]:
    """Returns the writes of a resolution that was closed in a lost table, in place of what this table has of it.

    No resolution of its year gets a number up to `lowest_number` any more. They fail with `StaleRead` if the resolution
    changed since it was read, and with 409 `LIMIT_REACHED` for a new one at the limit of its board.
    """
    year, _, _ = (new.number or "").partition("-")
    head = create(new, body.content) if old is None else replace(old, new, body.content)
    groups = [
        Put(make_item(voter_group_key(content_key(new), at), group.item())) for at, group in enumerate(body.groups)
    ]
    return [*head, *groups, numbers.skip_to(resolution_numbers_key(new.board_id, year), lowest_number)]


def find(board_id: BoardId, resolution_id: str) -> StoredResolution | None:
    """Returns the head of a resolution; None if there is none, or for a malformed id."""
    return get_many(board_id, [resolution_id]).get(resolution_id)


def get_many(board_id: BoardId, resolution_ids: Iterable[str]) -> dict[str, StoredResolution]:
    """Returns the heads that exist among these ids, by id, in one round trip; malformed ids are ignored."""
    keys = (RESOLUTION.key_or_none(boardId=board_id, resolutionId=id_) for id_ in resolution_ids)
    items = read(key for key in keys if key is not None)
    return {head.id: head for head in decode_all(StoredResolution, items.values())}


def read_body(board_id: BoardId, resolution_id: str) -> ResolutionContents | None:
    """Returns the body of a resolution, with one query; None for one that does not exist."""
    key = RESOLUTION_CONTENT.key_or_none(boardId=board_id, resolutionId=resolution_id)
    items = query(ranges.RESOLUTION_BODY.within(key.pk)) if key else []
    content = decode_or_none(StoredContent, items[0]) if items else None
    return ResolutionContents(content, tuple(decode_all(VoterGroup, items[1:]))) if content else None


def body_of(resolution: StoredResolution, body: ResolutionContents | None) -> ResolutionContents:
    """Returns a body that belongs to a head. Raises `StaleRead` if they are of different instants."""
    closed = _CLOSED.get(resolution.status)
    if body is None or body.content.version != resolution.content_version:
        raise StaleRead
    if len(body.groups) != len(resolution.group_starts):
        raise StaleRead
    if closed is not None and any(group.closed != closed for group in body.groups):
        raise StaleRead
    return body


def read_whole(board_id: BoardId, resolution_ids: Sequence[str]) -> list[tuple[StoredResolution, ResolutionContents]]:
    """Returns those of these resolutions that exist, in this order, with their bodies, all read at the same time.

    Raises `StaleRead` if one changed meanwhile.
    """
    reads = [run_async(partial(read_body, board_id, id_)) for id_ in resolution_ids]
    heads = get_many(board_id, resolution_ids)
    bodies = [read.result() for read in reads]
    return [
        (heads[id_], body_of(heads[id_], body))
        for id_, body in zip(resolution_ids, bodies, strict=True)
        if id_ in heads
    ]


def read_group(resolution: StoredResolution, number: int) -> VoterGroup:
    """Returns a group of voters. Raises `StaleRead` if it does not belong to the head."""
    item = read_one(voter_group_key(content_key(resolution), number))
    if item is None:
        raise StaleRead
    return VoterGroup.model_validate(item)


def list_ids(
    board_id: BoardId,
    visibilities: Sequence[ResolutionVisibility],
    window: Window,
    *,
    by_closing: bool,
    meeting_id: str | None = None,
    status: str | None = None,
) -> tuple[list[tuple[str, str]], str | None]:
    """Returns the positions and ids of a page of these visibilities, and the position of the last (None: no more)."""
    lists = [
        ranges.resolutions(visibility, by_closing=by_closing, meeting_id=meeting_id, status=status)
        for visibility in visibilities
    ]
    if not lists:
        return [], None
    items, last = page(resolutions_partition(board_id), lists, window)
    return [(_position(item, lists), _id_of(item)) for item in items], last


def over(
    board_id: BoardId, visibilities: Sequence[ResolutionVisibility], now: Instant, meeting_id: str | None = None
) -> list[tuple[str, str]]:
    """Returns the positions by closing and the ids of what is stored as open in these visibilities, but is over."""
    pk = resolutions_partition(board_id)
    lists = [
        ranges.resolutions(visibility, by_closing=True, meeting_id=meeting_id, status="open")
        for visibility in visibilities
    ]
    low, high = strictly_after(""), strictly_after(shift(now, seconds=-RESOLUTION_SETTLES_SECONDS))
    spans = [
        Range(pk, listed.prefix, listed.index, above=listed.prefix + low, below=listed.prefix + high)
        for listed in lists
    ]
    reads = [run_async(partial(query, span)) for span in spans]
    return [
        (listed.position_of(item), _id_of(item))
        for listed, read in zip(lists, reads, strict=True)
        for item in read.result()
    ]


def _position(item: Item, lists: Sequence[SortedList]) -> str:
    """Returns the position of an item in the one of these lists that it is in."""
    return next(listed for listed in lists if item.get(listed.attribute, "").startswith(listed.prefix)).position_of(
        item
    )


def _id_of(item: Item) -> str:
    """Returns the id of a resolution from its head, or from its row for its meeting."""
    sort_key: str = item[SK]
    return sort_key.rpartition(SEPARATOR)[2]


def open_on_meeting(board_id: BoardId, meeting_id: str, now: Instant, agenda_item_ids: Collection[str] = ()) -> bool:
    """Returns whether a resolution of a meeting is open; if ids are given, whether one on these agenda items is."""
    prefix = f"{RESOLUTION_OF_MEETING.sk_prefix}{meeting_id}{SEPARATOR}"
    rows = query(Range(resolutions_partition(board_id), prefix))
    return any(
        is_open_at(row["status"], row["closesAt"], now)
        and (not agenda_item_ids or row["agendaItemId"] in agenda_item_ids)
        for row in rows
    )


def open_in_committee(board_id: BoardId, committee_id: str, now: Instant) -> bool:
    """Returns whether a resolution of a committee is open."""
    listed = ranges.resolutions(ResolutionVisibility(committee_id), by_closing=False, meeting_id=None, status="open")
    ids = [_id_of(row) for row in query(listed.within(resolutions_partition(board_id)))]
    return any(is_open_at(head.status, head.closes_at, now) for head in get_many(board_id, ids).values())


def rows_of_board(board_id: BoardId) -> Iterator[Item]:
    """Yields the rows of a board's resolutions, page by page: their keys and ids."""
    return iter_range(Range(resolutions_partition(board_id)), PK, SK, "id", "boardId")


def partitions_elsewhere(item: Item) -> list[str]:
    """Returns the partition of a resolution's content, voters and certificate; none for an item of another kind."""
    if not is_of_kind(RESOLUTION, item):
        return []
    return [RESOLUTION_CONTENT.key_for(boardId=item["boardId"], resolutionId=item["id"]).pk]


def keys_elsewhere(item: Item) -> list[Key]:
    """Returns the keys of a resolution's content, voters and certificate; none for an item of another kind."""
    return [key_of(row) for pk in partitions_elsewhere(item) for row in iter_range(Range(pk), PK, SK)]


def group_number(resolution: StoredResolution, user_id: UserId) -> int | None:
    """Returns the number of the group that a user is in if they are a voter; None if there are no voters."""
    if not resolution.group_starts:
        return None
    return max(sum(start <= user_id for start in resolution.group_starts) - 1, 0)
