"""The rules of membership: one owner, whom nobody else touches (ADR 0005)."""

from __future__ import annotations

from typing import Any

from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.models.board import Membership
from governance.scopes import Tier


def patched(member: Membership, changes: dict[str, Any], caller_id: str, now: str) -> Membership:
    """The member with these changes; the owner's role moves by transfer alone, and only he changes his own entry."""
    if member.admin_role == "owner" and (member.user_id != caller_id or "admin_role" in changes):
        raise conflict(Reason.OWNER_ROLE)
    if "board_positions" in changes:
        changes = {**changes, "board_positions": tuple(changes["board_positions"])}
    return member.model_copy(update={**changes, "updated_at": now, "version": member.version + 1})


def check_removal(member: Membership, caller_id: str, tier: Tier) -> None:
    """A member leaves himself, or an admin removes him; the owner does neither."""
    if member.user_id == caller_id:
        if member.admin_role == "owner":
            raise conflict(Reason.OWNER_CANNOT_LEAVE)
        return
    if tier < Tier.ADMIN:
        raise forbidden("Only an admin removes another member.")
    if member.admin_role == "owner":
        raise conflict(Reason.OWNER_ROLE)


def transfer_ownership(owner: Membership, new_owner: Membership | None, now: str) -> tuple[Membership, Membership]:
    """The old owner, now an admin, and the new one; the new_owner must be another member of the board."""
    if new_owner is None or new_owner.user_id == owner.user_id:
        raise invalid_body({"memberId": "must be the membership id of another member"})
    return (
        owner.model_copy(update={"admin_role": "admin", "updated_at": now, "version": owner.version + 1}),
        new_owner.model_copy(update={"admin_role": "owner", "updated_at": now, "version": new_owner.version + 1}),
    )
