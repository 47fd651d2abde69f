"""What operators do without the API: it is recorded, and nothing that was begun before undoes it."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.access.access import BILLING_STATES
from governance.errors import ApiError, Code
from governance.ids import BoardId, UserId, membership_id
from governance.usecases.operator import operator, purge
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import stored_events
from tests.harness.table_snapshot import TableSnapshot

BOARDS, MY_TOKENS = "/api/v1/boards", "/api/v1/me/tokens"
TOKEN = {"name": "robot", "preset": "read_only", "expiresInDays": None}


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    return scenario.member("ben")


def refusal(act: Any) -> tuple[Code, Any]:
    with pytest.raises(ApiError) as raised:
        act()
    return raised.value.code, raised.value.details


def test_an_account_that_is_closed_while_its_user_changes_it_is_closed(ben: Person) -> None:
    with meanwhile(lambda: operator.set_user_status(UserId(ben.id), "suspended")):
        refused = ben.client.patch("/api/v1/me", {"firstName": "Benedict"})
    assert refused.failure == (403, "ACCOUNT_SUSPENDED")
    assert ben.client.get("/api/v1/me").failure == (403, "ACCOUNT_SUSPENDED")


def test_the_account_of_a_purged_user_stays_closed(ben: Person) -> None:
    purge.begin(UserId(ben.id))
    code, details = refusal(lambda: operator.set_user_status(UserId(ben.id), "active"))
    assert code is Code.INVALID_REQUEST_BODY
    assert details == {"fields": {"userId": "must not be the id of a purged user, whose account stays closed"}}
    assert operator.show_user(UserId(ben.id))[0].status == "inactive"


def test_a_billing_state_that_is_set_while_the_board_is_changed_stays(scenario: BoardScenario) -> None:
    with meanwhile(lambda: operator.set_billing(BoardId(scenario.board_id), "CANCELLED")):
        scenario.owner.client.patch(scenario.path, {"description": "New"})
    assert scenario.owner.client.get(scenario.path).data["billingState"] == "CANCELLED"


def test_a_billing_state_is_one_of_those_that_exist(scenario: BoardScenario) -> None:
    before = TableSnapshot()
    code, details = refusal(lambda: operator.set_billing(BoardId(scenario.board_id), "FREE"))
    assert code is Code.INVALID_REQUEST_BODY
    assert details == {"fields": {"billingState": f"must be one of {', '.join(BILLING_STATES)}"}}
    assert not before.changes()


def test_a_board_whose_billing_state_changes_comes_first_in_the_lists_of_its_members(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    later = owner.post(BOARDS, {"name": "Later"}).data["id"]
    assert [board["id"] for board in owner.get(BOARDS).data] == [later, scenario.board_id]
    operator.set_billing(BoardId(scenario.board_id), "PAID_ACTIVE")
    listed = owner.get(BOARDS).data
    assert [board["id"] for board in listed] == [scenario.board_id, later]
    assert listed[0]["updatedAt"] > listed[1]["updatedAt"]


def test_a_boards_token_that_an_operator_revokes_is_in_the_feed_once(scenario: BoardScenario) -> None:
    token = scenario.owner.client.post(f"{scenario.path}/tokens", TOKEN).data["id"]
    for _ in range(2):
        operator.revoke_token(token)
    (event,) = stored_events(scenario, "token.revoked")
    assert (event.actor_user_id, event.details["id"]) == (None, token)


def test_a_token_of_a_user_is_revoked_and_those_of_a_deleted_board_are_gone(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    own = owner.post(MY_TOKENS, TOKEN).data["id"]
    for _ in range(2):
        operator.revoke_token(own)
    assert [(token["id"], token["status"]) for token in owner.get(MY_TOKENS).data] == [(own, "revoked")]
    of_board = owner.post(f"{scenario.path}/tokens", TOKEN).data["id"]
    assert owner.delete(scenario.path).status == 200
    assert refusal(lambda: operator.revoke_token(of_board)) == (Code.RESOURCE_NOT_FOUND, None)


def test_the_owner_hands_over_whichever_member_comes_first(scenario: BoardScenario, ben: Person) -> None:
    scenario.member("cleo")
    for new, old in ((ben, scenario.owner), (scenario.owner, ben)):
        member_id = membership_id(scenario.board_id, new.id)
        operator.transfer_ownership(BoardId(scenario.board_id), member_id)
        roles = {member["userId"]: member["adminRole"] for member in new.client.all(f"{scenario.path}/members")}
        assert (roles[new.id], roles[old.id]) == ("owner", "admin")
        assert sorted(roles.values()) == ["admin", "member", "owner"]


def test_of_a_deleted_board_nothing_is_changed(scenario: BoardScenario, ben: Person) -> None:
    assert scenario.owner.client.delete(scenario.path).status == 200
    board_id = BoardId(scenario.board_id)
    before = TableSnapshot()
    for act in (
        lambda: operator.set_billing(board_id, "CANCELLED"),
        lambda: operator.transfer_ownership(board_id, membership_id(board_id, ben.id)),
        lambda: operator.webhooks_of_board(board_id),
    ):
        assert refusal(act) == (Code.RESOURCE_NOT_FOUND, None)
    assert not before.changes()
