"""Pending invites to people without an account. Two members have invited the same person."""

from __future__ import annotations

from governance.models.invites.invite import InviteCreate
from governance.usecases.invites import invites
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.scenario import Scenario

# board, inviter, days ago, address, message, positions
_INVITES = (
    (NORTHWIND, "olivia", 6, "nadia@example.com", "We would love to have you on the audit side.", ["board member"]),
    (NORTHWIND, "colin", 5, "nadia@example.com", None, None),
    (NORTHWIND, "adam", 3, "counsel@example.org", "For the <next> meeting & the one after.", ["corporate lawyer"]),
    (HARBOR, "paul", 2, "treasurer@example.org", None, ["cfo", "observer"]),
)


def seed(scenario: Scenario) -> None:
    """Creates the invites."""
    for board, inviter, days, email, message, positions in _INVITES:
        body = InviteCreate.model_validate({"inviteeEmail": email, "message": message, "boardPositions": positions})
        scenario.call(inviter, invites.create_invite, body, at=scenario.ago(days=days), boardId=scenario.boards[board])
