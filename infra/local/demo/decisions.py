"""A meeting without a date yet: three slots, the votes of three members and a guest. Also the action items."""

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
from infra.local.demo.scenario import Scenario

MEETING_NAME = "budget"
_HOURS, _MINUTES = ("09", "13", "16"), (60, 90, 120)
# voter, votes on the slots in order
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
    ("strategy", "olivia", "olivia", "Find a venue for the retreat", "in_progress"),
)


def seed(scenario: Scenario) -> None:
    """Creates slots, votes, the guest link and action items."""
    params = {"boardId": scenario.boards[NORTHWIND], "meetingId": scenario.meetings[MEETING_NAME]}
    slot_ids = [_create_slot(scenario, number, params) for number in range(len(_MINUTES))]
    for voter, votes in _VOTES:
        for slot_id, vote in zip(slot_ids, votes, strict=True):
            body = VoteBody.model_validate({"vote": vote})
            scenario.call(voter, slots.vote_on_slot, body, **params, slotId=slot_id)
    token = scenario.call("colin", guests.open_link, None, **params).token
    _vote_as_guest(scenario, {**params, "token": token, "slotId": slot_ids[0]})
    items = [_assign(scenario, *row) for row in _ITEMS]
    scenario.examples = {**params, "slots": slot_ids, "guest": token, "actionItemId": items[0]}


def _create_slot(scenario: Scenario, number: int, params: dict[str, str]) -> str:
    start = f"{scenario.ahead(days=20 + number)[:10]}T{_HOURS[number]}:00:00Z"
    fields = {"startTime": start, "timezone": "Europe/Paris", "durationInMinutes": _MINUTES[number]}
    proposed_at = scenario.ago(days=3)
    body = SlotCreate.model_validate(fields, context={"now": proposed_at})
    slot = scenario.call("colin", slots.create_slot, body, at=proposed_at, **params)
    return str(slot.id)


def _vote_as_guest(scenario: Scenario, params: dict[str, str]) -> None:
    loaded = read(entity.key_for(**params) for entity in (BOARD, MEETING, GUEST_LINK, SLOT))
    board = StoredBoard.model_validate(loaded[BOARD.key_for(**params)])
    context = Context(now=scenario.now, params=params, known_board=board, loaded=loaded)
    body = GuestVoteBody.model_validate({"email": _GUEST, "vote": "ok", "comment": "By telephone"})
    transact(guests.vote_as_guest(context, body).writes)


def _assign(scenario: Scenario, meeting: str, author: str, assignee: str, title: str, status: str) -> str:
    body: dict[str, Any] = {"title": title, "status": status, "assigneeUserId": scenario.people[assignee]}
    params = {"boardId": scenario.boards[NORTHWIND], "meetingId": scenario.meetings[meeting]}
    item = ActionItemCreate.model_validate(body)
    return str(scenario.call(author, action_items.create_action_item, item, at=scenario.ago(days=1), **params).id)
