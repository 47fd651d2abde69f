"""Meetings: list, create, read, change, delete (the API specification, sections 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain import meeting as rules
from governance.domain.audit import changed_fields
from governance.domain.visibility import can_see_meeting, meeting_buckets
from governance.errors import not_found
from governance.ids import new_id
from governance.models.base import Deleted
from governance.models.event import Event
from governance.models.meeting import Meeting, MeetingCreate, MeetingPatch, MeetingsQuery, StoredMeeting
from governance.models.page import Page
from governance.scopes import Tier
from governance.store import boards, meetings
from governance.store.paging import Window, strictly_after, strictly_before
from governance.store.schema import MEETING
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, loads
from governance.usecases.events import record_event


def to_resource(meeting: StoredMeeting) -> Meeting:
    """The meeting as its board sees it."""
    return Meeting.model_validate(vars(meeting))


def visible_meeting(context: Context) -> StoredMeeting:
    """The meeting that the path names; another member's draft is as if it were not there."""
    item = context.item(MEETING)
    meeting = StoredMeeting.model_validate(item) if item else None
    if meeting is None or not can_see_meeting(context.user_id, meeting):
        raise not_found()
    return meeting


def draft_owner(meeting: StoredMeeting) -> str | None:
    """Whose draft the meeting is; None where it is none."""
    return meeting.creator_id if meeting.status == "draft" else None


def list_meetings(context: Context, query: MeetingsQuery) -> Page[Meeting]:
    """A page of what the caller may see, by start; a filter of status or time reads other ranges, not more of them."""
    window = _window(context, query)
    board_id = context.board.id
    mine = meeting_buckets(context.user_id)
    if query.status is None:
        found, position = meetings.list_buckets(board_id, mine, window)
    elif query.status == "draft":
        found, position = meetings.list_buckets(board_id, mine[1:], window) if mine[1:] else ([], None)
    else:
        found, position = meetings.list_by_status(board_id, query.status, window)
    return Page(found, position)


def _window(context: Context, query: MeetingsQuery) -> Window:
    """Meetings without a start sort lowest, and fall out of every list that asks for a time."""
    timed = query.start_after is not None or query.start_before is not None
    above = strictly_after(query.start_after or "") if timed else None
    below = strictly_before(query.start_before) if query.start_before else None
    return context.window(query, above, below)


def create_meeting(context: Context, body: MeetingCreate) -> Outcome[Meeting]:
    """A new meeting; a board token's is scheduled and nobody's draft."""
    principal = context.principal
    status = rules.initial_status(body, by_user=principal.user is not None)
    rules.check_times(body.start_time, body.end_time)
    meeting = StoredMeeting.model_validate(
        {
            **body.model_dump(by_alias=False),
            "id": new_id(),
            "board_id": context.board.id,
            "status": status,
            "creator_id": principal.user_id,
            "created_by_user_id": principal.named_user_id,
            "created_at": context.now,
            "updated_at": context.now,
        }
    )
    writes = [
        boards.check_exists(context.board.id),
        meetings.create(meeting),
        *_record(context, Event.MEETING_CREATED, meeting),
    ]
    return Outcome(to_resource(meeting), writes)


@loads(MEETING)
def get_meeting(context: Context) -> Meeting:
    """One meeting."""
    return to_resource(visible_meeting(context))


@loads(MEETING)
def update_meeting(context: Context, body: MeetingPatch) -> Outcome[Meeting]:
    """The meeting with these members changed; the rules judge it as it would be afterwards."""
    old = visible_meeting(context)
    new = rules.patched(old, body.changes(), context.user_id, context.now)
    writes: list[Write] = [boards.check_exists(context.board.id), meetings.replace(old, new)]
    if old.status != new.status:
        change = {"from": old.status, "to": new.status}
        writes += _record(context, Event.MEETING_STATUS_CHANGED, new, change)
    fields = changed_fields(old, new)
    if fields or old.status == new.status:
        writes += _record(context, Event.MEETING_UPDATED, new, {"fields": fields})
    return Outcome(to_resource(new), writes)


@loads(MEETING)
def delete_meeting(context: Context) -> Outcome[Deleted]:
    """The meeting is gone, and all that hangs on it is out of reach with it."""
    meeting = visible_meeting(context)
    is_creator = context.user_id is not None and context.user_id == meeting.creator_id
    is_admin = context.tier is not None and context.tier >= Tier.ADMIN
    rules.check_deletable(meeting, is_creator=is_creator, is_admin=is_admin)
    return Outcome(Deleted(), [meetings.delete(meeting), *_record(context, Event.MEETING_DELETED, meeting)])


def _record(
    context: Context, event: Event, meeting: StoredMeeting, details: Mapping[str, object] | None = None
) -> list[Write]:
    return record_event(
        context,
        event,
        refs={"meetingId": meeting.id},
        details={"id": meeting.id, "title": meeting.title} if details is None else details,
        data={"id": meeting.id, "title": meeting.title},
        draft_of=draft_owner(meeting),
    )
