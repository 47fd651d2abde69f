"""Slots: propose, list, vote, remove, confirm (the API specification, sections 3.2, 4.4 and 4.5).

Every write checks that the meeting is as open as when it was read. So nothing is proposed, voted, booked or removed on
a meeting that was closed, hidden or deleted at the same time.
"""

from __future__ import annotations

from governance.domain.events import meetings as events
from governance.domain.meetings import slot as slot_rules
from governance.domain.members.unregistered_user import sees_address
from governance.domain.notifications.due import vote_request
from governance.errors import not_found
from governance.models.base import Deleted
from governance.models.boards.board import RosterEntry
from governance.models.history.event import FieldChange
from governance.models.meetings.meeting import Meeting, StoredMeeting
from governance.models.meetings.slot import ProposedSlot, SlotCreate, StoredSlot, StoredVote, VoteBody
from governance.models.page import Page
from governance.store import due
from governance.store.account import users
from governance.store.boards import boards
from governance.store.meetings import guest_votes, meetings, slots
from governance.store.meetings.slots import SlotsAndVotes
from governance.store.members import unregistered_users
from governance.store.schema.entities import MEETING, SLOT, SLOT_GUEST_VOTE_COUNT
from governance.store.schema.keys import Key
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch, roster_of
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import record_update, visible_meeting
from governance.usecases.meetings.meetings import to_resource as meeting_resource


def slots_of(info: RequestInfo) -> SlotsAndVotes:
    """Reads the slots and votes of the meeting that the path names."""
    return slots.list_of_meeting(info.board_id, info.params["meetingId"])


def guest_votes_of(info: RequestInfo) -> list[StoredVote]:
    """Reads the guests' votes on the meeting that the path names."""
    return guest_votes.list_of_meeting(info.board_id, info.params["meetingId"])


def _votes_of(info: RequestInfo) -> list[StoredVote]:
    return slots.votes_on(info.board_id, info.params["meetingId"], info.params["slotId"])


def _slot_guards(info: RequestInfo) -> list[Key]:
    return slots.guard_keys(info.params["slotId"])


def requested_slot(context: Context) -> StoredSlot:
    """Returns the slot that the path names; raises 404 if it was removed, even if another now has its start."""
    item = context.item(SLOT)
    if item is None or item["id"] != context.params["slotId"]:
        raise not_found()
    return StoredSlot.model_validate(item)


@loads(MEETING)
@prefetch(roster_of, slots_of, guest_votes_of)
@finds(visible_meeting)
def list_slots(
    context: Context,
    meeting: StoredMeeting,
    members: list[RosterEntry],
    proposed: SlotsAndVotes,
    by_guests: list[StoredVote],
) -> Page[ProposedSlot]:
    """Returns all slots of the meeting, by start."""
    votes, hidden = slot_rules.counted([*proposed.votes, *by_guests], meeting), hidden_addresses(context, by_guests)
    return Page([slot_rules.to_resource(slot, members, votes, hidden) for slot in proposed.slots])


def hidden_addresses(context: Context, by_guests: list[StoredVote]) -> set[str]:
    """Returns the addresses of guests that the caller may not see: those of people without an account."""
    if not by_guests or sees_address(context.tier, context.principal):
        return set()
    of_people = {person.email for person in unregistered_users.all_of_board(context.board.id) if person.email}
    return of_people | {vote.email for vote in by_guests if vote.is_personal and vote.email}


@creates(SLOT, "slotId", requested_slot)
@loads(MEETING)
@prefetch(roster_of)
@finds(visible_meeting)
def create_slot(
    context: Context, meeting: StoredMeeting, members: list[RosterEntry], body: SlotCreate
) -> Outcome[ProposedSlot]:
    """Proposes a slot and votes "ok" for its creator; a board token proposes without voting."""
    slot_rules.check_proposal(meeting)
    slot = StoredSlot(
        id=slot_rules.new_id(body.start_time),
        board_id=meeting.board_id,
        meeting_id=meeting.id,
        created_by_user_id=context.user_id,
        start_time=body.start_time,
        timezone=body.timezone,
        duration_in_minutes=body.duration_in_minutes,
        created_at=context.now,
        updated_at=context.now,
    )
    votes = [] if context.user_id is None else [_vote(context, slot, VoteBody(vote="ok"))]
    time = FieldChange(field="startTime", before=None, after=slot.start_time)
    proposed = events.SlotNamed(meeting_id=meeting.id, slot_id=slot.id, id=slot.id, title=meeting.title, changes=[time])
    writes = [
        meetings.check_open_state(meeting),
        *slots.create(slot),
        *(slots.put_vote(slot, vote) for vote in votes),
        *record_meeting_event(context, events.SLOT_PROPOSED, meeting, proposed),
        *([] if meeting.status == "draft" else [due.put_reminder(vote_request(meeting, context.now))]),
    ]
    return Outcome(slot_rules.to_resource(slot, members, votes), writes)


def _vote(context: Context, slot: StoredSlot, body: VoteBody) -> StoredVote:
    member = context.own_membership
    return StoredVote(
        slot_id=slot.id,
        user_id=member.user_id,
        join_id=member.join_id,
        vote=body.vote,
        comment=body.comment,
        arrived_at=context.now,
    )


@loads(MEETING, SLOT, SLOT_GUEST_VOTE_COUNT)
@prefetch(roster_of, _votes_of)
@finds(visible_meeting, requested_slot)
def vote_on_slot(
    context: Context,
    meeting: StoredMeeting,
    slot: StoredSlot,
    members: list[RosterEntry],
    by_members: list[StoredVote],
    body: VoteBody,
) -> Outcome[ProposedSlot]:
    """Casts the caller's vote; replaces an earlier one, also one that they cast as a guest before joining the board."""
    slot_rules.check_vote(meeting, slot, context.now)
    vote = _vote(context, slot, body)
    by_guests = _guest_votes_on(context, slot)
    as_guest = _votes_as_guest(context, by_guests)
    others = [other for other in by_members if other.user_id != vote.user_id]
    guests = [guest for guest in slot_rules.counted(by_guests, meeting) if guest not in as_guest]
    writes = [
        meetings.check_open_state(meeting),
        boards.check_still_member(context.own_membership),
        slots.check_votable(slot, context.now),
        slots.put_vote(slot, vote),
        *(write for guest in as_guest for write in guest_votes.withdraw(slot, guest)),
    ]
    hidden = hidden_addresses(context, guests)
    return Outcome(slot_rules.to_resource(slot, members, [*others, vote, *guests], hidden), writes)


def _guest_votes_on(context: Context, slot: StoredSlot) -> list[StoredVote]:
    """Returns the guests' votes on the slot; most slots have no count of them, and then they are not read."""
    counted = context.item(SLOT_GUEST_VOTE_COUNT) is not None
    return guest_votes.list_of_slot(slot.board_id, slot.meeting_id, slot.id) if counted else []


def _votes_as_guest(context: Context, by_guests: list[StoredVote]) -> list[StoredVote]:
    """Returns the votes under the caller's own address, one at most; without guests' votes the address is not read."""
    user = users.find(context.own_membership.user_id) if by_guests else None
    return [vote for vote in by_guests if user is not None and vote.email == user.email]


@loads(MEETING, SLOT, _slot_guards, SLOT_GUEST_VOTE_COUNT)
@prefetch(roster_of)
@finds(visible_meeting, requested_slot)
def delete_slot(
    context: Context, meeting: StoredMeeting, slot: StoredSlot, members: list[RosterEntry]
) -> Outcome[Deleted]:
    """Deletes the slot with its votes; raises 409 for the slot that the meeting is booked for."""
    by_members = slots.votes_on(slot.board_id, slot.meeting_id, slot.id)  # after the guards, which a later vote marks
    by_guests = slot_rules.counted(_guest_votes_on(context, slot), meeting)
    others = slot_rules.votes_of_others(slot, members, [*by_members, *by_guests])
    slot_rules.check_removal(meeting, slot, others, context.membership)
    removed = events.SlotRemoved(
        meeting_id=meeting.id,
        slot_id=slot.id,
        id=slot.id,
        title=meeting.title,
        changes=[FieldChange(field="startTime", before=slot.start_time, after=None)],
        start_time=slot.start_time,
        timezone=slot.timezone,
        voter_ids=slot_rules.voters(members, by_members),
        person_ids=slot_rules.people_who_voted(by_guests),
    )
    writes = [
        meetings.check_open_state(meeting),
        *slots.delete(slot, context.loaded, context.now),
        *guest_votes.stop_counting(slot, context.item(SLOT_GUEST_VOTE_COUNT)),
        *record_meeting_event(context, events.SLOT_REMOVED, meeting, removed),
    ]
    return Outcome(Deleted(), writes)


@loads(MEETING, SLOT)
@finds(visible_meeting, requested_slot)
def confirm_slot(context: Context, old: StoredMeeting, slot: StoredSlot) -> Outcome[Meeting]:
    """Books the meeting for the slot's time, if the slot still exists when the booking is written.

    Its event notifies every member of the time in the app (`news`, domain/meetings/meeting.py), and by
    mail those who want calendar invitations (deliveries/calendars/).
    """
    new = slot_rules.booked(old, slot, context.now)
    if new is old:
        return Outcome(meeting_resource(old), [])
    writes = [
        *meetings.replace(old, new, context.now),
        slots.check_exists(slot),
        *record_update(context, old, new, slot.id),
    ]
    return Outcome(meeting_resource(new), writes)
