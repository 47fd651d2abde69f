"""Certificates: what was decided, as it stood then, with the proof that it is in the log (ADR resolutions)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.instants import now, shift
from infra.verify import certificate as checker
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response

pytestmark = pytest.mark.usefixtures("bucket")


def opened(scenario: BoardScenario, **members: Any) -> str:
    """Returns the path of a resolution that was opened."""
    owner = scenario.owner.client
    made = {"title": "Buy it", "text": "We buy it.", "closesAt": shift(now(), days=1), **members}
    created = owner.post(f"{scenario.path}/resolutions", made)
    assert created.status == 201, created.text
    path = f"{scenario.path}/resolutions/{created.data['id']}"
    answer = owner.post(f"{path}/open")
    assert answer.status == 200, answer.text
    return path


def cast(who: Person, path: str, choice: str) -> None:
    answer = who.client.put(f"{path}/ballot", {"choice": choice})
    assert answer.status == 200, answer.text


def closed(scenario: BoardScenario, *choices: str, **members: Any) -> str:
    """Returns the path of a resolution that the owner and others have decided."""
    voters = [scenario.owner, *(scenario.member(f"voter{number}") for number in range(len(choices) - 1))]
    path = opened(scenario, **members)
    for who, choice in zip(voters, choices, strict=True):
        cast(who, path, choice)
    answer = scenario.owner.client.post(f"{path}/close")
    assert answer.status == 200, answer.text
    return path


def certificate(scenario: BoardScenario, path: str) -> Response:
    return scenario.owner.client.get(f"{path}/certificate")


@pytest.mark.parametrize("ballots", ["named", "hidden", "secret"])
def test_a_stranger_recomputes_what_was_decided(scenario: BoardScenario, ballots: str) -> None:
    path = closed(scenario, "for", "against", "for", ballots=ballots)
    sealing.seal(scenario.board_id)
    text = certificate(scenario, path).text
    lines = checker.report(text, sealing.key().text)
    assert lines[:3] == [
        f"{json.loads(text)['data']['resolution']['number']} Buy it: carried.",
        "For 2, against 1, abstained 0.",
        "3 of 3 voted.",
    ]
