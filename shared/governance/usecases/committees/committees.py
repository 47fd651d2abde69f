"""Committees: list, create, change, delete; how members leave them (ADR boards)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from governance.domain.committees import committee as committee_rules
from governance.domain.events import committees as committee_events
from governance.domain.events import members as events
from governance.domain.history.audit import changed_fields, field_changes
from governance.errors import Reason, conflict
from governance.ids import MembershipId, UserId, consecutive_ids, new_id, user_id_of
from governance.instants import Instant, millis
from governance.models.account.user import StoredUser
from governance.models.base import Deleted
from governance.models.boards.board import Membership, Seats
from governance.models.committees.committee import Committee, CommitteeCreate, CommitteePatch, StoredCommittee
from governance.models.history.audit import AuditEntry
from governance.models.page import OrderedQuery, Page
from governance.store.committees import committees
from governance.store.committees.committees import MembersToSeat
from governance.store.committees.seats import put_seats
from governance.store.history import audit
from governance.store.resolutions import departures, resolutions
from governance.store.schema.entities import COMMITTEE, seats_key
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch
from governance.usecases.event_writes import audit_entry, new_event, record_event


def to_resource(committee: StoredCommittee) -> Committee:
    """Returns the committee as the members of its board see it."""
    return Committee.model_validate(committee.item())


def _committees_page(info: RequestInfo) -> Page[StoredCommittee]:
    return Page(*committees.list_of_board(info.board_id, info.window(info.query_as(OrderedQuery))))


@prefetch(_committees_page)
def list_committees(_context: Context, page: Page[StoredCommittee], _query: OrderedQuery) -> Page[Committee]:
    """Returns a page of the board's committees, newest first."""
    return Page([to_resource(committee) for committee in page.data], page.next_position)


@creates(COMMITTEE, "committeeId")
def create_committee(context: Context, body: CommitteeCreate) -> Outcome[Committee]:
    """Creates a committee of the members that the body names."""
    committee = StoredCommittee(
        id=new_id(),
        board_id=context.board.id,
        name=body.name,
        member_ids=tuple(body.member_ids),
        created_at=context.now,
        updated_at=context.now,
    )
    seats = _change_seats(context, committee.id, (), committee.member_ids)
    event = record_event(context, committee_events.COMMITTEE_CREATED, _named(committee))
    writes = [*committees.create(committee), *seats, *event]
    return Outcome(to_resource(committee), writes)


def _committee(context: Context) -> StoredCommittee:
    return context.stored(COMMITTEE, StoredCommittee)


@loads(COMMITTEE)
@finds(_committee)
def update_committee(context: Context, old: StoredCommittee, body: CommitteePatch) -> Outcome[Committee]:
    """Changes the name or the members of a committee; setting the same values changes nothing."""
    changes = body.changes()
    if "member_ids" in changes:
        changes["member_ids"] = tuple(body.member_ids)
    new = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    fields = changed_fields(old, new)
    if not fields:
        return Outcome(to_resource(old), [])
    committee_rules.check_seats(old, new.member_ids, context.own_membership.id)
    seats = _change_seats(context, old.id, old.member_ids, new.member_ids)
    concerned = sorted({*old.member_ids, *new.member_ids}) if set(old.member_ids) != set(new.member_ids) else []
    updated = committee_events.CommitteeUpdated(
        committee_id=new.id,
        fields=fields,
        changes=field_changes(old, new),
        title=new.name,
        seated_user_ids=tuple(user_id_of(new.board_id, member_id) for member_id in concerned),
    )
    event = record_event(context, committee_events.COMMITTEE_UPDATED, updated)
    left = [user_id_of(old.board_id, member_id) for member_id in old.member_ids if member_id not in new.member_ids]
    writes = [committees.replace(old, new), *seats, *departures.left_committee(new, left, context.now), *event]
    return Outcome(to_resource(new), writes)


@loads(COMMITTEE)
@finds(_committee)
def delete_committee(context: Context, committee: StoredCommittee) -> Outcome[Deleted]:
    """Deletes a committee; raises 409 for one that has documents or an open resolution."""
    committee_rules.check_empty(committee)
    if resolutions.open_in_committee(committee.board_id, committee.id, context.now):
        raise conflict(Reason.IN_USE)
    seats = _change_seats(context, committee.id, committee.member_ids, ())
    event = record_event(context, committee_events.COMMITTEE_DELETED, _named(committee))
    return Outcome(Deleted(), [*committees.delete(committee), *seats, *event])


def _named(committee: StoredCommittee) -> committee_events.CommitteeNamed:
    return committee_events.CommitteeNamed(committee_id=committee.id, id=committee.id, title=committee.name)


def leave_committees(member: Membership, seats: Seats, now: Instant) -> list[Write]:
    """Returns the writes that remove a member who leaves the board from its committees.

    `seats` is the row with the member's committees, as it was read.
    """
    left = committees.get_many(member.board_id, seats.of(member.user_id))
    row = seats_key(member.board_id, member.user_id)
    return [
        put_seats(row, seats, committee_rules.without_member(seats, member.user_id)),
        *(committees.replace(committee, _without(committee, member, now)) for committee in left),
    ]


def _without(committee: StoredCommittee, member: Membership, now: Instant) -> StoredCommittee:
    remaining = tuple(member_id for member_id in committee.member_ids if member_id != member.id)
    return committee.model_copy(update={"member_ids": remaining, "updated_at": now, "version": committee.version + 1})


def _change_seats(
    context: Context, committee_id: str, before: Collection[MembershipId], after: Collection[MembershipId]
) -> list[Write]:
    """Returns the writes that change who is in a committee, and audit it for each member who joins or leaves.

    Reads the members that change.
    """
    board_id = context.board.id
    changed = sorted({*before} ^ {*after})
    read = committees.members_to_seat(board_id, (user_id_of(board_id, member_id) for member_id in changed))
    committee_rules.check_members(after, read.members.keys() | before)
    touched = [member for member_id in changed if (member := read.members.get(member_id))]
    return [
        *_replaced_rows(read, committee_id, touched, after),
        *_audit_member_changes(context, touched, read.users, ["committees"]),
    ]


def _replaced_rows(
    read: MembersToSeat, committee_id: str, touched: Iterable[Membership], after: Collection[MembershipId]
) -> list[Write]:
    """Returns the writes of the rows of seats of the members who join or leave a committee."""
    by_row: dict[Key, list[Membership]] = {}
    for member in touched:
        by_row.setdefault(seats_key(member.board_id, member.user_id), []).append(member)
    writes = []
    for key, members in by_row.items():
        joining = [member.user_id for member in members if member.id in after]
        leaving = [member.user_id for member in members if member.id not in after]
        old = read.seats[key]
        writes.append(put_seats(key, old, committee_rules.changed_seats(old, committee_id, leaving, joining)))
    return writes


def _audit_member_changes(
    context: Context, members: Sequence[Membership], users: Mapping[UserId, StoredUser], fields: list[str]
) -> list[Write]:
    """Returns the writes of a `memberChange` in the audit log for each member, of an event about something else."""
    ids = consecutive_ids(millis(context.now), len(members))
    return audit.put_together(
        [_member_change(context, id_, member, users, fields) for id_, member in zip(ids, members, strict=True)],
        is_protecting=events.MEMBER_CHANGED.is_protecting,
    )


def _member_change(
    context: Context, id_: str, member: Membership, users: Mapping[UserId, StoredUser], fields: list[str]
) -> AuditEntry:
    user = users.get(member.user_id)
    changed = events.MemberChanged(
        member_email=user.email if user else None, positions=tuple(member.board_positions), fields=tuple(fields)
    )
    return audit_entry(new_event(context, events.MEMBER_CHANGED, changed, member.board_id, id_), "memberChange")
