"""An opening that is killed, or meets a fault, between its transactions: it goes on, and everything moves once."""

from __future__ import annotations

import pytest

from governance.domain.series.composition import MOVES
from governance.errors import ApiError
from governance.ids import BoardId
from governance.usecases.series.opening import complete_opening
from tests.faults.interrupted import Interrupted
from tests.harness.board_scenario import BoardScenario
from tests.harness.sample_bodies import SERIES

pytestmark = pytest.mark.slow
WAITING = 2 * MOVES + 3


class Opening(Interrupted[bool]):
    """The rest of one opening, which is moved again and again."""

    def __init__(self, scenario: BoardScenario) -> None:
        client = scenario.owner.client
        for number in range(WAITING):
            assert client.post(f"{scenario.path}/backlog", {"title": f"Waiting {number}"}).status == 201
        series = client.post(f"{scenario.path}/series", SERIES).data["id"]
        opened = client.post(f"{scenario.path}/series/{series}/occurrences/{SERIES['start']}/open")
        self.ids = BoardId(scenario.board_id), opened.data["id"]
        super().__init__(self.complete)
        assert self.calls.count("TransactWriteItems") == 2

    def complete(self) -> bool:
        """Moves the rest; returns whether all is moved, which a queue would see and else try again."""
        try:
            return complete_opening(*self.ids)
        except ApiError:
            return False

    def go_on(self, where: str) -> None:
        """Lets the deliveries go on, twice, and asserts that everything is moved once."""
        assert self.act(), where
        assert self.act(), where
        assert self.before.changes() == self.changes, where


@pytest.fixture
def opening(scenario: BoardScenario) -> Opening:
    return Opening(scenario)


def test_an_opening_that_was_killed_goes_on(opening: Opening) -> None:
    for _, where in opening.deaths():
        opening.go_on(where)


def test_an_opening_that_met_a_fault_goes_on(opening: Opening) -> None:
    for where, _ in opening.faults():
        opening.go_on(where)
