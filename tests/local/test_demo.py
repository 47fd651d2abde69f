"""The demo data: sown into an empty table, and what its people see of it."""

from __future__ import annotations

import pytest

from governance.settings import settings
from infra.local import demo
from infra.stack.sessions import session
from tests.harness.client import Client

pytestmark = pytest.mark.usefixtures("store")


def test_everybody_can_call_with_what_is_printed() -> None:
    sown = demo.seed(settings())
    for user in sown["users"]:
        for credential in (user["session"], user["token"]):
            assert Client(credential).get("/api/v1/whoami").json["userId"] == user["id"]
    for board in sown["boards"]:
        assert Client(board["token"]).get(f"/api/v1/boards/{board['id']}").data["name"] == board["name"]


def test_every_role_and_every_state_is_there() -> None:
    sown = demo.seed(settings())
    board = f"/api/v1/boards/{sown['boards'][0]['id']}"
    owner = Client(sown["users"][0]["session"])
    members = owner.all(f"{board}/members")
    assert {member["adminRole"] for member in members} == {"owner", "admin", "member"}
    assert {member["accessType"] for member in members} == {"guest", "collaborator", "manager"}
    states = {"draft", "scheduled", "in_progress", "completed", "finalized"}
    assert {meeting["status"] for meeting in owner.all(f"{board}/meetings")} == states


def test_drafts_are_their_creators_alone() -> None:
    sown = demo.seed(settings())
    board = f"/api/v1/boards/{sown['boards'][0]['id']}"
    drafts = {
        user["email"]: [meeting["title"] for meeting in Client(user["token"]).all(f"{board}/meetings", status="draft")]
        for user in sown["users"]
    }
    assert drafts["olivia@example.com"] == ["Strategy retreat (draft)"]
    assert drafts["colin@example.com"] == ["Succession planning (draft)"]
    assert drafts["maya@example.com"] == []


def test_a_session_of_the_command_line_is_the_demos_user() -> None:
    sown = demo.seed(settings())
    again = session(settings(), "olivia@example.com", "Olivia", "Marsh")
    assert Client(again).get("/api/v1/me").data["id"] == sown["users"][0]["id"]
