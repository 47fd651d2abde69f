"""A round runs random requests from a seed: sequences compared with the plain model, or a history of rights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.harness import kpi
from tests.harness.bucket import fresh_bucket
from tests.harness.engine import WITHOUT_RATE_LIMIT, fresh_table
from tests.harness.outbox import collected
from tests.harness.revocation_record import BUCKET, record_bucket
from tests.model.board_machine import BoardMachine
from tests.model.rights import History
from tests.model.service_machine import ServiceMachine

STEPS_PER_HISTORY = 30
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


def run_history(number: int, steps: int = STEPS_PER_HISTORY) -> int:
    """Runs one history of rights on a table of its own. Returns how many answers agreed, raises if one does not."""
    with _fresh_world():
        history = History(Random(number))  # noqa: S311 - no secret
        for step in range(steps):
            try:
                history.step()
            except AssertionError as error:
                raise AssertionError(f"history {number}, step {step}: {error}") from error
        return history.checked


@contextmanager
def _fresh_world() -> Iterator[None]:
    world = fresh_table(**WITHOUT_RATE_LIMIT, REVOCATIONS_BUCKET=BUCKET)
    with world, collected(), fresh_bucket() as client, record_bucket(client):
        kpi.publish(client, kpi.released_text())
        yield
