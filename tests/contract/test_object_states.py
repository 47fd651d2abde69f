"""Every route by the state of what it names, held to the table in `object_states.txt`; what is hidden is absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.calls import InlinePool, counted
from tests.harness.client import Answer
from tests.harness.outbox import Outbox, outbox
from tests.harness.routes import ROUTE_NAMES
from tests.harness.states import STATES, States
from tests.harness.world import World, new_world

__all__ = ["outbox"]

_LINES = (Path(__file__).parent / "object_states.txt").read_text().splitlines()
TABLE = {
    " ".join(words[:2]): dict(zip(STATES, words[2:], strict=True))
    for words in (line.split() for line in _LINES if not line.startswith("#"))
}
HIDDEN = [
    (route, state) for route, row in sorted(TABLE.items()) for state in ("foreign", "hidden") if row[state] == "404"
]


@pytest.fixture
def states(world: World, outbox: Outbox) -> States:
    del outbox
    return States(world, new_world("oscar"), world.member("kim"))


def test_every_route_is_in_the_table_and_nothing_else() -> None:
    assert sorted(TABLE) == ROUTE_NAMES


@pytest.mark.parametrize("route", sorted(TABLE))
def test_a_route_answers_as_the_state_of_the_thing_demands(route: str, states: States) -> None:
    found = {}
    for state in STATES:
        request = states.request(route, state)
        if state == "restricted":
            states.world.bill("CANCELLED")
        found[state] = "-" if request is None else _status(request.by(states.world.owner.client))
    assert found == TABLE[route]


def _status(answer: Answer) -> str:
    """The status; B where it is the billing state that refuses."""
    return "B" if answer.status == 403 and answer.code == "BILLING_RESTRICTED" else str(answer.status)


@pytest.mark.parametrize(("route", "state"), HIDDEN)
def test_what_is_hidden_answers_and_costs_what_the_absent_does(
    route: str, state: str, states: States, pool: InlinePool
) -> None:
    seen = []
    for which in ("absent", state):
        request = states.request(route, which)
        assert request is not None
        with counted(pool) as calls:
            answer = request.by(states.world.owner.client)
        assert answer.status == 404
        seen.append((_without_id(answer), sorted(answer.headers), calls.sequential, sorted(calls.beside)))
    assert seen[0] == seen[1]


def _without_id(answer: Answer) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(answer.text)
    body.get("error", {}).pop("requestId", None)
    return body
