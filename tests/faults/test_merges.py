"""A merge that is killed, or meets a fault, at every call: what was begun is completed, and everything moves once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from governance.usecases.members.merging import complete_merge
from tests.faults.call_faults import FaultInjector, inject
from tests.faults.interrupted import Interrupted
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ProcessKilled
from tests.harness.merge_scenario import new_merge_scenario, rows_naming

pytestmark = pytest.mark.slow


class Merging(Interrupted[int]):
    """One merge that is requested again and again."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.merge = new_merge_scenario(scenario, rich=False)
        member_id = self.merge.member_id
        super().__init__(lambda: self.merge.merge(member_id).status)
        assert self.result == 200

    def repeat(self) -> None:
        assert self.act() in (200, 409)

    def resume(self) -> None:
        """Lets the deliveries go on with the merge, twice."""
        for _ in range(2):
            complete_merge({"boardId": self.merge.board.board_id, "unregisteredUserId": self.merge.anna})

    def complete(self, where: str, by: Callable[[Merging], None]) -> None:
        """Completes a merge, and asserts that it moved everything once; one that has not begun is not resumed."""
        has_begun = self.before.changes() != {}
        by(self)
        if has_begun or by is Merging.repeat:
            assert self.before.changes() == self.changes, where
            assert rows_naming(self.merge.anna) == [], where
        else:
            assert self.before.changes() == {}, where


@pytest.fixture
def merging(scenario: BoardScenario) -> Merging:
    return Merging(scenario)


@pytest.mark.parametrize("by", [Merging.repeat, Merging.resume])
def test_a_merge_that_was_killed_is_completed_by_the_same_request_and_by_the_deliveries(
    merging: Merging, by: Callable[[Merging], None]
) -> None:
    for _, where in merging.deaths():
        merging.complete(where, by)


def test_a_completion_that_was_killed_is_completed_by_the_next(merging: Merging) -> None:
    with inject(FaultInjector(merging.calls.index("TransactWriteItems"), crash="after")), suppress(ProcessKilled):
        merging.act()
    completion = Interrupted(merging.resume)
    for _, where in completion.deaths():
        merging.resume()
        assert merging.before.changes() == merging.changes, where


def test_a_merge_that_met_a_fault_is_completed_by_the_next_request(merging: Merging) -> None:
    for where, status in merging.faults():
        assert status in (503, 200), where
        merging.complete(where, Merging.repeat)
