"""Committees: list, create, change, delete; what becomes of them when a member goes (ADR 0051)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from governance.domain import committee as rules
from governance.errors import not_found
from governance.ids import is_id, membership_id, new_id
from governance.models.base import Deleted
from governance.models.board import Membership
from governance.models.committee import Committee, CommitteeCreate, CommitteePatch, StoredCommittee
from governance.models.page import Page, PageQuery
from governance.store import boards, committees
from governance.store.paging import Window
from governance.store.schema import COMMITTEE
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch


def to_resource(committee: StoredCommittee) -> Committee:
    """The committee as its board sees it."""
    return Committee.model_validate(committee.item())


@dataclass(frozen=True)
class CommitteesPage:
    """A page of committees as read, and where the next begins."""

    committees: Sequence[StoredCommittee] = ()
    position: str | None = None


def _page(ask: RequestInfo) -> CommitteesPage:
    if not is_id(ask.params["boardId"]) or not isinstance(ask.query, PageQuery):
        return CommitteesPage()
    window = Window(ask.query.limit, descending=True, after=ask.after)
    return CommitteesPage(*committees.list_of_board(ask.params["boardId"], window))


@prefetch(_page)
def list_committees(context: Context, _: PageQuery) -> Page[Committee]:
    """A page of the board's committees, newest first."""
    page: CommitteesPage = context.prefetched
    return Page([to_resource(committee) for committee in page.committees], page.position)


def create_committee(context: Context, body: CommitteeCreate) -> Outcome[Committee]:
    """A new committee of these members."""
    committee = StoredCommittee(
        id=new_id(),
        board_id=context.board.id,
        name=body.name,
        member_ids=tuple(body.member_ids),
        created_at=context.now,
        updated_at=context.now,
    )
    seats = _reseated(context, committee.id, (), committee.member_ids)
    return Outcome(
        to_resource(committee), [boards.check_exists(context.board.id), committees.create(committee), *seats]
    )


@loads(COMMITTEE)
def update_committee(context: Context, body: CommitteePatch) -> Outcome[Committee]:
    """The committee with another name, or other members."""
    old, changes = _committee(context), body.changes()
    if "member_ids" in changes:
        changes["member_ids"] = tuple(body.member_ids)
    new = old.model_copy(update={**changes, "updated_at": context.now, "version": old.version + 1})
    seats = _reseated(context, old.id, old.member_ids, new.member_ids)
    return Outcome(to_resource(new), [boards.check_exists(context.board.id), committees.replace(old, new), *seats])


@loads(COMMITTEE)
def delete_committee(context: Context) -> Outcome[Deleted]:
    """The committee is gone; one with documents is not deleted."""
    committee = _committee(context)
    rules.check_empty(committee)
    seats = _reseated(context, committee.id, committee.member_ids, ())
    return Outcome(Deleted(), [committees.delete(committee), *seats])


def departures(member: Membership, now: str) -> list[Write]:
    """The writes by which a member who goes leaves his committees."""
    found = committees.get_many(member.board_id, member.committee_ids)
    return [committees.replace(committee, _without(committee, member, now)) for committee in found]


def _without(committee: StoredCommittee, member: Membership, now: str) -> StoredCommittee:
    rest = tuple(seated for seated in committee.member_ids if seated != member.id)
    return committee.model_copy(update={"member_ids": rest, "updated_at": now, "version": committee.version + 1})


def _committee(context: Context) -> StoredCommittee:
    item = context.item(COMMITTEE)
    if item is None:
        raise not_found()
    return StoredCommittee.model_validate(item)


def _reseated(context: Context, committee_id: str, before: Collection[str], after: Collection[str]) -> list[Write]:
    """The writes by which the memberships follow; one read of those that change."""
    board_id = context.board.id
    touched = {member_id for member_id in {*before} ^ {*after} if is_id(member_id)}
    members = committees.members_of(board_id, (membership_id(board_id, member_id) for member_id in touched))
    rules.check_members(after, members.keys() | before)
    return [boards.replace_member(old, new) for old, new in rules.changed_seats(committee_id, before, after, members)]
