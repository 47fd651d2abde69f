"""Meetings: list, create, read, change, delete (the API specification, sections 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from governance.domain.access.visibility import can_see_meeting, meeting_visibilities
from governance.domain.events import meetings as events
from governance.domain.history.audit import changed_fields, field_changes
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.notifications.due import vote_request
from governance.errors import Reason, conflict, not_found
from governance.ids import new_id
from governance.models.base import Deleted
from governance.models.meetings.meeting import Meeting, MeetingCreate, MeetingPatch, MeetingsQuery, StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.page import Page
from governance.store import due
from governance.store.boards import boards
from governance.store.meetings import agendas, meetings, minutes_versions
from governance.store.paging import Window, strictly_after, strictly_before
from governance.store.schema.entities import MEETING
from governance.store.schema.minutes import MINUTES, MINUTES_APPROVAL
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads
from governance.usecases.event_writes import record_meeting_event


def to_resource(meeting: StoredMeeting) -> Meeting:
    """Returns the meeting as the members of its board see it."""
    return Meeting.model_validate(vars(meeting))


def visible_meeting(context: Context) -> StoredMeeting:
    """Returns the meeting that the path names; raises 404 if it does not exist or is another member's draft."""
    meeting = context.stored_or_none(MEETING, StoredMeeting)
    if meeting is None or not can_see_meeting(context.user_id, meeting):
        raise not_found()
    return meeting


def list_meetings(context: Context, query: MeetingsQuery) -> Page[Meeting]:
    """Returns a page of the meetings that the caller may see, by start; each filter has ranges of its own."""
    window = _window(context, query)
    board_id = context.board.id
    visibilities = meeting_visibilities(context.user_id)
    cancelled = meetings.BOTH if query.cancelled is None else (query.cancelled == "true",)
    if query.status is None:
        page, position = meetings.list_visible(board_id, visibilities, window, cancelled)
    elif query.status == "draft":
        drafts = visibilities[1:]
        page, position = meetings.list_visible(board_id, drafts, window, cancelled) if drafts else ([], None)
    else:
        page, position = meetings.list_by_status(board_id, query.status, window, cancelled)
    return Page(page, position)


def _window(context: Context, query: MeetingsQuery) -> Window:
    """Returns the window of the list; filters by start exclude meetings without one."""
    timed = query.start_after is not None or query.start_before is not None
    above = strictly_after(query.start_after or "") if timed else None
    below = strictly_before(query.start_before) if query.start_before else None
    return context.window(query, above, below)


@creates(MEETING, "meetingId", visible_meeting)
def create_meeting(context: Context, body: MeetingCreate) -> Outcome[Meeting]:
    """Creates a meeting: a draft of its creator unless the body says otherwise, scheduled for a board token."""
    principal = context.principal
    status = meeting_rules.initial_status(body, by_user=principal.user is not None)
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
    created = events.MeetingCreated(
        meeting_id=meeting.id, id=meeting.id, title=meeting.title, news=meeting_rules.news(None, meeting)
    )
    writes = [
        *meetings.create(meeting),
        *record_meeting_event(context, events.MEETING_CREATED, meeting, created),
    ]
    return Outcome(to_resource(meeting), writes)


@loads(MEETING)
@finds(visible_meeting)
def get_meeting(_context: Context, meeting: StoredMeeting) -> Meeting:
    """Returns one meeting."""
    return to_resource(meeting)


@loads(MEETING)
@finds(visible_meeting)
def update_meeting(context: Context, old: StoredMeeting, body: MeetingPatch) -> Outcome[Meeting]:
    """Changes the fields of a meeting that the body names; the rules apply to the result.

    Setting the same values changes nothing.
    """
    meeting_rules.check_run(old, body.changes(), context.membership)
    new = meeting_rules.patched(old, body.changes(), context.user_id, context.now)
    fields = changed_fields(old, new)
    if not fields and old.status == new.status:
        return Outcome(to_resource(old), [])
    carried: list[Write] = []
    if new.status == "completed" != old.status and new.occurrence is not None:
        from governance.usecases.series.carrying import carry_on  # only completed occurrences of series need it

        new, carried = carry_on(context, new)
    writes = [*meetings.replace(old, new, context.now), *carried]
    if old.status != "finalized" and new.status == "finalized":
        check_no_open_resolution(context, new)
    if old.status != new.status:
        minutes = agendas.minutes_of(new.board_id, new.id) if new.status == "finalized" else None
        news = "minutes" if minutes and minutes.status == "draft" else None if fields else meeting_rules.news(old, new)
        change = events.MeetingStatusChanged(
            meeting_id=new.id, before=old.status, after=new.status, title=new.title, news=news
        )
        writes += record_meeting_event(context, events.MEETING_STATUS_CHANGED, new, change)
        if new.status == "finalized":
            writes.append(_final_minutes(new, minutes))
    if fields:
        writes += record_update(context, old, new)
    if old.status == "draft" and new.status != "draft":
        writes.append(due.put_reminder(vote_request(new, context.now)))
    return Outcome(to_resource(new), writes)


def check_no_open_resolution(
    context: Context, meeting: StoredMeeting, agenda_item_ids: Collection[str] | None = None
) -> None:
    """Raises 409 `IN_USE` if a resolution of the meeting is open; of some of its agenda items, if their ids are given.

    The writes of the request must fail if the meeting changes meanwhile: a resolution that is opened changes it.
    """
    if agenda_item_ids == set():
        return
    from governance.store.resolutions import resolutions  # few requests need it; a start of the meetings gains 44 ms

    if resolutions.open_on_meeting(meeting.board_id, meeting.id, context.now, agenda_item_ids or ()):
        raise conflict(Reason.IN_USE)


def _final_minutes(meeting: StoredMeeting, minutes: StoredMinutes | None) -> Write:
    """Returns the write that makes the minutes of a meeting final, or the check that it still has none."""
    if minutes is None:
        return agendas.check_minutes_unchanged(meeting.board_id, meeting.id, None)
    members = [entry.user_id for entry in boards.roster(meeting.board_id)]
    return agendas.put_minutes(minutes, minutes_rules.final(minutes, members))


def check_owner(context: Context, meeting: StoredMeeting) -> None:
    """Raises 403 unless the caller may cancel and delete the meeting."""
    meeting_rules.check_owner(meeting, context.user_id, context.tier)


def _deletable_meeting(context: Context) -> StoredMeeting:
    meeting = context.find(visible_meeting)
    check_owner(context, meeting)
    meeting_rules.check_editable(meeting)
    return meeting


def never_circulated(context: Context, meeting: StoredMeeting) -> Write:
    """Returns the check that the minutes of a meeting were not circulated. Raises 409 `IN_USE` if they were.

    It is for use cases that load `MINUTES_APPROVAL`.
    """
    if context.item(MINUTES_APPROVAL) is not None:
        raise conflict(Reason.IN_USE)
    return minutes_versions.check_never_circulated(meeting.board_id, meeting.id)


@loads(MEETING, MINUTES, MINUTES_APPROVAL)
@finds(_deletable_meeting)
def delete_meeting(context: Context, meeting: StoredMeeting) -> Outcome[Deleted]:
    """Deletes a meeting with its slots, votes, action items and guest link.

    Raises 409 `IN_USE` while a resolution of it is open, and for good once its minutes were circulated or say that
    others are approved.
    """
    check_no_open_resolution(context, meeting)
    minutes = context.stored_or_none(MINUTES, StoredMinutes)
    approval_rules.check_deletable(minutes)
    unchanged = [
        never_circulated(context, meeting),
        agendas.check_minutes_unchanged(meeting.board_id, meeting.id, minutes),
    ]
    deleted = events.MeetingDeleted(
        meeting_id=meeting.id,
        id=meeting.id,
        title=meeting.title,
        news=meeting_rules.news(meeting, None),
        sequence=meeting.sequence,
    )
    event = record_meeting_event(context, events.MEETING_DELETED, meeting, deleted)
    writes = [*unchanged, *meetings.delete(meeting, context.now), *event, *_cancelled_occurrence(context, meeting)]
    return Outcome(Deleted(), writes)


def _cancelled_occurrence(context: Context, meeting: StoredMeeting) -> list[Write]:
    """Returns the event of the occurrence that a deleted meeting was; none if it was none."""
    if meeting.occurrence is None:
        return []
    from governance.usecases.series.series import cancelled_occurrence  # only the deletion of an occurrence needs it

    return cancelled_occurrence(context, meeting.occurrence)


def record_update(context: Context, old: StoredMeeting, new: StoredMeeting, slot_id: str | None = None) -> list[Write]:
    """Returns the writes of the event that says which fields of a meeting changed; a confirmed slot changed them."""
    updated = events.MeetingUpdated(
        meeting_id=new.id,
        slot_id=slot_id,
        fields=changed_fields(old, new),
        changes=field_changes(old, new),
        title=new.title,
        news=meeting_rules.news(old, new),
        **times_moved(old, new),
    )
    return record_meeting_event(context, events.MEETING_UPDATED, new, updated)


def times_moved(old: StoredMeeting, new: StoredMeeting) -> dict[str, Any]:
    """Returns the times of a meeting before and after, for an event, if it had one and got another."""
    if old.start_time is None or new.start_time is None or old.start_time == new.start_time:
        return {}
    return {"was": old.start_time, "start_time": new.start_time, "timezone": new.timezone or old.timezone}
