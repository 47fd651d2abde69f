"""Open invites, one of them sent by two people; nobody behind them has an account yet."""

from __future__ import annotations

from governance.models.invite import InviteCreate
from governance.usecases import invites
from infra.local.demo.boards import HARBOR, NORTHWIND
from infra.local.demo.stage import Stage

# board, inviter, days ago, address, message, positions
_STORY = (
    (NORTHWIND, "olivia", 6, "nadia@example.com", "We would love to have you on the audit side.", ["board member"]),
    (NORTHWIND, "colin", 5, "nadia@example.com", None, None),
    (NORTHWIND, "adam", 3, "counsel@example.org", "For the <next> meeting & the one after.", ["corporate lawyer"]),
    (HARBOR, "paul", 2, "treasurer@example.org", None, ["cfo", "observer"]),
)


def seed(stage: Stage) -> None:
    """Who was invited by whom."""
    for board, inviter, days, email, message, positions in _STORY:
        wanted = InviteCreate.model_validate({"inviteeEmail": email, "message": message, "boardPositions": positions})
        stage.act(inviter, invites.create_invite, wanted, at=stage.ago(days=days), boardId=stage.boards[board])
