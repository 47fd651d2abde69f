"""A round runs random sequences of requests from a seed and compares every response with the plain model."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from resource import RUSAGE_SELF, getrusage
from time import process_time

from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.board_machine import BoardMachine
from tests.model.service_machine import ServiceMachine

_STEPS = 40
_RUNS = 100
"""Sequences per round: about 40 seconds, so that starting a process is a small share of it."""


@dataclass(frozen=True)
class Findings:
    """What a round found: how many responses were compared, and the shortest sequence that fails, if any does."""

    number: int
    compared: int
    seconds: float
    megabytes: int
    failure: str | None = None


def compare(number: int, runs: int = _RUNS) -> int:
    """Runs sequences of up to 40 steps from a seed. Returns how many responses agreed; raises the first failure."""
    before = BoardMachine.compared
    run_state_machine_as_test(
        seed(number)(type("Machine", (ServiceMachine,), {})),
        settings=settings(
            max_examples=runs,
            stateful_step_count=_STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return BoardMachine.compared - before


def run_round(number: int) -> Findings:
    """Runs a round in a process of its own. Returns a failure as text, because not every exception can be sent."""
    failure = None
    try:
        compare(number)
    except Exception:  # noqa: BLE001 - any of them is a finding
        failure = traceback.format_exc()
    return Findings(number, BoardMachine.compared, process_time(), getrusage(RUSAGE_SELF).ru_maxrss // 1024, failure)
