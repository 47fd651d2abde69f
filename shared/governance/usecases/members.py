"""Members of a board: list, read, change, remove; the transfer of ownership (the API specification, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from governance.domain import membership as rules
from governance.domain.access import check_billing
from governance.errors import forbidden, not_found
from governance.ids import is_id, membership_id, new_id
from governance.models.base import Deleted
from governance.models.board import (
    AccessType,
    AdminRole,
    BoardMember,
    MemberPatch,
    Membership,
    OwnershipTransfer,
)
from governance.models.event import Event
from governance.models.page import ListQuery, MembersQuery, Page
from governance.models.user import StoredUser
from governance.scopes import Tier
from governance.store import boards
from governance.store.paging import Window
from governance.store.schema import MEMBER, USER, Key
from governance.store.table import read
from governance.store.writes import Write
from governance.usecases.committees import departures
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event


def new_membership(
    board_id: str,
    user_id: str,
    now: str,
    *,
    admin_role: AdminRole = "member",
    access_type: AccessType = "collaborator",
    positions: Iterable[str] = (),
) -> Membership:
    """A user's new time on a board."""
    return Membership(
        id=membership_id(board_id, user_id),
        user_id=user_id,
        board_id=board_id,
        join_id=new_id(),
        admin_role=admin_role,
        access_type=access_type,
        board_positions=tuple(positions),
        created_at=now,
        updated_at=now,
    )


def to_resource(member: Membership, user: StoredUser | None) -> BoardMember:
    """The member as the board sees him; of a purged user nothing but the membership is left."""
    known = user if user and not user.purged else None
    person = {"email": known.email, "firstName": known.first_name, "lastName": known.last_name} if known else {}
    return BoardMember.model_validate({"email": None, "firstName": None, "lastName": None, **member.item(), **person})


@dataclass(frozen=True)
class MembersPage:
    """A page of memberships as read, and where the next begins."""

    members: Sequence[Membership]
    position: str | None


def _members_page(ask: RequestInfo) -> MembersPage | None:
    if not is_id(ask.params["boardId"]) or not isinstance(ask.query, ListQuery):
        return None
    window = Window(ask.query.limit, ask.query.order == "desc", ask.after)
    return MembersPage(*boards.members_page(ask.params["boardId"], window))


@prefetch(_members_page)
def list_members(context: Context, _: MembersQuery) -> Page[BoardMember]:
    """A page of the members, by when they joined, with their names of today."""
    page: MembersPage = context.prefetched
    users = boards.users_of(page.members)
    return Page([to_resource(member, users.get(member.user_id)) for member in page.members], page.position)


def _named_member(ask: RequestInfo) -> list[Key | None]:
    """The member and the user whom a membership id names: the id tells the user (ADR 0003)."""
    user_id = _user_of(ask.params)
    if user_id is None:
        return []
    return [MEMBER.key(boardId=ask.params["boardId"], userId=user_id), USER.key(userId=user_id)]


def _user_of(params: Mapping[str, str]) -> str | None:
    board_id, member_id = params["boardId"], params["memberId"]
    return membership_id(board_id, member_id) if is_id(board_id) and is_id(member_id) else None


def _member(context: Context) -> tuple[Membership, StoredUser | None]:
    user_id = _user_of(context.params)
    item = context.item(MEMBER, userId=user_id) if user_id else None
    if item is None or user_id is None:
        raise not_found()
    user = context.item(USER, userId=user_id)
    return Membership.model_validate(item), StoredUser.model_validate(user) if user else None


@loads(_named_member)
def get_member(context: Context) -> BoardMember:
    """One member."""
    return to_resource(*_member(context))


@loads(_named_member)
def update_member(context: Context, body: MemberPatch) -> Outcome[BoardMember]:
    """The member with these members changed."""
    old, user = _member(context)
    new = rules.patched(old, body.changes(), context.principal.named_user_id, context.now)
    fields = sorted(Membership.model_fields[name].alias or name for name in body.changes())
    act = record_event(
        context,
        Event.MEMBER_CHANGED,
        refs={"userId": new.user_id},
        details={"memberEmail": user.email if user else None, "positions": list(new.board_positions), "fields": fields},
    )
    writes = [boards.check_exists(context.board.id), *_still_entitled(context, old), boards.replace_member(old, new)]
    return Outcome(to_resource(new, user), [*writes, *act])


def _still_entitled(context: Context, member: Membership) -> list[Write]:
    """Whoever acts on another is still what he was: of two admins who remove each other one is too late."""
    caller = context.own_membership
    return [] if caller.user_id == member.user_id else [boards.check_unchanged_member(caller)]


@loads(_named_member)
def remove_member(context: Context) -> Outcome[Deleted]:
    """The member is gone: he left, or an admin removed him. A restricted board keeps nobody from leaving."""
    caller = context.own_membership
    leaving = _user_of(context.params) == caller.user_id
    tier = context.tier or Tier.GUEST
    if not leaving:
        if tier < Tier.ADMIN:
            raise forbidden("Only an admin removes another member.")
        check_billing(context.board)
    member, user = _member(context)
    rules.check_removal(member, caller.user_id, tier)
    act = record_event(
        context,
        Event.MEMBER_LEFT if leaving else Event.MEMBER_REMOVED,
        refs={"userId": member.user_id},
        details={"id": member.id, "title": None},
        data={"memberEmail": user.email if user else None},
    )
    writes = [*_still_entitled(context, member), *boards.remove_member(member), *departures(member, context.now)]
    return Outcome(Deleted(), [*writes, *act])


def transfer_ownership(context: Context, body: OwnershipTransfer) -> Outcome[BoardMember]:
    """The board has a new owner; the old one stays as an admin."""
    heir, user = _new_owner(context, body.member_id)
    old, new = rules.transfer_ownership(context.own_membership, heir, context.now)
    act = record_event(
        context,
        Event.OWNERSHIP_TRANSFERRED,
        refs={"userId": new.user_id},
        details={"id": new.id, "title": None},
    )
    changes = [boards.replace_member(context.own_membership, old)]
    if heir is not None:
        changes.append(boards.replace_member(heir, new))
    return Outcome(to_resource(new, user), [boards.check_exists(context.board.id), *changes, *act])


def _new_owner(context: Context, member_id: str) -> tuple[Membership | None, StoredUser | None]:
    if not is_id(member_id):
        return None, None
    user_id = membership_id(context.board.id, member_id)
    member_key, user_key = MEMBER.at(boardId=context.board.id, userId=user_id), USER.at(userId=user_id)
    found = read([member_key, user_key])
    member, user = found.get(member_key), found.get(user_key)
    return (
        Membership.model_validate(member) if member else None,
        StoredUser.model_validate(user) if user else None,
    )
