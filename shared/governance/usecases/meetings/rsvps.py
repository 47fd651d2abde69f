"""Attendance: members answer a meeting, and see each other's answers (an extension of the API, ADR meetings).

Every write checks that the meeting is as open as it was and that the member has not left since they were read.
"""

from __future__ import annotations

from governance.domain.events import meetings as events
from governance.domain.events.members import UNREGISTERED_RSVP_CHANGED, PersonAnswered
from governance.domain.meetings import rsvp as rsvp_rules
from governance.models.base import Deleted
from governance.models.boards.board import Membership
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.rsvp import (
    Rsvp,
    RsvpBody,
    RsvpsQuery,
    StoredRsvp,
    StoredUnregisteredRsvp,
    UnregisteredRsvp,
)
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.page import Page
from governance.store.boards import boards
from governance.store.meetings import meetings, rsvps, slots
from governance.store.meetings import people as meeting_people
from governance.store.members import unregistered_users
from governance.store.paging import page_of
from governance.store.schema.entities import MEETING, MEETING_PEOPLE, RSVP
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, prefetch
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting


def _own_rsvp_key(info: RequestInfo) -> list[Key | None]:
    return [RSVP.key_or_none(**info.params, userId=info.user_id or "")]


def _own_rsvp(context: Context) -> StoredRsvp | None:
    return context.stored_or_none(RSVP, StoredRsvp, userId=context.own_membership.user_id)


def _members_page(info: RequestInfo) -> Page[Membership]:
    return Page(*boards.members_page(info.board_id, info.window(info.query_as(RsvpsQuery))))


def rsvps_of(info: RequestInfo) -> list[StoredRsvp]:
    """Reads the members' answers to the meeting that the path names."""
    return rsvps.list_of_meeting(info.board_id, info.params["meetingId"])


def _people_of(info: RequestInfo) -> list[StoredUnregisteredUser]:
    return [*unregistered_users.all_of_board(info.board_id, "active")]


def _unregistered_rsvps_of(info: RequestInfo) -> list[StoredUnregisteredRsvp]:
    return rsvps.people_of_meeting(info.board_id, info.params["meetingId"])


@loads(MEETING, _own_rsvp_key)
@finds(visible_meeting)
def put_my_rsvp(context: Context, meeting: StoredMeeting, body: RsvpBody) -> Outcome[Rsvp]:
    """Gives the caller's answer to the meeting, or replaces it."""
    old = _own_rsvp(context)
    new = rsvp_rules.answered(meeting, context.own_membership, old, body.status, body.comment, context.now)
    return Outcome(rsvp_rules.to_resource(new), answer_writes(context, meeting, old, new))


@loads(MEETING, _own_rsvp_key)
@finds(visible_meeting)
def delete_my_rsvp(context: Context, meeting: StoredMeeting) -> Outcome[Deleted]:
    """Withdraws the caller's answer; without one, nothing changes."""
    old = _own_rsvp(context)
    new = rsvp_rules.answered(meeting, context.own_membership, old, "noAnswer", None, context.now)
    return Outcome(Deleted(), answer_writes(context, meeting, old, new))


def answer_writes(context: Context, meeting: StoredMeeting, old: StoredRsvp | None, new: StoredRsvp) -> list[Write]:
    """Returns the writes of an answer of the calling member; the same status again is not an event.

    What is taken back must have been given.
    """
    member = context.own_membership
    before = rsvp_rules.status_of(meeting, member, old, slots.votes_on_booked(meeting))
    if before == "noAnswer" and new.status == "noAnswer":
        return []
    changed = events.RsvpChanged(
        meeting_id=meeting.id, before=before, after=new.status, title=meeting.title, creator_id=meeting.creator_id
    )
    return [
        meetings.check_open_state(meeting),
        boards.check_still_member(member),
        rsvps.put(old, new),
        *(record_meeting_event(context, events.RSVP_CHANGED, meeting, changed) if before != new.status else ()),
    ]


def answer_writes_of_person(
    context: Context,
    meeting: StoredMeeting,
    person: StoredUnregisteredUser,
    old: StoredUnregisteredRsvp | None,
    new: StoredUnregisteredRsvp,
) -> list[Write]:
    """Returns the writes of an answer of a person without an account; the same status again is not an event."""
    before = old.status if old else "noAnswer"
    answered = PersonAnswered(
        meeting_id=meeting.id,
        unregistered_user_id=person.id,
        before=before,
        after=new.status,
        title=meeting.title,
        creator_id=meeting.creator_id,
    )
    event = record_meeting_event(context, UNREGISTERED_RSVP_CHANGED, meeting, answered)
    return [
        meetings.check_open_state(meeting),
        unregistered_users.check_as_read(person),
        rsvps.put(old, new),
        *(event if before != new.status else ()),
    ]


@loads(MEETING)
@prefetch(_members_page, rsvps_of)
@finds(visible_meeting)
def list_rsvps(
    _context: Context, meeting: StoredMeeting, page: Page[Membership], given: list[StoredRsvp], _query: RsvpsQuery
) -> Page[Rsvp]:
    """Returns a page of the answers of the current members, by when they joined."""
    answers = rsvp_rules.with_votes(meeting, given, slots.votes_on_booked(meeting))
    return Page(rsvp_rules.of_members(meeting.id, page.data, answers), page.next_position)


@loads(MEETING, MEETING_PEOPLE)
@prefetch(_people_of, _unregistered_rsvps_of)
@finds(visible_meeting)
def list_unregistered_rsvps(
    context: Context,
    meeting: StoredMeeting,
    people: list[StoredUnregisteredUser],
    given: list[StoredUnregisteredRsvp],
    query: RsvpsQuery,
) -> Page[UnregisteredRsvp]:
    """Returns a page of the answers of the active people who were invited or have answered, by when they were added."""
    del meeting
    chosen = meeting_people.from_item(context.item(MEETING_PEOPLE))
    answers = rsvp_rules.of_invited(given, chosen)
    invited = [person for person in people if person.id in answers]
    listed, last = page_of(invited, unregistered_users.list_position, context.window(query))
    return Page(rsvp_rules.of_people(listed, answers), last)
