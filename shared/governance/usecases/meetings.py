"""Meetings: list, create, read, change, delete (the API specification, sections 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain import meeting as rules
from governance.domain.audit import changed_fields
from governance.domain.visibility import can_see_meeting, meeting_buckets
from governance.errors import not_found
from governance.ids import UserId, new_id
from governance.models.base import Deleted
from governance.models.event import Event
from governance.models.meeting import Meeting, MeetingCreate, MeetingPatch, MeetingsQuery, StoredMeeting
from governance.models.page import Page
from governance.scopes import Tier
from governance.store import boards, meetings
from governance.store.paging import Window, strictly_after, strictly_before
from governance.store.schema import MEETING
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, judged_by, loads
from governance.usecases.events import record_event


def to_resource(meeting: StoredMeeting) -> Meeting:
    """Returns the meeting as the members of its board see it."""
    return Meeting.model_validate(vars(meeting))


def visible_meeting(context: Context) -> StoredMeeting:
    """Returns the meeting that the path names; raises 404 if it does not exist or is another member's draft."""
    item = context.item(MEETING)
    meeting = StoredMeeting.model_validate(item) if item else None
    if meeting is None or not can_see_meeting(context.user_id, meeting):
        raise not_found()
    return meeting


def draft_owner(meeting: StoredMeeting) -> UserId | None:
    """Returns the user whose draft the meeting is; None if it is not a draft."""
    return meeting.creator_id if meeting.status == "draft" else None


def list_meetings(context: Context, query: MeetingsQuery) -> Page[Meeting]:
    """Returns a page of the meetings that the caller may see, by start; each filter has ranges of its own."""
    window = _window(context, query)
    board_id = context.board.id
    buckets = meeting_buckets(context.user_id)
    if query.status is None:
        page, position = meetings.list_buckets(board_id, buckets, window)
    elif query.status == "draft":
        drafts = buckets[1:]
        page, position = meetings.list_buckets(board_id, drafts, window) if drafts else ([], None)
    else:
        page, position = meetings.list_by_status(board_id, query.status, window)
    return Page(page, position)


def _window(context: Context, query: MeetingsQuery) -> Window:
    """Meetings without a start sort lowest, and are left out of every list that filters by start."""
    timed = query.start_after is not None or query.start_before is not None
    above = strictly_after(query.start_after or "") if timed else None
    below = strictly_before(query.start_before) if query.start_before else None
    return context.window(query, above, below)


def create_meeting(context: Context, body: MeetingCreate) -> Outcome[Meeting]:
    """Creates a meeting: a draft of its creator unless the body says otherwise, scheduled for a board token."""
    principal = context.principal
    status = rules.initial_status(body, by_user=principal.user is not None)
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
        *_record_event(context, Event.MEETING_CREATED, meeting),
    ]
    return Outcome(to_resource(meeting), writes)


@loads(MEETING)
@judged_by(visible_meeting)
def get_meeting(context: Context) -> Meeting:
    """Returns one meeting."""
    return to_resource(visible_meeting(context))


@loads(MEETING)
@judged_by(visible_meeting)
def update_meeting(context: Context, body: MeetingPatch) -> Outcome[Meeting]:
    """Changes the fields of a meeting that the body names; the rules apply to the result.

    Setting the same values changes nothing.
    """
    old = visible_meeting(context)
    new = rules.patched(old, body.changes(), context.user_id, context.now)
    fields = changed_fields(old, new)
    if not fields and old.status == new.status:
        return Outcome(to_resource(old), [])
    writes = [boards.check_exists(context.board.id), *meetings.replace(old, new, context.now)]
    if old.status != new.status:
        change = {"from": old.status, "to": new.status}
        writes += _record_event(context, Event.MEETING_STATUS_CHANGED, new, change)
    if fields:
        writes += _record_event(context, Event.MEETING_UPDATED, new, {"fields": fields})
    return Outcome(to_resource(new), writes)


def _deletable_meeting(context: Context) -> StoredMeeting:
    meeting = visible_meeting(context)
    is_creator = context.user_id is not None and context.user_id == meeting.creator_id
    is_admin = context.tier is not None and context.tier >= Tier.ADMIN
    rules.check_deletable(meeting, is_creator=is_creator, is_admin=is_admin)
    return meeting


@loads(MEETING)
@judged_by(_deletable_meeting)
def delete_meeting(context: Context) -> Outcome[Deleted]:
    """Deletes a meeting with its slots, votes, action items and guest link."""
    meeting = _deletable_meeting(context)
    event = _record_event(context, Event.MEETING_DELETED, meeting)
    return Outcome(Deleted(), [*meetings.delete(meeting, context.now), *event])


def _record_event(
    context: Context, event: Event, meeting: StoredMeeting, details: Mapping[str, object] | None = None
) -> list[Write]:
    return record_event(
        context,
        event,
        refs={"meetingId": meeting.id},
        details={"id": meeting.id, "title": meeting.title} if details is None else details,
        data={"id": meeting.id, "title": meeting.title, "sequence": meeting.sequence},
        draft_of=draft_owner(meeting),
    )
