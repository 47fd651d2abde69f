"""Something that is done again and again on the same table, with a fault or a death at each of its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Generic, TypeVar

from tests.faults.call_faults import BATCH, FAULTS, QUERY, FaultInjector, fault_cases, inject
from tests.harness.crash_injection import ProcessKilled
from tests.harness.table_snapshot import TableSnapshot

T = TypeVar("T")


class Interrupted(Generic[T]):
    """An act, the calls that it makes, and the changes to the table that it makes where nothing fails."""

    def __init__(self, act: Callable[[], T]) -> None:
        self.act = act
        self.before = TableSnapshot()
        with inject(FaultInjector()) as injector:
            self.result = act()
        self.calls, self.changes = injector.calls, self.before.changes()
        assert self.changes, "it writes nothing, so the test would prove nothing"
        self.before.restore()

    def deaths(self) -> Iterator[tuple[int, str]]:
        """Dies after each call that writes or sends; yields its number and where. Restores the table after each.

        A death before a call leaves what one after the last of these calls leaves.
        """
        for call, operation in enumerate(self.calls):
            if operation in (BATCH, QUERY):
                continue
            with inject(FaultInjector(call, crash="after")) as injector, suppress(ProcessKilled):
                self.act()
            assert len(injector.calls) > call
            yield call, f"died after call {call} ({operation})"
            self.before.restore()

    def faults(self) -> Iterator[tuple[str, T]]:
        """Meets each fault that can be told apart at each call; yields where, and what the act returned."""
        for call, name in fault_cases(self.calls):
            where = f"{name} at call {call} ({self.calls[call]})"
            with inject(FaultInjector(call, FAULTS[name])) as injector:
                result = self.act()
            assert injector.attempts, where
            yield where, result
            self.before.restore()
