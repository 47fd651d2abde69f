"""Members of a board: list, read, change, remove; the transfer of ownership (the API specification, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from governance.domain.access.access import check_billing, member_tier
from governance.domain.events import members as events
from governance.domain.history.audit import changed_fields, field_changes
from governance.domain.members import membership as membership_rules
from governance.errors import not_found
from governance.ids import BoardId, MembershipId, UserId, is_id, membership_id, new_id, user_id_of
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.base import Deleted
from governance.models.boards.board import (
    AccessType,
    AdminRole,
    BoardMember,
    MemberPatch,
    MemberRemoval,
    Membership,
    OwnershipTransfer,
    Seats,
)
from governance.models.page import MembersQuery, Page
from governance.scopes import Tier
from governance.store.account import users
from governance.store.boards import boards
from governance.store.committees.seats import seats_in
from governance.store.invites import sent_invites
from governance.store.resolutions import departures
from governance.store.schema.entities import MEMBER, PENDING_INVITE_COUNT, USER, seats_key
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.committees.committees import leave_committees
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import authorized_by, finds, loads, prefetch, repeated_if
from governance.usecases.event_writes import record_event
from governance.usecases.invites.invite_endings import end_invites, loses_rights
from governance.usecases.meetings.guests import linked_by_member


def new_membership(
    board_id: BoardId,
    user_id: UserId,
    now: Instant,
    *,
    admin_role: AdminRole = "member",
    access_type: AccessType = "collaborator",
    positions: Iterable[str] = (),
) -> Membership:
    """Returns a new membership of a user; a vote cast in an earlier membership does not count in this one."""
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
    """Returns the member with the user's e-mail address and names, which are null if the user was purged."""
    known = user if user and not user.purged else None
    person = {"email": known.email, "firstName": known.first_name, "lastName": known.last_name} if known else {}
    return BoardMember.model_validate({"email": None, "firstName": None, "lastName": None, **member.item(), **person})


def _members_page(info: RequestInfo) -> Page[Membership]:
    return Page(*boards.members_page(info.board_id, info.window(info.query_as(MembersQuery))))


@prefetch(_members_page)
def list_members(_context: Context, page: Page[Membership], _query: MembersQuery) -> Page[BoardMember]:
    """Returns a page of the members, by when they joined."""
    users = boards.users_of(page.data)
    return Page([to_resource(member, users.get(member.user_id)) for member in page.data], page.next_position)


def _member_keys(info: RequestInfo) -> list[Key | None]:
    """Returns the keys of the membership and its user: a membership id implies the user's id (ADR identity)."""
    user_id = _member_user_id(info.params)
    if user_id is None:
        return []
    return [MEMBER.key_or_none(boardId=info.board_id, userId=user_id), USER.key_or_none(userId=user_id)]


def _member_user_id(params: Mapping[str, str]) -> UserId | None:
    board_id, member_id = BoardId(params["boardId"]), MembershipId(params["memberId"])
    return user_id_of(board_id, member_id) if is_id(board_id) and is_id(member_id) else None


def _member(context: Context) -> tuple[Membership, StoredUser | None]:
    """Returns the member that the path names, with their user; raises 404 if there is none."""
    user_id = _member_user_id(context.params)
    item = context.item(MEMBER, userId=user_id) if user_id else None
    if item is None or user_id is None:
        raise not_found()
    user = context.item(USER, userId=user_id)
    return Membership.model_validate(item), StoredUser.model_validate(user) if user else None


@loads(_member_keys)
@finds(_member)
def get_member(_context: Context, member_and_user: tuple[Membership, StoredUser | None]) -> BoardMember:
    """Returns one member."""
    return to_resource(*member_and_user)


@loads(_member_keys, PENDING_INVITE_COUNT)
@finds(_member)
def update_member(
    context: Context, member_and_user: tuple[Membership, StoredUser | None], body: MemberPatch
) -> Outcome[BoardMember]:
    """Changes the fields of a member that the body names; setting the same values changes nothing."""
    old, user = member_and_user
    new = membership_rules.patched(old, body.changes(), context.principal.named_user_id, context.now)
    fields = changed_fields(old, new)
    if not fields:
        return Outcome(to_resource(old, user), [])
    endings, invites_left = end_invites(context, old, member_tier(new)) if loses_rights(old, new) else ([], 0)
    event = record_event(
        context,
        events.MEMBER_CHANGED,
        events.MemberChanged(
            user_id=new.user_id,
            member_email=user.email if user else None,
            positions=tuple(new.board_positions),
            fields=tuple(fields),
            changes=field_changes(old, new),
            demoted=old.admin_role == "admin" and new.admin_role == "member",
            invites_left=invites_left,
        ),
    )
    checks = [*_check_caller_unchanged(context, old), *endings]
    return Outcome(to_resource(new, user), [*checks, boards.replace_member(old, new), *event])


def _check_caller_unchanged(context: Context, member: Membership) -> list[Write]:
    """Checks that the caller's membership has not changed, unless they act on themselves.

    If two admins remove each other at the same time, one of the requests fails.
    """
    caller = context.own_membership
    return [] if caller.user_id == member.user_id else [boards.check_unchanged_member(caller)]


def _seats_key(info: RequestInfo) -> list[Key]:
    user_id = _member_user_id(info.params)
    return [seats_key(info.board_id, user_id)] if user_id else []


def _seats(context: Context, member: Membership) -> Seats:
    return seats_in(context.loaded.get(seats_key(member.board_id, member.user_id)))


def _is_leaving(context: Context) -> bool:
    return _member_user_id(context.params) == context.own_membership.user_id


def _check_may_remove(context: Context) -> None:
    """Raises 403 unless the caller removes themselves, or is an admin of a board that may be changed."""
    if not _is_leaving(context):
        membership_rules.check_may_remove_others(context.tier or Tier.GUEST)
        check_billing(context.board)


@loads(_member_keys)
@authorized_by(_check_may_remove)
@finds(_member)
def preview_removal(context: Context, member_and_user: tuple[Membership, StoredUser | None]) -> MemberRemoval:
    """Returns what ends with a membership; raises what the removal itself would raise."""
    member, _ = member_and_user
    membership_rules.check_removable(member, leaving=_is_leaving(context))
    linked = linked_by_member(member.board_id, member.user_id, member.join_id, context.now)
    return MemberRemoval(member_id=member.id, guest_links=len(linked))


@loads(_member_keys, _seats_key, PENDING_INVITE_COUNT)
@authorized_by(_check_may_remove)
@finds(_member)
def remove_member(context: Context, member_and_user: tuple[Membership, StoredUser | None]) -> Outcome[Deleted]:
    """Removes a member, by an admin or by themselves. No billing state prevents a member from leaving."""
    member, user = member_and_user
    leaving = _is_leaving(context)
    membership_rules.check_removable(member, leaving=leaving)
    endings, invites_left = end_invites(context, member, None)
    event = record_event(
        context,
        events.MEMBER_LEFT if leaving else events.MEMBER_REMOVED,
        events.MemberEnded(
            user_id=member.user_id,
            id=member.id,
            title=None,
            member_email=user.email if user else None,
            board_name=context.board.name,
            join_id=member.join_id,
            invites_left=invites_left,
        ),
    )
    removal = [
        *boards.remove_member(member),
        *leave_committees(member, _seats(context, member), context.now),
        *endings,
        departures.left_board(member, context.now),
        sent_invites.remember_board(member.user_id, context.board, context.now),
    ]
    return Outcome(Deleted(), [*_check_caller_unchanged(context, member), *removal, *event])


def check_still_member(context: Context, member_id: str) -> None:
    """Raises 404 if a member named in a recorded response has left."""
    member, _ = boards.find_member(context.board.id, MembershipId(member_id))
    if member is None:
        raise not_found()


@repeated_if(lambda context, data: check_still_member(context, data["id"]))
def transfer_board_ownership(context: Context, body: OwnershipTransfer) -> Outcome[BoardMember]:
    """Makes another member the owner of the board; the previous owner becomes an admin."""
    new, user, writes = move_ownership(context, context.own_membership, body.member_id)
    return Outcome(to_resource(new, user), writes)


def move_ownership(
    context: Context, owner: Membership, member_id: MembershipId
) -> tuple[Membership, StoredUser | None, list[Write]]:
    """Returns the new owner, their user, and the writes of the transfer.

    The writes fail with `StaleRead` if a membership changed or the new owner's account was closed meanwhile.
    """
    member, user = boards.find_member(context.board.id, member_id)
    old, new = membership_rules.transfer_ownership(owner, member, user, context.now)
    event = record_event(
        context,
        events.OWNERSHIP_TRANSFERRED,
        events.OwnershipTransferred(user_id=new.user_id, id=new.id, title=None),
    )
    changes = [boards.replace_member(owner, old), *([boards.replace_member(member, new)] if member else [])]
    return new, user, [users.check_active(new.user_id), *changes, *event]
