"""Meetings: one item each, in the list of its visibility and in that of its status, both in the order of its start."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from governance.domain.access.visibility import (
    BOARD_MEETINGS,
    Visibility,
    can_see_meeting,
    meeting_visibilities,
    meeting_visibility,
)
from governance.domain.meetings.meeting import open_state
from governance.domain.notifications import due as due_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.limits import AUDIT_DAYS
from governance.models.base import list_of
from governance.models.meetings.meeting import Meeting, StoredMeeting
from governance.store import due
from governance.store.decoding import decode_all
from governance.store.guards import Guards
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import DELETED_DRAFT, MEETING, meetings_partition
from governance.store.schema.keys import PK, SK, Item, Key, Range, is_of_kind, key_of, make_item, position
from governance.store.table import iter_range, query, read, read_one
from governance.store.writes import ABSENT, Delete, Put, Update, Write, equals


def meeting_key(meeting: StoredMeeting) -> Key:
    """Returns the key of a meeting."""
    return MEETING.key_for(boardId=meeting.board_id, meetingId=meeting.id)


_GUARD_ROWS = 2


def _guards(meeting: StoredMeeting) -> Guards:
    return Guards(meeting.id, _GUARD_ROWS)


def _item(meeting: StoredMeeting) -> Item:
    at = position(meeting.start_time or "", meeting.id)
    visibility, cancelled = meeting_visibility(meeting), meeting.cancellation is not None
    entries = ranges.meetings_visible_by(visibility, cancelled=cancelled).entry(at)
    if visibility == BOARD_MEETINGS:
        entries |= ranges.meetings_of_status(meeting.status, cancelled=cancelled).entry(at)
    if meeting.matters and meeting.start_time and not cancelled:
        entries |= ranges.meetings_with_matters(visibility).entry(at)
    return make_item(meeting_key(meeting), meeting.item(), **entries)


def find(board_id: BoardId, meeting_id: str) -> StoredMeeting | None:
    """Returns a meeting; None if there is none."""
    item = read_one(MEETING.key_for(boardId=board_id, meetingId=meeting_id))
    return StoredMeeting.model_validate(item) if item else None


def create(meeting: StoredMeeting) -> list[Write]:
    """Returns the writes of a new meeting and its reminders."""
    reminders = due.move_reminders([], due_rules.of_meeting(meeting, meeting.created_at))
    return [Put(_item(meeting), ABSENT), *reminders]


def replace(old: StoredMeeting, new: StoredMeeting, now: Instant) -> list[Write]:
    """Returns the writes that change a meeting, and when its reminders are due.

    They fail with `StaleRead` if it changed since it was read.
    """
    state = open_state(new)
    changed = _guards(new).change(state, now) if state != open_state(old) else []
    reminders = due.move_reminders(due_rules.of_meeting(old, now), due_rules.of_meeting(new, now))
    return [Put(_item(new), equals(version=old.version)), *changed, *reminders]


def renew(meeting: StoredMeeting) -> Write:
    """Returns the write after which no change holds that was decided on the meeting as it was read before.

    It fails with `StaleRead` if the meeting changed since it was read.
    """
    version = {"#v": "version"}
    return Update(
        meeting_key(meeting), "SET #v = :v", version, {":v": meeting.version + 1}, equals(version=meeting.version)
    )


def check_open_state(meeting: StoredMeeting) -> Write:
    """Returns a check that the meeting is visible to the same callers, as open and as booked as when it was read."""
    return _guards(meeting).check(open_state(meeting))


def delete(meeting: StoredMeeting, now: Instant) -> list[Write]:
    """Returns the writes that delete a meeting. They fail with `StaleRead` if it changed since it was read."""
    remembered = keep_hidden(meeting.item() | meeting_key(meeting).attributes, now)
    return [Delete(meeting_key(meeting), equals(version=meeting.version)), *remembered, *_guards(meeting).close(now)]


def reopen(meeting: StoredMeeting) -> list[Write]:
    """Returns the writes that let others write under a meeting that is restored."""
    return _guards(meeting).reopen()


def keep_hidden(item: Item, now: Instant) -> list[Write]:
    """Returns the write that keeps a deleted draft hidden in notifications and the audit log; else none."""
    if not is_of_kind(MEETING, item) or item["status"] != "draft":
        return []
    key = DELETED_DRAFT.key_for(meetingId=item["id"])
    return [Put(make_item(key, {"creatorId": item["creatorId"]}, ttl=shift(now, days=AUDIT_DAYS)))]


def drafts_among(board_id: BoardId, meeting_ids: Collection[str]) -> set[str]:
    """Returns the meetings among these that are drafts, or were drafts when they were deleted.

    Takes one batch, and a second one if some were deleted: in one batch, a deletion during the read could be missed.
    """
    keys = {id_: MEETING.key_for(boardId=board_id, meetingId=id_) for id_ in meeting_ids}
    items = read(keys.values())
    gone = {id_: DELETED_DRAFT.key_for(meetingId=id_) for id_, key in keys.items() if key not in items}
    deleted = read(gone.values())
    drafts = {item["id"] for item in items.values() if item["status"] == "draft"}
    return drafts | {id_ for id_, key in gone.items() if key in deleted}


BOTH = (False, True)
"""Meetings that take place, and cancelled ones."""


def list_visible(
    board_id: BoardId, visibilities: Sequence[Visibility], window: Window, cancelled: Sequence[bool] = BOTH
) -> tuple[list[Meeting], str | None]:
    """Returns a page of the meetings in these visibilities, by start, and the position of the last (None: no more)."""
    lists = [
        ranges.meetings_visible_by(visibility, cancelled=each) for visibility in visibilities for each in cancelled
    ]
    items, last = page(meetings_partition(board_id), lists, window)
    return _shown(items), last


def list_by_status(
    board_id: BoardId, status: str, window: Window, cancelled: Sequence[bool] = BOTH
) -> tuple[list[Meeting], str | None]:
    """Returns a page of the board's meetings of one status other than draft, by start, and the last's position."""
    lists = [ranges.meetings_of_status(status, cancelled=each) for each in cancelled]
    items, last = page(meetings_partition(board_id), lists, window)
    return _shown(items), last


def _shown(items: Iterable[Item]) -> list[Meeting]:
    return list_of(Meeting).validate_python([vars(meeting) for meeting in decode_all(StoredMeeting, items)])


def get_by_keys(keys: Iterable[Key]) -> dict[str, StoredMeeting]:
    """Returns the meetings that exist under these keys, by id, in one round trip."""
    return {meeting.id: meeting for meeting in decode_all(StoredMeeting, read(keys).values())}


def has_scheduled(board_id: BoardId, after: Instant) -> bool:
    """Returns whether a scheduled meeting of the board, not a draft, starts after an instant."""
    listed = ranges.meetings_of_status("scheduled")
    pk, above = meetings_partition(board_id), listed.prefix + after
    return bool(query(Range(pk, listed.prefix, listed.index, above=above), 1))


def with_matters(board_id: BoardId, visibilities: Sequence[Visibility], year: int) -> list[StoredMeeting]:
    """Returns the meetings with matters of the work plan that take place in a year, of whichever zone, or a day off."""
    first, last = Instant(f"{year}-01-01T00:00:00.000Z"), Instant(f"{year}-12-31T23:59:59.999Z")
    keys = []
    for listed in map(ranges.meetings_with_matters, visibilities):
        above, below = (listed.prefix + shift(instant, days=days) for instant, days in ((first, -1), (last, 1)))
        span = Range(meetings_partition(board_id), listed.prefix, listed.index, above=above, below=below)
        keys += [key_of(item) for item in query(span)]
    return list(get_by_keys(keys).values())


def held_in(board_id: BoardId, year: int) -> list[StoredMeeting]:
    """Returns the meetings of the board, no drafts and none that were cancelled, that start in a year of UTC."""
    listed = ranges.meetings_visible_by(BOARD_MEETINGS)
    above, below = f"{listed.prefix}{year}", f"{listed.prefix}{year}-A"
    return decode_all(
        StoredMeeting, query(Range(meetings_partition(board_id), listed.prefix, listed.index, above=above, below=below))
    )


def calendar_reads(
    board_id: BoardId, user_id: UserId, since: Instant, rows: int
) -> list[Callable[[], list[StoredMeeting]]]:
    """Returns the reads that a user's calendar needs of a board; they can run in parallel.

    They are, at most `rows` each and without cancelled ones, the board's newest meetings that start at `since` or
    later, its newest ones without a start, which may have proposed slots, and the user's own drafts.
    """
    board_bucket, drafts = meeting_visibilities(user_id)
    pk, listed = meetings_partition(board_id), ranges.meetings_visible_by(board_bucket)
    spans = [
        Range(pk, listed.prefix, listed.index, above=listed.prefix + since),
        ranges.meetings_without_start(board_bucket).within(pk),
        ranges.meetings_visible_by(drafts).within(pk),
    ]
    return [partial(_newest, span, rows) for span in spans]


def _newest(span: Range, rows: int) -> list[StoredMeeting]:
    return decode_all(StoredMeeting, query(span, rows, descending=True))


def visible_by_ids(board_id: BoardId, meeting_ids: Iterable[str], user_id: UserId | None) -> dict[str, StoredMeeting]:
    """Returns the meetings among these that exist and that a caller sees, by id, in one round trip."""
    meetings = get_by_keys(MEETING.key_for(boardId=board_id, meetingId=meeting_id) for meeting_id in meeting_ids)
    return {id_: meeting for id_, meeting in meetings.items() if can_see_meeting(user_id, meeting)}


def rows_of_board(board_id: BoardId) -> Iterator[Item]:
    """Yields a board's meetings and the answers to them, page by page: their keys, and the creator of a draft."""
    return iter_range(Range(meetings_partition(board_id)), PK, SK, "id", "status", "creatorId")
