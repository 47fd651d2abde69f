"""The demo data in an empty table, and what each of its users sees."""

from __future__ import annotations

import pytest

from governance import instants
from governance.settings import settings
from infra.local import demo
from infra.local.demo.scenario import Scenario
from tests.harness.client import Client

pytestmark = pytest.mark.usefixtures("store")


def test_every_printed_credential_works() -> None:
    seeded = demo.seed(settings())
    for user in seeded["users"]:
        for credential in (user["session"], user["token"]):
            assert Client(credential).get("/api/v1/whoami").json["userId"] == user["id"]
    for board in seeded["boards"]:
        assert Client(board["token"]).get(f"/api/v1/boards/{board['id']}").data["name"] == board["name"]


def test_every_role_and_every_status_occurs() -> None:
    seeded = demo.seed(settings())
    board = f"/api/v1/boards/{seeded['boards'][0]['id']}"
    owner = Client(seeded["users"][0]["session"])
    members = owner.all(f"{board}/members")
    assert {member["adminRole"] for member in members} == {"owner", "admin", "member"}
    assert {member["accessType"] for member in members} == {"guest", "collaborator", "manager"}
    statuses = {"draft", "scheduled", "in_progress", "completed", "finalized"}
    assert {meeting["status"] for meeting in owner.all(f"{board}/meetings")} == statuses


def test_a_slow_machine_is_seeded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeding takes longer than an event of a request may take to be stored."""
    began = instants.shift(instants.now(), seconds=-60)
    monkeypatch.setattr(demo, "Scenario", lambda settings: Scenario(settings, now=began))
    assert demo.seed(settings())["examples"]["slots"]
