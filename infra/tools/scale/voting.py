"""The rows of `make scale` about votes on resolutions."""

from __future__ import annotations

from governance.instants import now, shift
from governance.limits import VOTERS_PER_GROUP
from infra.tools.scale.preparation import Request, board_with_members
from infra.tools.scale.world import World


def ballot(world: World, size: int) -> Request:
    """Returns a ballot on a resolution with about the given number of voters, in full groups."""
    voters = max(VOTERS_PER_GROUP, size - size % VOTERS_PER_GROUP)
    owner, board, members = world.shared(board_with_members, voters - 1)
    path = f"/api/v1/boards/{board.id}/resolutions"
    named = [{"userId": user_id} for user_id in (owner.id, *members)]
    body = {"title": "Budget", "text": "Adopted.", "voters": named, "closesAt": shift(now(), days=7)}
    resolution = f"{path}/{owner.data('POST', path, body)['id']}"
    owner.send("POST", f"{resolution}/open", None)
    return lambda: owner.send("PUT", f"{resolution}/ballot", {"choice": "for"})
