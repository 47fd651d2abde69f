"""A race proves something only of calls that overlap: it fails if there are none, or if none had a required outcome."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from threading import Lock

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.race import Race

pytestmark = pytest.mark.slow


def run_reads(race: Race, scenario: BoardScenario, turn: AbstractContextManager[object], *outcomes: int) -> None:
    """Runs three rounds of two reads that wait for their turn; each answers 200."""

    def read() -> Response:
        with turn:
            return scenario.owner.client.get(scenario.path)

    for _ in race.rounds(3, *outcomes):
        responses = race.run(read, read)
        race.saw(responses[0].status)


def test_a_race_fails_whose_calls_never_overlap(scenario: BoardScenario, race: Race) -> None:
    with pytest.raises(AssertionError, match="only 0 of 15 rounds overlapped"):
        run_reads(race, scenario, Lock(), 200)


def test_a_race_fails_without_one_of_its_outcomes(scenario: BoardScenario, race: Race) -> None:
    with pytest.raises(AssertionError, match=r"never seen in calls that overlapped: \{404\}"):
        run_reads(race, scenario, nullcontext(), 200, 404)


def test_a_race_fails_with_an_outcome_that_it_does_not_state(scenario: BoardScenario, race: Race) -> None:
    with pytest.raises(AssertionError, match="200 is the result of no order of the calls"):
        run_reads(race, scenario, nullcontext(), 404)


def test_a_race_fails_if_more_than_a_twentieth_of_its_responses_are_503(scenario: BoardScenario, race: Race) -> None:
    answered, busy = Response(201, {}, ""), Response(503, {}, "")
    assert race.without_busy([busy, *[answered] * 19]) == [answered] * 19
    run_reads(race, scenario, nullcontext(), 200)
    race.without_busy([busy])
    with pytest.raises(AssertionError, match="2 of 21 responses were 503"):
        run_reads(race, scenario, nullcontext(), 200)
