"""Who of the people without an account is invited to a meeting: read, choose (an extension of the API, ADR people)."""

from __future__ import annotations

from governance.domain.events import meetings as events
from governance.domain.meetings import people as people_rules
from governance.ids import BoardId, PersonId
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import MeetingPeople, MeetingPeopleBody, StoredMeetingPeople
from governance.store.meetings import meetings, people
from governance.store.members import unregistered_users
from governance.store.schema.entities import MEETING, MEETING_PEOPLE, UNREGISTERED_USER_COUNT
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, prefetch
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.members.named_people import check_people_unchanged


def _chosen(context: Context) -> StoredMeetingPeople | None:
    return people.from_item(context.item(MEETING_PEOPLE))


def _active_on(board_id: BoardId) -> list[PersonId]:
    return [person.id for person in unregistered_users.all_of_board(board_id, "active")]


def _active(info: RequestInfo) -> list[PersonId]:
    return _active_on(info.board_id)


@loads(MEETING, MEETING_PEOPLE)
@prefetch(_active)
@finds(visible_meeting)
def get_meeting_people(context: Context, meeting: StoredMeeting, active: list[PersonId]) -> MeetingPeople:
    """Returns who is invited to the meeting; by default, all active people of the board."""
    return people_rules.to_resource(meeting, _chosen(context), active)


@loads(MEETING, MEETING_PEOPLE, UNREGISTERED_USER_COUNT)
@finds(visible_meeting)
def put_meeting_people(context: Context, meeting: StoredMeeting, body: MeetingPeopleBody) -> Outcome[MeetingPeople]:
    """Chooses who is invited to the meeting; the same choice again changes nothing."""
    old = _chosen(context)
    active = _active_on(context.board.id)  # after the counter that notes who stops being active
    new = people_rules.changed(meeting, old, body, active, context.now)
    if new is None:
        return Outcome(people_rules.to_resource(meeting, old, active), [])
    before, after = people_rules.invited(old, active), people_rules.invited(new, active)
    updated = events.MeetingUpdated(
        meeting_id=meeting.id,
        fields=["people"],
        title=meeting.title,
        invited=tuple(person_id for person_id in after if person_id not in before),
    )
    writes = [
        meetings.check_open_state(meeting),
        people.put(old, new),
        *check_people_unchanged(context, (), new.unregistered_user_ids or ()),
        *record_meeting_event(context, events.MEETING_UPDATED, meeting, updated),
    ]
    return Outcome(people_rules.to_resource(meeting, new, active), writes)
