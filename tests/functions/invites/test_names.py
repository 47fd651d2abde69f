"""The name that an invite gives its invitee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person
from tests.harness.client import Client, session

NAMES: dict[str, Any] = {"inviteeFirstName": "Anna", "inviteeLastName": "Berg"}


def shown(invites: InviteScenario) -> list[tuple[str | None, str | None]]:
    """Returns the names of the pending invites, newest first."""
    listed = invites.owner.client.get(f"{invites.board.path}/invite-names").data
    return [(entry["firstName"], entry["lastName"]) for entry in listed]


@pytest.mark.usefixtures("store")
def test_who_accepts_without_a_name_gets_the_invites_and_may_change_it(invites: InviteScenario) -> None:
    nameless = Client(session("ann@example.com", given_name=None, family_name=None))
    assert nameless.get("/api/v1/me").data["firstName"] is None
    invite = invites.invite("ann@example.com", **NAMES)
    accepted = nameless.put(f"/api/invite/accept/{invite}")
    assert (accepted.status, accepted.json["triggerNudge"]) == (200, False)
    assert nameless.get("/api/v1/me").data["fullName"] == "Anna Berg"
    assert nameless.patch("/api/v1/me", {"firstName": "Anne"}).data["fullName"] == "Anne Berg"


def test_a_name_that_somebody_has_stays(invites: InviteScenario, ann: Person) -> None:
    before = ann.client.get("/api/v1/me").data
    assert ann.client.put(f"/api/invite/accept/{invites.invite(ann.email, **NAMES)}").status == 200
    assert ann.client.get("/api/v1/me").data["fullName"] == before["fullName"]


def test_pending_invites_show_their_names_to_admins_until_they_are_answered(
    invites: InviteScenario, ann: Person
) -> None:
    invite = invites.invite(ann.email, **NAMES)
    invites.invite("ben@example.com")
    assert shown(invites) == [(None, None), ("Anna", "Berg")]
    assert "Berg" not in str(invites.listed())
    assert ann.client.put(f"/api/invite/decline/{invite}").status == 200
    assert shown(invites) == [(None, None)]


def test_the_inviter_and_admins_change_the_name_others_do_not(invites: InviteScenario) -> None:
    mia, admin = invites.board.member("mia"), invites.board.member("ada", admin_role="admin")
    invites.invite("ann@example.com", **NAMES)
    invites.invite("ann@example.com", by=mia.client, inviteeFirstName="Mallory")
    assert shown(invites) == [("Anna", "Berg")]
    invites.invite("ann@example.com")
    assert shown(invites) == [("Anna", "Berg")]
    invites.invite("ann@example.com", by=admin.client, inviteeFirstName="Anne")
    assert shown(invites) == [("Anne", None)]
