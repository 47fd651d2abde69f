"""A round runs random sequences of requests from a seed and compares every response with the plain model."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.board_machine import BoardMachine
from tests.model.service_machine import ServiceMachine

_STEPS = 40
_RUNS = 100
"""Sequences per round: about 40 seconds, so that starting a process is a small share of it."""


def compare(number: int, runs: int = _RUNS) -> int:
    """Runs sequences of up to 40 steps from a seed. Returns how many responses agreed; raises the first failure."""
    before = BoardMachine.compared
    run_state_machine_as_test(
        seed(number)(type("Machine", (ServiceMachine,), {})),
        settings=settings(
            max_examples=runs,
            stateful_step_count=_STEPS,
            phases=(Phase.generate, Phase.shrink),
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return BoardMachine.compared - before
