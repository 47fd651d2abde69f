"""The minutes of meetings (an extension of the API, ADR meetings)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from governance.domain.events import meetings as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import minutes as minutes_rules
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings.in_camera import Reader
from governance.domain.meetings.meeting import not_running
from governance.domain.members.unregistered_user import NamedPeople
from governance.errors import not_found
from governance.models.base import Deleted
from governance.models.boards.board import RosterEntry
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import Minutes, MinutesBody, StoredMinutes
from governance.models.meetings.minutes_versions import StoredMinutesApproval
from governance.store.meetings import agendas, meetings, minutes_versions
from governance.store.schema.entities import AGENDA, MEETING, UNREGISTERED_USER_COUNT
from governance.store.schema.minutes import DELETED_MINUTES, MINUTES, MINUTES_APPROVAL, MINUTES_CORRECTION
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, prefetch, repeated_if, roster_of
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.in_camera import check_none_hidden, reader_in
from governance.usecases.meetings.meetings import never_circulated, visible_meeting
from governance.usecases.members.named_people import check_people_unchanged, check_still_known, people_named

if TYPE_CHECKING:
    from governance.models.resolutions.resolution import StoredResolution


def stored_minutes(context: Context) -> StoredMinutes | None:
    """Returns the minutes of the meeting that the path names; None if there are none."""
    return context.stored_or_none(MINUTES, StoredMinutes)


def approval_of(context: Context) -> StoredMinutesApproval | None:
    """Returns the approval of the minutes of the meeting that the path names; None before they are circulated."""
    return context.stored_or_none(MINUTES_APPROVAL, StoredMinutesApproval)


def open_correction(context: Context) -> StoredMinutes | None:
    """Returns the open correction of the minutes of the meeting that the path names; None without one."""
    return context.stored_or_none(MINUTES_CORRECTION, StoredMinutes)


def visible_minutes(context: Context) -> StoredMinutes:
    """Returns the minutes of the meeting that the path names; raises 404 if there are none that the caller sees."""
    context.find(visible_meeting)
    minutes = stored_minutes(context)
    if minutes is None or not minutes_rules.can_see(minutes, context.tier):
        raise not_found()
    return minutes


@loads(MEETING, MINUTES)
@prefetch(roster_of)
@finds(visible_minutes)
def get_minutes(context: Context, minutes: StoredMinutes, members: list[RosterEntry]) -> Minutes:
    """Returns the minutes of the meeting."""
    return shown(context, minutes, members)


def shown(context: Context, minutes: StoredMinutes, members: list[RosterEntry]) -> Minutes:
    """Returns minutes as the caller sees them, with what the resolutions that they name have decided by now."""
    people = people_named(context, minutes_rules.people_of(minutes.attendance))
    return _shown(context, minutes, members, people, reader_in(context, members))


def _shown(
    context: Context, minutes: StoredMinutes, members: list[RosterEntry], people: NamedPeople, reader: Reader
) -> Minutes:
    named = _resolutions(context, minutes_rules.named_resolutions(minutes.items))
    return minutes_rules.to_resource(minutes, [member.user_id for member in members], people, reader, named)


def _writable_minutes(context: Context) -> StoredMinutes | None:
    """Returns the minutes that the caller writes, None before the first; raises 403 for others."""
    minutes = stored_minutes(context)
    if not minutes_rules.may_write(context.find(visible_meeting), minutes, context.membership):
        raise not_running()
    return minutes


@loads(MEETING, MINUTES, MINUTES_APPROVAL, AGENDA, UNREGISTERED_USER_COUNT)
@prefetch(roster_of)
@finds(visible_meeting, _writable_minutes)
def put_minutes(
    context: Context,
    meeting: StoredMeeting,
    old: StoredMinutes | None,
    members: list[RosterEntry],
    body: MinutesBody,
) -> Outcome[Minutes]:
    """Sets the minutes of a meeting that has begun, until they are final, or approved where they were circulated."""
    approval = approval_of(context)
    approval_rules.check_changeable(meeting, approval)
    known = known_subjects(context, meeting, members, body)
    new = minutes_rules.changed(meeting, old, body, known, context.user_id, context.now)
    writes = [
        agendas.put_minutes(old, new),
        minutes_versions.check_approval_unchanged(meeting.board_id, meeting.id, approval),
        *writes_beside(context, meeting, old, body),
    ]
    return Outcome(_shown(context, new, members, known.people, known.writer), writes)


def known_subjects(
    context: Context, meeting: StoredMeeting, members: list[RosterEntry], body: MinutesBody
) -> minutes_rules.KnownSubjects:
    """Returns what the minutes of a meeting that are sent may name; it is for use cases that load `AGENDA`."""
    agenda = context.stored_or_none(AGENDA, StoredAgenda)
    return minutes_rules.KnownSubjects(
        members=[member.user_id for member in members],
        people=people_named(context, minutes_rules.people_of(body.attendance)),
        agenda_items={item.id: item.audience for item in (agenda.items if agenda else ())},
        action_items=_known_action_items(context, body),
        writer=reader_in(context, members),
        resolutions=_known_resolutions(context, meeting, body),
    )


def writes_beside(
    context: Context, meeting: StoredMeeting, old: StoredMinutes | None, body: MinutesBody
) -> list[Write]:
    """Returns the writes beside that of minutes which are sent: checks of what they name, and the event.

    It is for use cases that load `AGENDA` and `UNREGISTERED_USER_COUNT`.
    """
    before, after = minutes_rules.people_of(old.attendance if old else ()), minutes_rules.people_of(body.attendance)
    return [
        *_check_agenda_unchanged(context, body),
        *check_people_unchanged(context, before, after),
        *_writes(context, meeting, events.MINUTES_UPDATED),
    ]


def _check_agenda_unchanged(context: Context, body: MinutesBody) -> list[Write]:
    """Checks that the items of the agenda that the minutes name are still there: one may be postponed meanwhile."""
    agenda = context.stored_or_none(AGENDA, StoredAgenda)
    if agenda is None or not any(item.agenda_item_id for item in body.items):
        return []
    return [agendas.check_agenda_unchanged(agenda)]


def _known_resolutions(context: Context, meeting: StoredMeeting, body: MinutesBody) -> set[str]:
    """Returns the resolutions in the body that minutes of this meeting may name."""
    known = _resolutions(context, minutes_rules.named_resolutions(body.items))
    return {resolution.id for resolution in known.values() if minutes_rules.may_name(meeting, resolution)}


def _resolutions(context: Context, named: Collection[str]) -> Mapping[str, StoredResolution]:
    """Returns the resolutions of these ids that exist."""
    if not named:
        return {}
    from governance.store.resolutions import resolutions  # few minutes need it; a start of the meetings gains 44 ms

    return resolutions.get_many(context.board.id, named)


def _known_action_items(context: Context, body: MinutesBody) -> set[str]:
    """Returns the action items in the body that belong to meetings of this board that the caller sees."""
    from governance.store.action_items import action_items  # only minutes that are written need it; a start gains 28 ms

    named = dict.fromkeys(task for item in body.items for task in item.action_item_ids)
    items = action_items.get_by_ids(context.board.id, named) if named else []
    of_meetings = meetings.visible_by_ids(context.board.id, {item.meeting_id for item in items}, context.user_id)
    return {item.id for item in items if item.meeting_id in of_meetings}


def _deletable_minutes(context: Context) -> StoredMinutes:
    minutes = context.find(visible_minutes)
    context.find(_writable_minutes)
    return minutes


@loads(MEETING, MINUTES, MINUTES_APPROVAL)
@finds(visible_meeting, _deletable_minutes)
def delete_minutes(context: Context, meeting: StoredMeeting, minutes: StoredMinutes) -> Outcome[Deleted]:
    """Deletes the minutes of a meeting that is not finalized; they can be restored for a while.

    Raises 409 `IN_USE` for minutes that were circulated, or that say that others are approved.
    """
    minutes_rules.check_written(meeting)
    approval_rules.check_deletable(minutes)
    writes = [
        never_circulated(context, meeting),
        *agendas.delete_minutes(minutes, minutes_rules.deleted(minutes, context.now)),
        *_writes(context, meeting, events.MINUTES_DELETED),
    ]
    return Outcome(Deleted(), writes)


def _restorable_minutes(context: Context) -> StoredMinutes | None:
    """Returns the deleted minutes. None if there are minutes in their place: then this may repeat a restoration.

    Raises 404 if there is nothing to restore, 403 for a caller who may not write the minutes.
    """
    meeting, minutes = context.find(visible_meeting), context.stored_or_none(DELETED_MINUTES, StoredMinutes)
    if minutes is None or not minutes_rules.is_restorable(minutes, context.now):
        if stored_minutes(context) is None:
            raise not_found()
        return None
    if not minutes_rules.may_write(meeting, minutes, context.membership):
        raise not_running()
    return minutes


def _check_still_shown(context: Context, data: Mapping[str, Any]) -> None:
    """Raises 404 if the minutes were deleted again, or name what the caller does not see by now.

    So it does if they name a person whose data were removed.
    """
    check_none_hidden(context, context.find(visible_minutes).items, data["items"])
    check_still_known(context, [entry["unregisteredUserId"] for entry in data["attendance"]])


@repeated_if(_check_still_shown)
@loads(MEETING, MINUTES, DELETED_MINUTES, UNREGISTERED_USER_COUNT)
@prefetch(roster_of)
@finds(visible_meeting, _restorable_minutes)
def restore_minutes(
    context: Context, meeting: StoredMeeting, deleted: StoredMinutes | None, members: list[RosterEntry]
) -> Outcome[Minutes]:
    """Restores the minutes of a meeting that were deleted last; a repeat finds them restored, and is replayed."""
    if deleted is None:
        raise not_found()
    new = minutes_rules.restored(meeting, deleted, stored_minutes(context), context.now)
    named = minutes_rules.people_of(new.attendance)
    people = people_named(context, named)
    writes = [
        *agendas.restore_minutes(deleted, new),
        *check_people_unchanged(context, (), named),
        *_writes(context, meeting, events.MINUTES_RESTORED),
    ]
    return Outcome(_shown(context, new, members, people, reader_in(context, members)), writes)


def _writes(context: Context, meeting: StoredMeeting, kind: EventKind[events.OfMeeting]) -> list[Write]:
    return [
        meetings.check_open_state(meeting),
        *record_meeting_event(context, kind, meeting, events.OfMeeting(meeting_id=meeting.id)),
    ]
