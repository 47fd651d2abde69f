"""Committees: list, create, change, delete; how members leave them (ADR 0051)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from governance.domain import committee as rules
from governance.domain.audit import changed_fields
from governance.errors import not_found
from governance.ids import MembershipId, is_id, membership_id, new_id
from governance.instants import Instant
from governance.models.base import Deleted
from governance.models.board import Membership
from governance.models.committee import Committee, CommitteeCreate, CommitteePatch, StoredCommittee
from governance.models.event import Event
from governance.models.page import Page, PageQuery
from governance.store import boards, committees
from governance.store.schema import COMMITTEE
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, judged_by, loads, prefetch
from governance.usecases.events import audit_member_change, record_event


def to_resource(committee: StoredCommittee) -> Committee:
    """Returns the committee as the members of its board see it."""
    return Committee.model_validate(committee.item())


def _committees_page(info: RequestInfo) -> Page[StoredCommittee]:
    return Page(*committees.list_of_board(info.board_id, info.window(info.query_as(PageQuery))))


@prefetch(_committees_page)
def list_committees(_context: Context, page: Page[StoredCommittee], _query: PageQuery) -> Page[Committee]:
    """Returns a page of the board's committees, newest first."""
    return Page([to_resource(committee) for committee in page.data], page.next_position)


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
    event = _record_event(context, Event.COMMITTEE_CREATED, committee)
    writes = [boards.check_exists(context.board.id), committees.create(committee), *seats, *event]
    return Outcome(to_resource(committee), writes)


def _committee(context: Context) -> StoredCommittee:
    item = context.item(COMMITTEE)
    if item is None:
        raise not_found()
    return StoredCommittee.model_validate(item)


@loads(COMMITTEE)
@judged_by(_committee)
def update_committee(context: Context, body: CommitteePatch) -> Outcome[Committee]:
    """Changes the name or the members of a committee."""
    old, changes = _committee(context), body.changes()
    if "member_ids" in changes:
        changes["member_ids"] = tuple(body.member_ids)
    new = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    seats = _change_seats(context, old.id, old.member_ids, new.member_ids)
    event = _record_event(context, Event.COMMITTEE_UPDATED, new, {"fields": changed_fields(old, new)})
    writes = [boards.check_exists(context.board.id), committees.replace(old, new), *seats, *event]
    return Outcome(to_resource(new), writes)


@loads(COMMITTEE)
@judged_by(_committee)
def delete_committee(context: Context) -> Outcome[Deleted]:
    """Deletes a committee; raises 409 for one that has documents."""
    committee = _committee(context)
    rules.check_empty(committee)
    seats = _change_seats(context, committee.id, committee.member_ids, ())
    event = _record_event(context, Event.COMMITTEE_DELETED, committee)
    return Outcome(Deleted(), [boards.check_exists(context.board.id), committees.delete(committee), *seats, *event])


def _record_event(
    context: Context, event: Event, committee: StoredCommittee, details: Mapping[str, object] | None = None
) -> list[Write]:
    subject = {"id": committee.id, "title": committee.name}
    return record_event(context, event, refs={"committeeId": committee.id}, details=details or subject)


def leave_committees(member: Membership, now: Instant) -> list[Write]:
    """Returns the writes that remove a member who leaves the board from its committees."""
    left = committees.get_many(member.board_id, member.committee_ids)
    return [committees.replace(committee, _without(committee, member, now)) for committee in left]


def _without(committee: StoredCommittee, member: Membership, now: Instant) -> StoredCommittee:
    remaining = tuple(member_id for member_id in committee.member_ids if member_id != member.id)
    return committee.model_copy(update={"member_ids": remaining, "updated_at": now, "version": committee.version + 1})


def _change_seats(
    context: Context, committee_id: str, before: Collection[MembershipId], after: Collection[MembershipId]
) -> list[Write]:
    """Returns the writes that list the committee in the memberships of its members, and audit each that changes.

    Reads the members that change. Raises 400 for a change of more seats than one transaction can audit.
    """
    board_id = context.board.id
    changed = {member_id for member_id in {*before} ^ {*after} if is_id(member_id)}
    rules.check_number_of_changes(changed)
    user_ids = (membership_id(board_id, member_id) for member_id in changed)
    members, users = committees.members_of(board_id, user_ids)
    rules.check_members(after, members.keys() | before)
    seats = rules.changed_seats(committee_id, before, after, members)
    replaced = [boards.replace_member(old, new) for old, new in seats]
    audited = [audit_member_change(context, new, users.get(new.user_id), ["committees"]) for _, new in seats]
    return [*replaced, *audited]
