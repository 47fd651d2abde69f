"""The rules of membership: a board has one owner, and no other member changes that membership (ADR requests)."""

from __future__ import annotations

from typing import Any

from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.ids import UserId
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.boards.board import Membership
from governance.scopes import Tier


def patched(member: Membership, changes: dict[str, Any], caller_id: UserId, now: Instant) -> Membership:
    """Returns the member with these changes.

    Raises 409 `OWNER_ROLE` for a change of the owner by anyone else, and for a change of the owner's role: ownership
    is transferred (`transfer_ownership`).
    """
    if member.admin_role == "owner" and (member.user_id != caller_id or "admin_role" in changes):
        raise conflict(Reason.OWNER_ROLE)
    if "board_positions" in changes:
        changes = {**changes, "board_positions": tuple(changes["board_positions"])}
    return member.model_copy(update={**changes, "updated_at": now, "version": member.version + 1})


def check_may_remove_others(tier: Tier) -> None:
    """Raises 403 for a member of a lower tier than admin, who may remove only themselves."""
    if tier < Tier.ADMIN:
        raise forbidden("Ask an admin of the board to remove this member.")


def check_removable(member: Membership, *, leaving: bool) -> None:
    """Raises 409 for the owner, who can neither leave (`OWNER_CANNOT_LEAVE`) nor be removed (`OWNER_ROLE`).

    `leaving` says which of the two is tried.
    """
    if member.admin_role == "owner":
        raise conflict(Reason.OWNER_CANNOT_LEAVE if leaving else Reason.OWNER_ROLE)


def transfer_ownership(
    owner: Membership, new_owner: Membership | None, user: StoredUser | None, now: Instant
) -> tuple[Membership, Membership]:
    """Returns the old owner, now an admin, and the new one, whose user is `user`.

    Raises 400 unless the latter is another member with an active account: nobody else could use the ownership.
    """
    if new_owner is None or new_owner.user_id == owner.user_id:
        raise invalid_body({"memberId": "must be the membership id of another member of the board"})
    if user is None or user.status != "active":
        raise invalid_body({"memberId": "must be the membership id of a member with an active account"})
    return (
        owner.model_copy(update={"admin_role": "admin", "updated_at": now, "version": owner.version + 1}),
        new_owner.model_copy(update={"admin_role": "owner", "updated_at": now, "version": new_owner.version + 1}),
    )
