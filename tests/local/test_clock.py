"""The clock of `make run`: invokes functions at the intervals of the template, whatever becomes of an invocation."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from infra.local.clock import Clock
from infra.stack.template import Schedule


def test_a_tick_comes_in_each_interval_also_after_a_crash(caplog: pytest.LogCaptureFixture) -> None:
    events: list[Any] = []
    enough = threading.Event()

    def invoke(event: dict[str, Any]) -> None:
        events.append(event)
        if len(events) == 2:
            enough.set()
        raise RuntimeError("no time")

    clock = Clock(Schedule("deliveries", 0), invoke)
    clock.start()
    assert enough.wait(60)
    clock.stop()
    assert events[0]["source"] == "aws.events"
    assert "The scheduled function crashed." in caplog.text
