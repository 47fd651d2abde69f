"""The rules of membership: a board has one owner, and no other member changes that membership (ADR 0005)."""

from __future__ import annotations

from typing import Any

from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.models.board import Membership
from governance.scopes import Tier


def patched(member: Membership, changes: dict[str, Any], caller_id: str, now: str) -> Membership:
    """Returns the member with these changes.

    Raises 409 `OWNER_ROLE` for a change of the owner by anyone else, and for a change of the owner's role: ownership
    is transferred (`transfer_ownership`).
    """
    if member.admin_role == "owner" and (member.user_id != caller_id or "admin_role" in changes):
        raise conflict(Reason.OWNER_ROLE)
    if "board_positions" in changes:
        changes = {**changes, "board_positions": tuple(changes["board_positions"])}
    return member.model_copy(update={**changes, "updated_at": now, "version": member.version + 1})


def check_removal(member: Membership, caller_id: str, tier: Tier) -> None:
    """Raises an error unless the caller may remove this member.

    A member may leave, and an admin may remove another member. The owner can do neither: 409 `OWNER_CANNOT_LEAVE` or
    `OWNER_ROLE`. Anyone else gets 403.
    """
    if member.user_id == caller_id:
        if member.admin_role == "owner":
            raise conflict(Reason.OWNER_CANNOT_LEAVE)
        return
    if tier < Tier.ADMIN:
        raise forbidden("Ask an admin of the board to remove this member.")
    if member.admin_role == "owner":
        raise conflict(Reason.OWNER_ROLE)


def transfer_ownership(owner: Membership, new_owner: Membership | None, now: str) -> tuple[Membership, Membership]:
    """Returns the old owner, now an admin, and the new one. Raises 400 unless the latter is another member."""
    if new_owner is None or new_owner.user_id == owner.user_id:
        raise invalid_body({"memberId": "must be the membership id of another member of the board"})
    return (
        owner.model_copy(update={"admin_role": "admin", "updated_at": now, "version": owner.version + 1}),
        new_owner.model_copy(update={"admin_role": "owner", "updated_at": now, "version": new_owner.version + 1}),
    )
