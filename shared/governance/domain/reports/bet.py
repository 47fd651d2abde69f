"""The rules of bets: what changes one, and when its owner loses it (ADR figures)."""

from __future__ import annotations

import json
from typing import Any

from governance.errors import invalid_body
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from governance.models.reports.bet import Bet, BetCreate, BetPatch, LatestFigure, StoredBet, TargetBody
from governance.models.reports.figure import StoredFigure

OWNER_ERROR = {"ownerUserId": "must be the user id of a member of the board"}


def created(board_id: BoardId, body: BetCreate, now: Instant) -> StoredBet:
    """Returns the new bet that the body describes."""
    return StoredBet(
        **body.model_dump(exclude={"target", "status"}),
        id=new_id(),
        board_id=board_id,
        target=_target_text(body.target),
        status=body.status or "open",
        owned_since=now if body.owner_user_id else None,
        created_at=now,
        updated_at=now,
    )


def patched(bet: StoredBet, body: BetPatch, now: Instant) -> StoredBet:
    """Returns the bet with these changes; the same object if they change nothing."""
    changes: dict[str, Any] = body.changes()
    if "target" in changes:
        changes["target"] = _target_text(body.target)
    new = bet.model_copy(update=changes)
    if new == bet:
        return bet
    if new.owner_user_id != bet.owner_user_id:
        new = new.model_copy(update={"owned_since": now if new.owner_user_id else None})
    return new.model_copy(update={"updated_at": now, "version": bet.version + 1})


def _target_text(target: TargetBody | None) -> str | None:
    return None if target is None else json.dumps(target.model_dump(by_alias=True))


def without_owner(bet: StoredBet, user_id: UserId, since: Instant, now: Instant) -> StoredBet | None:
    """Returns the bet without this owner; None if somebody else owns it or it was assigned after `since`."""
    if bet.owner_user_id != user_id or (bet.owned_since or since) > since:
        return None
    changes = {"owner_user_id": None, "owned_since": None, "updated_at": now, "version": bet.version + 1}
    return bet.model_copy(update=changes)


def not_a_member(_: object) -> Exception:
    """Returns the 400 for an owner who is not a member of the board."""
    return invalid_body(OWNER_ERROR)


def to_resource(bet: StoredBet, figure: StoredFigure | None) -> Bet:
    """Returns the bet as its board sees it, with the newest figure of its KPI."""
    target = None if bet.target is None else json.loads(bet.target)
    return Bet.model_validate({**bet.item(), "target": target, "latest": _latest(figure)})


def _latest(figure: StoredFigure | None) -> LatestFigure | None:
    return None if figure is None else LatestFigure.model_validate({**figure.item(), "value": json.loads(figure.value)})
