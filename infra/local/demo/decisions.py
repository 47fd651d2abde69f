"""A meeting on its way to a date: three proposals, the votes of three people and a guest; and who has what to do."""

from __future__ import annotations

from typing import Any

from governance.models.action_item import ActionItemCreate
from governance.models.board import StoredBoard
from governance.models.slot import GuestVoteBody, SlotCreate, VoteBody
from governance.store.schema import BOARD, GUEST_LINK, MEETING, SLOT
from governance.store.table import read, transact
from governance.usecases import action_items, guests, slots
from governance.usecases.context import Context
from infra.local.demo.boards import NORTHWIND
from infra.local.demo.stage import Stage

MEETING_NAME = "budget"
_MINUTES = (60, 90, 120)
# voter, then the vote on each proposal
_VOTES = (
    ("olivia", ("ok", "challenging", "cant")),
    ("maya", ("ok", "ok", "challenging")),
    ("paul", ("cant", "ok", "ok")),
)
_GUEST = "guest@example.org"
# meeting, author, assignee, title, status
_ITEMS = (
    ("quarterly", "adam", "olivia", "Send the agenda", "in_progress"),
    ("quarterly", "adam", "maya", "Prepare the figures of the quarter", "in_progress"),
    ("audit", "maya", "olivia", "Sign the auditors' letter", "completed"),
    ("today", "olivia", "paul", "Renew the insurance", "cancelled"),
    ("strategy", "olivia", "olivia", "Find a place for the retreat", "in_progress"),
)


def seed(stage: Stage) -> None:
    """The proposals, the votes, the guest's link, the action items."""
    params = {"boardId": stage.boards[NORTHWIND], "meetingId": stage.meetings[MEETING_NAME]}
    proposed = [_propose(stage, number, params) for number in range(len(_MINUTES))]
    for voter, votes in _VOTES:
        for slot, vote in zip(proposed, votes, strict=True):
            body = VoteBody.model_validate({"vote": vote})
            stage.act(voter, slots.vote_on_slot, body, **params, slotId=slot)
    token = stage.act("colin", guests.open_link, None, **params).token
    _vote_as_guest(stage, {**params, "token": token, "slotId": proposed[0]})
    items = [_assign(stage, *row) for row in _ITEMS]
    stage.walk = {**params, "slots": proposed, "guest": token, "actionItemId": items[0]}


def _propose(stage: Stage, number: int, params: dict[str, str]) -> str:
    start = stage.ahead(days=20 + number)
    body = {"startTime": start, "timezone": "Europe/Paris", "durationInMinutes": _MINUTES[number]}
    proposed_at = stage.ago(days=3)
    proposal = SlotCreate.model_validate(body, context={"now": proposed_at})
    made = stage.act("colin", slots.create_slot, proposal, at=proposed_at, **params)
    return str(made.id)


def _vote_as_guest(stage: Stage, params: dict[str, str]) -> None:
    loaded = read(entity.at(**params) for entity in (BOARD, MEETING, GUEST_LINK, SLOT))
    board = StoredBoard.model_validate(loaded[BOARD.at(**params)])
    context = Context(now=stage.now, params=params, known_board=board, loaded=loaded)
    body = GuestVoteBody.model_validate({"email": _GUEST, "vote": "ok", "comment": "By telephone"})
    transact(guests.vote_as_guest(context, body).writes)


def _assign(stage: Stage, meeting: str, author: str, assignee: str, title: str, status: str) -> str:
    body: dict[str, Any] = {"title": title, "status": status, "assigneeUserId": stage.people[assignee]}
    params = {"boardId": stage.boards[NORTHWIND], "meetingId": stage.meetings[meeting]}
    wanted = ActionItemCreate.model_validate(body)
    return str(stage.act(author, action_items.create_action_item, wanted, at=stage.ago(days=1), **params).id)
