"""A merge that is killed, or meets a fault, at every call: what was begun is completed, and everything moves once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from governance.usecases.members.merging import complete_merge
from tests.faults.call_faults import FAULTS, FaultInjector, inject
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ProcessKilled
from tests.harness.merge_scenario import MergeScenario, new_merge_scenario, rows_naming
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.slow


class Merging:
    """One merge that is requested again and again on the same table, and what it changes."""

    def __init__(self, merge: MergeScenario) -> None:
        self.merge = merge
        self.member_id = merge.member_id
        self.before = TableSnapshot()
        with inject(FaultInjector()) as injector:
            assert self.request() == 200
        self.calls, self.changes = injector.calls, self.before.changes()
        assert self.changes
        self.before.restore()

    def request(self) -> int:
        return self.merge.merge(self.member_id).status

    def repeat(self) -> None:
        """Requests the merge again, which may be complete."""
        assert self.request() in (200, 409)

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
        self.before.restore()

    def fault_cases(self) -> Iterator[tuple[int, str]]:
        """Yields every call with every fault that its operation can have."""
        for call, operation in enumerate(self.calls):
            yield from ((call, name) for name, fault in FAULTS.items() if operation in fault.operations)


@pytest.fixture
def merging(scenario: BoardScenario) -> Merging:
    return Merging(new_merge_scenario(scenario, rich=False))


@pytest.mark.parametrize("by", [Merging.repeat, Merging.resume])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_merge_that_was_killed_is_completed_by_the_same_request_and_by_the_deliveries(
    merging: Merging, moment: str, by: Callable[[Merging], None]
) -> None:
    for call, operation in enumerate(merging.calls):
        with inject(FaultInjector(call, crash=moment)), pytest.raises(ProcessKilled):
            merging.request()
        merging.complete(f"died {moment} call {call} ({operation})", by)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_completion_that_was_killed_is_completed_by_the_next(merging: Merging, moment: str) -> None:
    marked = next(number for number, name in enumerate(merging.calls) if name == "TransactWriteItems")
    with inject(FaultInjector(marked, crash="after")), pytest.raises(ProcessKilled):
        merging.request()
    begun = TableSnapshot()
    with inject(FaultInjector()) as injector:
        merging.resume()
    calls = injector.calls
    assert merging.before.changes() == merging.changes
    for call in range(len(calls)):
        begun.restore()
        with inject(FaultInjector(call, crash=moment)), suppress(ProcessKilled):
            merging.resume()
        merging.resume()
        assert merging.before.changes() == merging.changes, f"died {moment} call {call} ({calls[call]})"


def test_a_merge_that_met_a_fault_is_completed_by_the_next_request(merging: Merging) -> None:
    for call, name in merging.fault_cases():
        where = f"{name} at call {call} ({merging.calls[call]})"
        with inject(FaultInjector(call, FAULTS[name])) as injector:
            status = merging.request()
        assert injector.attempts, where
        assert status in ((503, 200) if FAULTS[name].persistent else (200,)), (where, status)
        merging.complete(where, Merging.repeat)
