"""Committees: list, create, change, delete; how members leave them (ADR 0051)."""

from __future__ import annotations

from collections.abc import Collection

from governance.domain import committee as rules
from governance.errors import not_found
from governance.ids import MembershipId, is_id, membership_id, new_id
from governance.instants import Instant
from governance.models.base import Deleted
from governance.models.board import Membership
from governance.models.committee import Committee, CommitteeCreate, CommitteePatch, StoredCommittee
from governance.models.page import Page, PageQuery
from governance.store import boards, committees
from governance.store.schema import COMMITTEE
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch


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
    memberships = _update_memberships(context, committee.id, (), committee.member_ids)
    return Outcome(
        to_resource(committee), [boards.check_exists(context.board.id), committees.create(committee), *memberships]
    )


@loads(COMMITTEE)
def update_committee(context: Context, body: CommitteePatch) -> Outcome[Committee]:
    """Changes the name or the members of a committee."""
    old, changes = _committee(context), body.changes()
    if "member_ids" in changes:
        changes["member_ids"] = tuple(body.member_ids)
    new = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    memberships = _update_memberships(context, old.id, old.member_ids, new.member_ids)
    return Outcome(
        to_resource(new), [boards.check_exists(context.board.id), committees.replace(old, new), *memberships]
    )


@loads(COMMITTEE)
def delete_committee(context: Context) -> Outcome[Deleted]:
    """Deletes a committee; raises 409 for one that has documents."""
    committee = _committee(context)
    rules.check_empty(committee)
    memberships = _update_memberships(context, committee.id, committee.member_ids, ())
    return Outcome(Deleted(), [committees.delete(committee), *memberships])


def leave_committees(member: Membership, now: Instant) -> list[Write]:
    """Returns the writes that remove a member who leaves the board from its committees."""
    left = committees.get_many(member.board_id, member.committee_ids)
    return [committees.replace(committee, _without(committee, member, now)) for committee in left]


def _without(committee: StoredCommittee, member: Membership, now: Instant) -> StoredCommittee:
    remaining = tuple(member_id for member_id in committee.member_ids if member_id != member.id)
    return committee.model_copy(update={"member_ids": remaining, "updated_at": now, "version": committee.version + 1})


def _committee(context: Context) -> StoredCommittee:
    item = context.item(COMMITTEE)
    if item is None:
        raise not_found()
    return StoredCommittee.model_validate(item)


def _update_memberships(
    context: Context, committee_id: str, before: Collection[MembershipId], after: Collection[MembershipId]
) -> list[Write]:
    """Returns the writes that list the committee in the memberships of its members; reads those that change."""
    board_id = context.board.id
    changed = {member_id for member_id in {*before} ^ {*after} if is_id(member_id)}
    members = committees.members_of(board_id, (membership_id(board_id, member_id) for member_id in changed))
    rules.check_members(after, members.keys() | before)
    return [boards.replace_member(old, new) for old, new in rules.changed_seats(committee_id, before, after, members)]
