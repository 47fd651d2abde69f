"""A race proves something only of calls that overlap: it fails if there are none, or if none had a required outcome."""

from __future__ import annotations

from threading import Barrier, Lock

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.race import HEAD_STARTS, Call, Race

pytestmark = pytest.mark.slow


def run_apart(race: Race, scenario: BoardScenario, *outcomes: int) -> None:
    """Runs rounds of two reads, one after the other; each answers 200."""
    turn = Lock()

    def read() -> Response:
        with turn:
            return scenario.owner.client.get(scenario.path)

    _run(race, read, *outcomes)


def run_together(race: Race, scenario: BoardScenario, *outcomes: int) -> None:
    """Runs rounds of two calls that overlap whatever the machine does: both wait within; each answers 200."""
    both = Barrier(2)

    def read() -> Response:
        for _ in range(HEAD_STARTS):
            scenario.owner.client.get(scenario.path)
        both.wait()
        return scenario.owner.client.get(scenario.path)

    _run(race, read, *outcomes)


def _run(race: Race, read: Call, *outcomes: int) -> None:

    for _ in race.rounds(3, *outcomes):
        responses = race.run(read, read)
        race.saw(responses[0].status)


def test_a_race_fails_whose_calls_never_overlap(scenario: BoardScenario, race: Race) -> None:
    with pytest.raises(AssertionError, match="only 0 of 60 rounds overlapped"):
        run_apart(race, scenario, 200)


def test_a_race_fails_without_one_of_its_outcomes(scenario: BoardScenario, race: Race) -> None:
    with pytest.raises(AssertionError, match=r"never seen in calls that overlapped: \{404\}"):
        run_together(race, scenario, 200, 404)


def test_a_race_fails_with_an_outcome_that_it_does_not_state(scenario: BoardScenario, race: Race) -> None:
    with pytest.raises(AssertionError, match="200 is the result of no order of the calls"):
        run_together(race, scenario, 404)


def test_a_race_fails_if_more_than_a_twentieth_of_its_responses_are_503(scenario: BoardScenario, race: Race) -> None:
    answered, busy = Response(201, {}, ""), Response(503, {}, "")
    assert race.without_busy([busy, *[answered] * 19]) == [answered] * 19
    run_together(race, scenario, 200)
    race.without_busy([busy])
    with pytest.raises(AssertionError, match="2 of 21 responses were 503"):
        run_together(race, scenario, 200)
