"""The routes of the caller's own account: me, whoami and personal tokens."""

from __future__ import annotations

import time

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, session

pytestmark = pytest.mark.usefixtures("store")
ME = "/api/v1/me"


def test_me_has_exactly_the_specified_fields() -> None:
    me = person("eve").client.get(ME).data
    expected = "object id email firstName lastName fullName avatarUrl timezone language createdAt updatedAt"
    assert list(me) == expected.split()
    assert (me["object"], me["fullName"], me["avatarUrl"]) == ("user", "Eve Tester", None)


def test_a_patch_changes_only_its_fields_and_null_clears_one() -> None:
    eve = person("eve").client
    changed = eve.patch(ME, {"firstName": None, "avatarUrl": "https://example.com/e.png", "language": "fr"}).data
    assert (changed["firstName"], changed["lastName"], changed["fullName"]) == (None, "Tester", "Tester")
    assert eve.patch(ME, {"avatarUrl": None}).data["avatarUrl"] is None
    assert eve.get(ME).data["language"] == "fr"


@pytest.mark.parametrize("name", ["firstName", "lastName"])
def test_who_chose_one_name_keeps_both_whatever_the_session_claims(name: str) -> None:
    eve = person("eve").client
    chosen = eve.patch(ME, {name: "Chosen"}).data["fullName"]
    assert eve.patch(ME, {"timezone": "Europe/Paris"}).status == 200
    claiming = session("eve@example.com", given_name="New", family_name="Name", iat=int(time.time()) + 1)
    assert Client(claiming).get(ME).data["fullName"] == chosen


def test_whoami_describes_the_credential(scenario: BoardScenario) -> None:
    owner = scenario.owner
    assert owner.client.get("/api/v1/whoami").json == {
        "object": "whoami",
        "authType": "jwt",
        "userId": owner.id,
        "email": owner.email,
    }
    personal = scenario.personal_token(owner, "read_only").get("/api/v1/whoami").json
    assert (personal["authType"], personal["tokenName"], personal["expiresAt"]) == ("api_token", "robot", None)
    assert all(scope.endswith(":read") for scope in personal["scopes"])
    board = scenario.token().get("/api/v1/whoami").json
    assert (board["authType"], board["boardId"], board["boardName"]) == ("board_token", scenario.board_id, "Board")
    assert "userId" not in board


def test_a_tokens_secret_is_shown_once_and_its_last_use_is_recorded(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    body = {"name": "export", "preset": "read_only", "expiresInDays": 30}
    minted = owner.post(f"{ME}/tokens", body).data
    assert owner.get(f"{ME}/tokens").data == [{name: value for name, value in minted.items() if name != "secret"}]
    assert minted["lastUsedAt"] is None
    Client(minted["secret"]).get(ME)
    assert owner.get(f"{ME}/tokens").data[0]["lastUsedAt"] is not None
    assert [owner.delete(f"{ME}/tokens/{minted['id']}").status for _ in range(2)] == [200, 200]
    assert owner.get(f"{ME}/tokens").data[0]["status"] == "revoked"
