"""What names a person without an account, kind by kind, and how it becomes a member's when they merge (ADR merging).

A test derives the list from the stored models: whatever has a field or a key with a person's id is here. A row that
names the person by their address, a guest's vote, is here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from governance.domain.meetings import people as people_rules
from governance.domain.meetings import slot as slot_rules
from governance.domain.members import merging as merging_rules
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant, now
from governance.models.account.user import StoredUser
from governance.models.action_items.action_item import OPEN, StoredActionItem
from governance.models.calendars.calendar import StoredCalendarInvitation
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.people import StoredMeetingPeople
from governance.models.meetings.rsvp import StoredRsvp, StoredUnregisteredRsvp
from governance.models.meetings.slot import StoredSlot, StoredVote
from governance.models.members.unregistered_user import StoredMerge, StoredUnregisteredUser
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.models.planning.agenda_template import StoredAgendaTemplate
from governance.models.planning.backlog_item import StoredBacklogItem
from governance.store.account import users
from governance.store.action_items import action_item_counts, action_items
from governance.store.boards import boards
from governance.store.calendars import calendar_invitations
from governance.store.meetings import agendas, guest_votes, meetings, minutes_corrections, people, rsvps, slots
from governance.store.members import unregistered_users
from governance.store.notifications import notifications
from governance.store.paper_requests import paper_requests
from governance.store.planning import agenda_templates, backlog
from governance.store.schema.entities import (
    ACTION_ITEM,
    AGENDA,
    AGENDA_TEMPLATE,
    BACKLOG_ITEM,
    GUEST_VOTE,
    GUEST_VOTES_OF_SLOT,
    MEETING,
    MEETING_PEOPLE,
    MEMBER_VOTE,
    NOTIFICATION,
    PAPER_REQUEST,
    PERSONAL_LINK,
    RSVP,
    SLOT,
    UNREGISTERED_RSVP,
    USER,
    delivered_partition,
)
from governance.store.schema.keys import Entity, Key
from governance.store.schema.lookups import reply_address_key
from governance.store.schema.minutes import DELETED_MINUTES, MINUTES, MINUTES_CORRECTION
from governance.store.table import read
from governance.store.writes import Delete, Write, if_unchanged

_Row = Mapping[str, Any]


@dataclass(frozen=True)
class Owner:
    """A person whose belongings move, and the merge that moves them."""

    person: StoredUnregisteredUser
    merge: StoredMerge
    at: Instant

    @classmethod
    def of(cls, person: StoredUnregisteredUser) -> Owner:
        """Returns the owner of a person whose merge has begun."""
        if person.merge is None:
            raise ValueError("no merge has begun")
        return cls(person, person.merge, now())

    @property
    def board_id(self) -> BoardId:
        """The board of the person."""
        return self.person.board_id

    @cached_property
    def roster(self) -> list[UserId]:
        """The current members of the board."""
        return [member.user_id for member in boards.roster(self.board_id)]


@dataclass(frozen=True)
class Move:
    """The writes that move a row, and how many things of its kind they move: none where the row is only dropped.

    `both_attended` is the meeting whose minutes name the person and the member; `opened` is how many open action items
    the member gets.
    """

    writes: Sequence[Write] = ()
    number: int = 0
    both_attended: str | None = None
    opened: int = 0


@dataclass(frozen=True)
class Belonging:
    """A kind of rows: where they may be found, and how one moves. One counts as `counted`, or not at all.

    A kind that is in many partitions is wide: its search reads them in parallel.
    """

    counted: str | None
    rows: Entity
    find: Callable[[Owner], Iterable[Key]]
    move: Callable[[Owner, Key, _Row], Move]
    is_wide: bool = False


def _of_meetings(entity: Entity, owner: Owner) -> Iterator[Key]:
    for row in meetings.rows_of_board(owner.board_id):
        if "id" in row:
            yield entity.key_for(boardId=owner.board_id, meetingId=row["id"])


def _agendas(owner: Owner) -> Iterator[Key]:
    return _of_meetings(AGENDA, owner)


def _move_agenda(owner: Owner, _key: Key, row: _Row) -> Move:
    agenda = StoredAgenda.model_validate(row)
    new, number = merging_rules.agenda_of_member(agenda, owner.person.id, owner.merge.user_id, owner.at)
    return Move([agendas.put_agenda(agenda, new)], number) if number else Move()


def _templates(owner: Owner) -> Iterator[Key]:
    return agenda_templates.keys_of_board(owner.board_id)


def _move_template(owner: Owner, _key: Key, row: _Row) -> Move:
    template = StoredAgendaTemplate.model_validate(row)
    items, number = merging_rules.items_of_member(template.items, owner.person.id, owner.merge.user_id)
    changes = {"items": items, "updated_at": owner.at, "version": template.version + 1}
    return Move([agenda_templates.replace(template, template.model_copy(update=changes))]) if number else Move()


def _waiting(owner: Owner) -> Iterator[Key]:
    return backlog.keys_of_board(owner.board_id)


def _move_waiting(owner: Owner, _key: Key, row: _Row) -> Move:
    old = StoredBacklogItem.model_validate(row)
    (new,), number = merging_rules.items_of_member([old], owner.person.id, owner.merge.user_id)
    changes = {"updated_at": owner.at, "version": old.version + 1}
    return Move([backlog.replace(old, new.model_copy(update=changes))]) if number else Move()


def _minutes(owner: Owner) -> Iterator[Key]:
    return _of_meetings(MINUTES, owner)


def _move_minutes(owner: Owner, _key: Key, row: _Row) -> Move:
    minutes, person_id, user_id = StoredMinutes.model_validate(row), owner.person.id, owner.merge.user_id
    if all(entry.unregistered_user_id != person_id for entry in minutes.attendance):
        return Move()
    new, number = merging_rules.minutes_of_member(minutes, person_id, user_id, owner.at)
    both = minutes.meeting_id if merging_rules.both_attend(minutes, person_id, user_id) else None
    return Move([agendas.put_minutes(minutes, new)], number, both_attended=both)


def _deleted_minutes(owner: Owner) -> Iterator[Key]:
    return _of_meetings(DELETED_MINUTES, owner)


def _move_deleted_minutes(owner: Owner, _key: Key, row: _Row) -> Move:
    minutes, person_id = StoredMinutes.model_validate(row), owner.person.id
    if all(entry.unregistered_user_id != person_id for entry in minutes.attendance):
        return Move()
    new, _ = merging_rules.minutes_of_member(minutes, person_id, owner.merge.user_id, owner.at)
    return Move([agendas.put_deleted_minutes(new)])


def _corrections(owner: Owner) -> Iterator[Key]:
    return _of_meetings(MINUTES_CORRECTION, owner)


def _move_correction(owner: Owner, _key: Key, row: _Row) -> Move:
    correction, person_id = StoredMinutes.model_validate(row), owner.person.id
    if all(entry.unregistered_user_id != person_id for entry in correction.attendance):
        return Move()
    new, _ = merging_rules.minutes_of_member(correction, person_id, owner.merge.user_id, owner.at)
    return Move([minutes_corrections.put(correction, new)])


def _invitations(owner: Owner) -> Iterator[Key]:
    return _of_meetings(MEETING_PEOPLE, owner)


def _move_invitation(owner: Owner, _key: Key, row: _Row) -> Move:
    """Drops the person from those who are invited to a meeting: members are invited to every one."""
    chosen, person_id = StoredMeetingPeople.model_validate(row), owner.person.id
    if person_id not in (chosen.unregistered_user_ids or ()):
        return Move()
    return Move([people.put(chosen, people_rules.without(chosen, person_id, owner.at))])


def _action_items(owner: Owner) -> Iterator[Key]:
    for item in action_items.list_of_board(owner.board_id):
        if item.unregistered_assignee and item.unregistered_assignee.unregistered_user_id == owner.person.id:
            yield action_items.item_key(item.board_id, item.id)


def _move_action_item(owner: Owner, _key: Key, row: _Row) -> Move:
    item = StoredActionItem.model_validate(row)
    assigned = item.unregistered_assignee
    if assigned is None or assigned.unregistered_user_id != owner.person.id:
        return Move()
    new = merging_rules.item_of_member(item, owner.merge.user_id, owner.at)
    counted = action_item_counts.taken_over(item, new)
    return Move([*action_items.replace(item, new, owner.at), *counted], 1, opened=int(item.status == OPEN))


def _guest_votes(owner: Owner) -> Iterator[Key]:
    """Yields the person's votes; none that is under an address alone if another active person has that now."""
    person = owner.person
    yield from guest_votes.keys_of_person(person.board_id, person.id, unregistered_users.own_address(person))


def _move_guest_vote(owner: Owner, key: Key, row: _Row) -> Move:
    """Moves a vote that counts; where the member has voted on the slot, or the person once more, it is dropped.

    One by the plain link under their address stays a guest's: nobody showed that the address is theirs.
    """
    vote, merge = StoredVote.model_validate(row), owner.merge
    if not vote.is_personal:
        return Move()
    ids = GUEST_VOTE.ids_of(key)
    slot_key, meeting_key = SLOT.key_for(**ids), MEETING.key_for(**ids)
    own_key, user_key = MEMBER_VOTE.key_for(**ids, userId=merge.user_id), USER.key_for(userId=merge.user_id)
    items = read([slot_key, meeting_key, own_key, user_key])
    is_theirs = vote.unregistered_user_id is not None
    if slot_key not in items or items[slot_key]["id"] != vote.slot_id or meeting_key not in items:
        return Move([Delete(key)]) if is_theirs else Move()
    slot, meeting = StoredSlot.model_validate(items[slot_key]), StoredMeeting.model_validate(items[meeting_key])
    if slot_rules.is_discarded(vote, meeting.guest_votes_discarded_at):
        return Move()
    removed, *counts = guest_votes.delete(key)
    writes = [if_unchanged(removed, dict(row)), *counts]
    old = StoredVote.model_validate(items[own_key]) if own_key in items else None
    user = StoredUser.model_validate(items[user_key]) if user_key in items else None
    new = merging_rules.vote_of_member(vote, old, merge, user)
    if new is None or (is_theirs and _has_voted_since(slot, vote)):
        return Move(writes)
    adopted = if_unchanged(slots.put_vote(slot, new), items.get(own_key))
    checks = [slots.check_exists(slot), *([users.check_unchanged(user)] if user else [])]
    return Move([*writes, adopted, *checks], 1)


def _has_voted_since(slot: StoredSlot, vote: StoredVote) -> bool:
    """Returns whether the person of a vote has a later one on the slot, under another address."""
    return any(
        (other.arrived_at, other.email or "") > (vote.arrived_at, vote.email or "")
        for other in guest_votes.list_of_slot(slot.board_id, slot.meeting_id, slot.id)
        if other.slot_id == slot.id and other.unregistered_user_id == vote.unregistered_user_id
    )


def _rsvps(owner: Owner) -> Iterator[Key]:
    return rsvps.keys_of_person(owner.board_id, owner.person.id)


def _move_rsvp(owner: Owner, key: Key, row: _Row) -> Move:
    """Moves an answer; of two the newer stays."""
    given, merge = StoredUnregisteredRsvp.model_validate(row), owner.merge
    own_key = RSVP.key_for(boardId=owner.board_id, meetingId=given.meeting_id, userId=merge.user_id)
    user_key = USER.key_for(userId=merge.user_id)
    items = read([own_key, user_key])
    old = StoredRsvp.model_validate(items[own_key]) if own_key in items else None
    user = StoredUser.model_validate(items[user_key]) if user_key in items else None
    removed = if_unchanged(Delete(key), dict(row))
    new = merging_rules.answer_of_member(given, old, merge, user)
    if new is None:
        return Move([removed])
    return Move([removed, rsvps.put(old, new), *([users.check_unchanged(user)] if user else [])], 1)


def _personal_links(owner: Owner) -> Iterator[Key]:
    for row in meetings.rows_of_board(owner.board_id):
        if "id" in row:
            ids = {"boardId": owner.board_id, "meetingId": row["id"], "unregisteredUserId": owner.person.id}
            yield PERSONAL_LINK.key_for(**ids)


def _delivered(owner: Owner) -> Iterator[Key]:
    for key in users.delivered_keys(owner.person.id):
        if key.pk == delivered_partition(owner.person.id):
            yield key


def _end(owner: Owner, key: Key, row: _Row) -> Move:
    """Deletes what is the person's alone; the address for replies to a calendar invitation becomes the member's."""
    return Move([Delete(key), *(_handed_over(owner, row) if "token" in row else [])])


def _handed_over(owner: Owner, row: _Row) -> list[Write]:
    """Returns the writes of an invitation that the member answers from now on, if it went to their address."""
    invitation = StoredCalendarInvitation.model_validate(row)
    user = users.find(owner.merge.user_id)
    if user is None or user.email != invitation.email:
        return [Delete(reply_address_key(invitation.token))]
    own = calendar_invitations.find(user.id, invitation.meeting_id)
    given = calendar_invitations.hand_over(invitation, user.id, owner.at, has_own=own is not None)
    return [*given, users.check_unchanged(user)]


def _paper_requests(owner: Owner) -> Iterator[Key]:
    return paper_requests.keys_of_person(owner.board_id, owner.person.id)


def _move_paper_request(owner: Owner, _key: Key, row: _Row) -> Move:
    request = StoredPaperRequest.model_validate(row)
    if request.asked.unregistered_user_id != owner.person.id:
        return Move()
    new = paper_request_rules.of_member(request, owner.merge.user_id, owner.at)
    return Move(paper_requests.replace(request, new, owner.at))


def _told(owner: Owner) -> Iterator[Key]:
    """Returns the notifications of current members that the person caused by an answer."""
    return notifications.keys_about(owner.roster, owner.person.id)


def _naming(owner: Owner) -> Iterator[Key]:
    """Returns the notifications of current members whose text names the person."""
    return notifications.keys_naming(owner.roster if owner.person.recommended else [], owner.person.id)


def _forget_named(_owner: Owner, key: Key, _row: _Row) -> Move:
    return Move([notifications.forget_named(key)])


def _change_actor(owner: Owner, key: Key, _row: _Row) -> Move:
    return Move([notifications.change_actor(key, owner.person.id, owner.merge.user_id)])


BELONGINGS = (
    Belonging("agenda_items", AGENDA, _agendas, _move_agenda),
    Belonging(None, AGENDA_TEMPLATE, _templates, _move_template),
    Belonging(None, BACKLOG_ITEM, _waiting, _move_waiting),
    Belonging("attendances", MINUTES, _minutes, _move_minutes),
    Belonging(None, DELETED_MINUTES, _deleted_minutes, _move_deleted_minutes),
    Belonging(None, MINUTES_CORRECTION, _corrections, _move_correction),
    Belonging(None, MEETING_PEOPLE, _invitations, _move_invitation),
    Belonging("action_items", ACTION_ITEM, _action_items, _move_action_item),
    Belonging("guest_votes", GUEST_VOTES_OF_SLOT, _guest_votes, _move_guest_vote),
    Belonging("rsvps", UNREGISTERED_RSVP, _rsvps, _move_rsvp),
    Belonging(None, PAPER_REQUEST, _paper_requests, _move_paper_request),
    Belonging(None, PERSONAL_LINK, _personal_links, _end),
    Belonging(None, NOTIFICATION, _delivered, _end),
    Belonging(None, NOTIFICATION, _told, _change_actor, is_wide=True),
    Belonging(None, NOTIFICATION, _naming, _forget_named, is_wide=True),
)
