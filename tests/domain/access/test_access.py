"""What a caller may do on a board: account, scope, tier and billing."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from governance.domain.access import access as access_rules
from governance.domain.access.access import Principal
from governance.errors import ApiError
from governance.scopes import ALL_SCOPES, Scope, Tier
from tests.domain.samples import FORBIDDEN, board, membership, refusal, token, user

SESSION = Principal(user(), None)
PERSONAL = Principal(user(), token(scopes=(Scope.BOARDS_READ,)))
FULL = Principal(user(), token(preset="full_access", scopes=ALL_SCOPES))
BOARD_TOKEN = Principal(None, token(kind="board", scopes=(Scope.MEETINGS_WRITE,)))


@pytest.mark.parametrize(
    ("principal", "kind", "owner", "user_id", "author", "via"),
    [
        (SESSION, "jwt", "u", "u", "u", "web"),
        (PERSONAL, "api_token", "u", "u", "u", "agent"),
        (BOARD_TOKEN, "board_token", "t", None, "a", "agent"),
    ],
)
def test_a_principal_is_a_user_or_a_boards_token_that_its_admin_answers_for(
    principal: Principal, kind: str, owner: str, user_id: str | None, author: str, via: str
) -> None:
    assert (principal.kind, principal.id, principal.user_id) == (kind, owner, user_id)
    assert (principal.named_user_id, principal.created_via) == (author, via)


def test_a_principal_without_user_and_token_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="a user or a token"):
        _ = Principal(None, None).id


def test_a_session_has_every_scope_and_a_token_its_own() -> None:
    assert set(SESSION.scopes) == set(Scope)
    assert set(PERSONAL.scopes) == {Scope.BOARDS_READ}
    access_rules.check_scope(SESSION, Scope.AUDIT_READ)
    access_rules.check_scope(PERSONAL, Scope.BOARDS_READ)
    needed = {"requiredScope": "boards:write"}
    assert refusal(access_rules.check_scope, PERSONAL, Scope.BOARDS_WRITE) == (403, "FORBIDDEN", needed)


@pytest.mark.parametrize(
    ("principal", "full"), [(SESSION, True), (FULL, True), (PERSONAL, False), (BOARD_TOKEN, False)]
)
def test_full_access_is_that_of_a_session_or_of_a_full_token(principal: Principal, full: bool) -> None:
    assert access_rules.has_full_access(principal) == full


@pytest.mark.parametrize(
    ("status", "code"), [("active", None), ("suspended", "ACCOUNT_SUSPENDED"), ("inactive", "ACCOUNT_INACTIVE")]
)
def test_only_an_active_account_calls(status: str, code: str | None) -> None:
    if code is None:
        access_rules.check_account(user(status=status))
    else:
        assert refusal(access_rules.check_account, user(status=status)) == (403, code, None)


@pytest.mark.parametrize(
    ("role", "access", "tier"),
    [
        *[("member", access, tier) for access, tier in (("guest", 1), ("collaborator", 2), ("manager", 3))],
        *[("admin", access, 4) for access in ("guest", "collaborator", "manager")],
        *[("owner", access, 5) for access in ("guest", "collaborator", "manager")],
    ],
)
def test_the_role_of_owners_and_admins_decides_before_the_access_type(role: str, access: str, tier: int) -> None:
    member = membership(admin_role=role, access_type=access)
    assert access_rules.member_tier(member) == Tier(tier)
    assert access_rules.tier(member, SESSION) == Tier(tier)


def test_a_board_token_is_a_collaborator_and_a_stranger_nothing() -> None:
    assert access_rules.tier(None, BOARD_TOKEN) is Tier.COLLABORATOR
    assert access_rules.tier(None, SESSION) is None
    assert access_rules.tier(None, PERSONAL) is None


@pytest.mark.parametrize(("actual", "needed"), list(product([*Tier, None], Tier)))
def test_a_tier_includes_the_lower_ones(actual: Tier | None, needed: Tier) -> None:
    if actual is not None and actual >= needed:
        access_rules.check_tier(actual, needed, SESSION, Scope.DOCUMENTS_WRITE)
    else:
        assert refusal(access_rules.check_tier, actual, needed, SESSION, Scope.DOCUMENTS_WRITE) == FORBIDDEN


def test_a_stranger_is_told_to_ask_for_an_invite_and_a_member_what_is_needed() -> None:
    for actual, words in ((None, "Ask for an invite"), (Tier.GUEST, "role of manager or higher")):
        with pytest.raises(ApiError) as refused:
            access_rules.check_tier(actual, Tier.MANAGER, SESSION, None)
        assert words in refused.value.message


REACHED = {
    (Tier.MANAGER, Scope.DOCUMENTS_WRITE),
    (Tier.MANAGER, Scope.REPORTS_WRITE),
    (Tier.ADMIN, Scope.AUDIT_READ),
    *product((Tier.GUEST, Tier.COLLABORATOR), [*Scope, None]),
}


@pytest.mark.parametrize(("needed", "scope"), list(product(Tier, [*Scope, None])))
def test_a_board_token_reaches_a_managers_writes_and_the_audit_log_by_its_scopes_alone(
    needed: Tier, scope: Scope | None
) -> None:
    arguments: Any = (Tier.COLLABORATOR, needed, BOARD_TOKEN, scope)
    if (needed, scope) in REACHED:
        access_rules.check_tier(*arguments)
    else:
        assert refusal(access_rules.check_tier, *arguments) == FORBIDDEN


@pytest.mark.parametrize(
    ("state", "restricted"),
    [
        *((state, False) for state in ("TRIAL_ACTIVE", "PAID_ACTIVE", "PAST_DUE_GRACE")),
        *((state, True) for state in ("TRIAL_EXPIRED", "PAST_DUE_RESTRICTED", "CANCELLED", "of a later version")),
    ],
)
def test_a_board_takes_no_writes_unless_its_billing_state_is_known_to_allow_them(state: str, restricted: bool) -> None:
    if restricted:
        assert refusal(access_rules.check_billing, board(billing_state=state)) == (403, "BILLING_RESTRICTED", None)
    else:
        access_rules.check_billing(board(billing_state=state))
