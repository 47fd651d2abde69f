"""Guest links, and what a guest does with one (an extension of the API, ADR guests)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from governance.domain.events import meetings as events
from governance.domain.events.kind import EventKind
from governance.domain.meetings import guest_link as links
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.meetings import personal_link as personal_rules
from governance.domain.meetings import slot as slot_rules
from governance.errors import Reason, conflict, invalid_body, not_found
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Deleted
from governance.models.boards.board import RosterEntry
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.slot import (
    CloseLinkQuery,
    GuestLink,
    GuestMeeting,
    GuestSlot,
    GuestVote,
    GuestVoteBody,
    NoParameters,
    StoredGuestLink,
    StoredGuestView,
    StoredPersonalLink,
    StoredSlot,
    StoredVote,
)
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.settings import settings
from governance.store.account import users
from governance.store.boards import boards
from governance.store.dynamodb import run_async
from governance.store.meetings import guest_links, guest_votes, meetings, people, personal_links
from governance.store.meetings.slots import SlotsAndVotes
from governance.store.members import unregistered_users
from governance.store.schema.entities import (
    GUEST_LINK,
    GUEST_VIEW,
    MEETING,
    MEETING_PEOPLE,
    PERSONAL_LINK,
    SLOT,
    UNREGISTERED_USER,
)
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, prefetch, resolve_board, roster_of
from governance.usecases.event_writes import record_meeting_event
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.meetings.slots import guest_votes_of, requested_slot, slots_of


@loads(MEETING)
@finds(visible_meeting)
def open_guest_link(context: Context, meeting: StoredMeeting) -> Outcome[GuestLink]:
    """Creates the meeting's guest link, or replaces it; the replay of the request does not show the link."""
    if meeting.status == "draft":
        raise conflict(Reason.MEETING_IS_DRAFT)
    token = links.mint(meeting.board_id, meeting.id)
    link = links.new_link(token, context.principal.token, context.membership, context.now)
    writes = [
        meetings.check_open_state(meeting),
        guest_links.put(meeting, link),
        *_record_event(context, events.GUEST_LINK_OPENED, meeting),
    ]
    return Outcome(
        GuestLink(url=f"{settings().root_url}/guest/{token}", token=token, expires_at=link.expires_at),
        writes,
        replay=GuestLink(url=None, token=None, expires_at=link.expires_at),
    )


@loads(MEETING, GUEST_LINK)
@finds(visible_meeting)
def close_guest_link(context: Context, meeting: StoredMeeting, query: CloseLinkQuery) -> Outcome[Deleted]:
    """Deletes the meeting's guest link; raises 404 without one, unless guests' votes are to be discarded.

    Guests' votes are kept, or discarded on request: they stop counting at once and are deleted soon after. There may be
    votes from an earlier link, which was closed or has expired.
    """
    if context.item(GUEST_LINK) is None and query.votes is None:
        raise not_found()
    if query.votes == "discard":
        discarded = meeting_rules.without_guest_votes(meeting, context.now)
        change = meetings.replace(meeting, discarded, context.now)
    else:
        change = [meetings.check_open_state(meeting)]
    named = events.GuestLinkClosed(**_naming(meeting), discards=query.votes == "discard")
    event = record_meeting_event(context, events.GUEST_LINK_CLOSED, meeting, named)
    closed = guest_links.close(meeting, _link(context))
    return Outcome(Deleted(), [*change, closed, *event])


def linked_by_member(board_id: BoardId, user_id: UserId, join_id: str, now: Instant) -> list[StoredMeeting]:
    """Returns the meetings that guest links open until now which end with a membership, by title."""
    made = guest_links.made_by(board_id, user_id)
    ending = [id_ for id_, link, token in made if links.ends_with(join_id, link, token, now)]
    found = meetings.get_by_keys(MEETING.key_for(boardId=board_id, meetingId=id_) for id_ in ending)
    opened = (meeting for meeting in found.values() if meeting.status != "draft")
    return sorted(opened, key=lambda meeting: (meeting.title, meeting.id))


def _record_event(context: Context, kind: EventKind[events.MeetingNamed], meeting: StoredMeeting) -> list[Write]:
    return record_meeting_event(context, kind, meeting, events.MeetingNamed(**_naming(meeting)))


def _naming(meeting: StoredMeeting) -> dict[str, Any]:
    return {"meeting_id": meeting.id, "id": meeting.id, "title": meeting.title}


def find_meeting(params: Mapping[str, str]) -> Mapping[str, str] | None:
    """Finds what a guest link names: board, meeting, and a personal one its person; None if it is not a link."""
    token, personal = links.parse(params["token"]), personal_rules.parse(params["token"])
    if personal is not None:
        named = {"boardId": personal.board_id, "meetingId": personal.subject_id}
        return {**named, "unregisteredUserId": personal.person_id}
    return None if token is None else {"boardId": token.board_id, "meetingId": token.meeting_id}


def _link(context: Context) -> StoredGuestLink | None:
    return context.stored_or_none(GUEST_LINK, StoredGuestLink)


class LinkedMeeting(NamedTuple):
    """A meeting, and the guest link that opens it: the meeting's own, or that of a person without an account.

    `chosen` is who of them is invited, for a personal link.
    """

    meeting: StoredMeeting
    link: StoredGuestLink | StoredPersonalLink
    person: StoredUnregisteredUser | None = None
    chosen: StoredMeetingPeople | None = None

    def check_open(self) -> list[Write]:
        """Returns checks that the link has not ended since it was read."""
        if self.person is None or isinstance(self.link, StoredGuestLink):
            return [guest_links.check_open(self.meeting, self.link.digest)]
        return [
            unregistered_users.check_as_read(self.person),
            personal_links.check_open(self.person, self.meeting.id, self.link),
            people.check_unchanged(self.meeting, self.chosen),
        ]


def linked_meeting(context: Context) -> LinkedMeeting:
    """Returns the meeting that the link opens; raises 404 if it opens none."""
    if "unregisteredUserId" in context.params:
        return _personally_linked(context)
    item, link = context.item(MEETING), _link(context)
    meeting = StoredMeeting.model_validate(item) if item else None
    if not links.opens_meeting(context.params["token"], link, meeting, context.now) or meeting is None or link is None:
        raise not_found()
    if links.has_lost_maker(link, *guest_links.maker_of(meeting, link)):
        raise not_found()
    return LinkedMeeting(meeting, link)


def _personally_linked(context: Context) -> LinkedMeeting:
    """Returns the meeting that a personal link opens.

    Raises 404 for none, for a person who is not invited, and while a member has the address.
    """
    meeting = context.stored_or_none(MEETING, StoredMeeting)
    person = context.stored_or_none(UNREGISTERED_USER, StoredUnregisteredUser)
    link = context.stored_or_none(PERSONAL_LINK, StoredPersonalLink)
    chosen = people.from_item(context.item(MEETING_PEOPLE))
    opens = personal_rules.opens_meeting(context.params["token"], link, person, meeting, chosen, context.now)
    if not opens or meeting is None or link is None or person is None or person.email is None:
        raise not_found()
    if boards.has_any_member(meeting.board_id, users.user_ids_by_email(person.email)):
        raise not_found()
    return LinkedMeeting(meeting, link, person, chosen)


@loads(MEETING, GUEST_LINK, PERSONAL_LINK, UNREGISTERED_USER, MEETING_PEOPLE, GUEST_VIEW)
@resolve_board(find_meeting, linked_meeting)
@prefetch(roster_of, slots_of, guest_votes_of)
@finds(linked_meeting)
def get_guest_meeting(
    context: Context,
    linked: LinkedMeeting,
    members: list[RosterEntry],
    proposed: SlotsAndVotes,
    by_guests: list[StoredVote],
    _query: NoParameters,
) -> Outcome[GuestMeeting]:
    """Returns the meeting's slots with the counts of their votes, and records once an hour that guests viewed them."""
    meeting = linked.meeting
    votes = slot_rules.counted([*proposed.votes, *by_guests], meeting)
    visible = tuple(_guest_slot(slot, members, votes) for slot in proposed.slots)
    shown = {"board_name": context.board.name, "personal": linked.person is not None, "slots": visible}
    shown["cancelled_at"] = meeting.cancellation.cancelled_at if meeting.cancellation else None
    response = GuestMeeting.model_validate({**vars(meeting), **shown})
    return Outcome(response, _record_view(context, linked), only_records=True)


def _record_view(context: Context, linked: LinkedMeeting) -> list[Write]:
    """Returns the writes that record a view; none within an hour of the last one.

    They depend on the link alone, and not on items that members' writes need, because anybody may cause them.
    """
    last = context.stored_or_none(GUEST_VIEW, StoredGuestView)
    digest = linked.link.digest if linked.person is None else None
    if not links.is_view_due(digest, last, context.now):
        return []
    view = guest_links.record_view(linked.meeting, digest, context.now, links.view_window_start(context.now))
    event = _record_event(context, events.GUEST_SLOTS_VIEWED, linked.meeting)
    return [*linked.check_open(), view, *event]


def _guest_slot(slot: StoredSlot, members: list[RosterEntry], votes: list[StoredVote]) -> GuestSlot:
    counts = slot_rules.tally(slot_rules.feedbacks(slot, members, votes))
    return GuestSlot.model_validate({**slot.model_dump(by_alias=False), **counts})


@loads(MEETING, GUEST_LINK, PERSONAL_LINK, UNREGISTERED_USER, MEETING_PEOPLE, SLOT)
@resolve_board(find_meeting, linked_meeting)
@finds(linked_meeting, requested_slot)
def vote_on_slot_as_guest(
    context: Context, linked: LinkedMeeting, slot: StoredSlot, body: GuestVoteBody
) -> Outcome[GuestVote]:
    """Casts the vote of an e-mail address on a slot, or replaces it; raises 400 for a member's address.

    A personal link votes for its person, whose address nobody else may give, nor replace their vote later by it. The
    same vote again changes nothing. A change is recorded as an event once an hour.
    """
    meeting = linked.meeting
    email = _voting_address(linked.person, body)
    user_ids = run_async(lambda: users.user_ids_by_email(email))
    is_of_person = run_async(lambda: linked.person is None and unregistered_users.has_active(slot.board_id, email))
    stored = guest_votes.find(slot, email)
    earlier = None if stored is None or slot_rules.is_discarded(stored, meeting.guest_votes_discarded_at) else stored
    _check_no_member(meeting.board_id, user_ids.result())
    if is_of_person.result() or (linked.person is None and stored is not None and stored.is_personal):
        raise invalid_body({"email": "must not be the address of a person who votes by the link in their e-mails"})
    slot_rules.check_vote(meeting, slot, context.now)
    response = GuestVote(slot_id=slot.id, vote=body.vote, comment=body.comment)
    person_id = linked.person.id if linked.person else None
    same = (body.vote, body.comment, person_id)
    if earlier is not None and (earlier.vote, earlier.comment, earlier.unregistered_user_id) == same:
        return Outcome(response, [])
    is_due = links.is_vote_due(earlier, context.now)
    vote = StoredVote(
        slot_id=slot.id,
        email=email,
        is_personal=person_id is not None,
        unregistered_user_id=person_id,
        vote=body.vote,
        comment=body.comment,
        arrived_at=earlier.arrived_at if earlier else context.now,  # a changed vote keeps its place in the order
        recorded_at=context.now if earlier is None or is_due else earlier.recorded_at,
    )
    writes: list[Write] = [
        meetings.check_open_state(meeting),
        *linked.check_open(),
        *(guest_votes.replace(slot, stored, vote.in_place_of(stored)) if stored else guest_votes.add(slot, vote)),
        *(_record_vote(context, meeting, vote) if is_due else []),
    ]
    return Outcome(response, writes)


def _voting_address(person: StoredUnregisteredUser | None, body: GuestVoteBody) -> str:
    """Returns the address that a vote counts for; raises 400 without one, and for one beside a personal link."""
    if person is not None and person.email is not None:
        if body.email is not None:
            raise invalid_body({"email": "must not be given: the link is personal"})
        return person.email
    if body.email is None:
        raise invalid_body({"email": "must be given"})
    return body.email


def _record_vote(context: Context, meeting: StoredMeeting, vote: StoredVote) -> list[Write]:
    voted = events.GuestVoted(meeting_id=meeting.id, slot_id=vote.slot_id, id=meeting.id, title=meeting.title)
    return record_meeting_event(context, events.GUEST_VOTE_CAST, meeting, voted)


def _check_no_member(board_id: BoardId, user_ids: list[UserId]) -> None:
    if boards.has_any_member(board_id, user_ids):
        raise invalid_body({"email": "must not be the address of a member of the board"})
