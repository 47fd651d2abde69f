"""The rules of membership: a board has one owner, and no other member changes that membership."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.members import membership as membership_rules
from governance.ids import UserId
from governance.scopes import Tier
from tests.domain.samples import CREATOR, FORBIDDEN, NOW, OTHER, changed, conflict, membership, refusal, user


def test_a_member_changes_with_a_new_version() -> None:
    old = membership()
    new = membership_rules.patched(old, {"access_type": "manager", "board_positions": ["ceo", "cfo"]}, OTHER, NOW)
    members = {"access_type": "manager", "board_positions": ("ceo", "cfo")}
    assert changed(old, new) == {**members, "updated_at": NOW, "version": 2}


@pytest.mark.parametrize(
    ("caller", "changes", "refused"),
    [
        (CREATOR, {"access_type": "guest"}, False),
        (CREATOR, {"admin_role": "member"}, True),
        (CREATOR, {"admin_role": "member", "access_type": "guest"}, True),
        (OTHER, {"access_type": "guest"}, True),
    ],
)
def test_the_owner_alone_changes_the_owner_and_nobody_the_owners_role(
    caller: UserId, changes: dict[str, Any], refused: bool
) -> None:
    owner = membership(admin_role="owner")
    if refused:
        assert refusal(membership_rules.patched, owner, changes, caller, NOW) == conflict("OWNER_ROLE")
    else:
        assert membership_rules.patched(owner, changes, caller, NOW).access_type == "guest"
    for role in ("admin", "member"):
        assert (
            membership_rules.patched(membership(admin_role=role), {"admin_role": "admin"}, caller, NOW).admin_role
            == "admin"
        )


@pytest.mark.parametrize("tier", Tier)
def test_admins_and_the_owner_remove_others(tier: Tier) -> None:
    if tier >= Tier.ADMIN:
        membership_rules.check_may_remove_others(tier)
    else:
        assert refusal(membership_rules.check_may_remove_others, tier) == FORBIDDEN


@pytest.mark.parametrize(("leaving", "reason"), [(True, "OWNER_CANNOT_LEAVE"), (False, "OWNER_ROLE")])
def test_the_owner_neither_leaves_nor_is_removed(leaving: bool, reason: str) -> None:
    assert refusal(membership_rules.check_removable, membership(admin_role="owner"), leaving=leaving) == conflict(
        reason
    )
    for role in ("admin", "member"):
        membership_rules.check_removable(membership(admin_role=role), leaving=leaving)


def test_ownership_moves_to_another_member_and_the_owner_stays_as_an_admin() -> None:
    owner = membership(admin_role="owner", version=3)
    successor = membership(id="l", user_id="v", access_type="guest", version=7)
    old, new = membership_rules.transfer_ownership(owner, successor, user(id="v"), NOW)
    assert changed(owner, old) == {"admin_role": "admin", "updated_at": NOW, "version": 4}
    assert changed(successor, new) == {"admin_role": "owner", "updated_at": NOW, "version": 8}


def test_ownership_moves_neither_to_nobody_nor_to_the_owner_nor_to_an_account_that_cannot_call() -> None:
    owner, other = membership(admin_role="owner"), membership(user_id="v")
    absent = {"fields": {"memberId": "must be the membership id of another member of the board"}}
    for new_owner in (None, owner):
        assert refusal(membership_rules.transfer_ownership, owner, new_owner, user(), NOW)[2] == absent
    useless = {"fields": {"memberId": "must be the membership id of a member with an active account"}}
    for account in (None, user(status="suspended"), user(status="inactive")):
        refused = refusal(membership_rules.transfer_ownership, owner, other, account, NOW)
        assert refused == (400, "INVALID_REQUEST_BODY", useless)
