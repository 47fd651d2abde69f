"""`make model`: compares STEPS responses (100,000 by default) with the plain model, in PROCESSES processes.

Each round starts from a seed of its own, FIRST (0 by default) being the first one, and runs in a new process: what
Hypothesis keeps in memory ends with the process. A failure ends the run and is printed with its shortest sequence.
"""

from __future__ import annotations

import os
import sys
import warnings
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context

from governance.store import dynamodb
from tests.harness.engine import running
from tests.harness.privileges import enforced_privileges
from tests.harness.store_calls import InlinePool
from tests.model.rounds import Findings, run_round

_resources = ExitStack()


@dataclass
class Progress:
    """The responses compared so far, by all processes, and the processor time that it took."""

    goal: int
    compared: int = 0
    seconds: float = 0
    failures: int = 0

    @property
    def is_complete(self) -> bool:
        return self.failures > 0 or self.compared >= self.goal

    def record(self, found: Findings) -> None:
        """Adds and prints what a round found."""
        self.compared += found.compared
        self.seconds += found.seconds
        print(
            f"round {found.number}: {self.compared} responses compared in {self.seconds:.0f} seconds of processor time,"
            f" {found.megabytes} MB at most",
            flush=True,
        )
        if found.failure is not None:
            self.failures += 1
            print(found.failure, flush=True)


def _set_up() -> None:
    """Prepares a new process as pytest's fixtures and settings do."""
    warnings.simplefilter("error")
    _resources.enter_context(running("moto"))
    _resources.enter_context(enforced_privileges())
    dynamodb._pool = InlinePool()  # type: ignore[assignment]


def run(progress: Progress, processes: int, first: int) -> None:
    """Runs rounds until enough responses were compared or a round fails."""
    numbers = count(first)
    pending: set[Future[Findings]] = set()
    with ProcessPoolExecutor(processes, get_context("spawn"), _set_up, max_tasks_per_child=1) as pool:
        while pending or not progress.is_complete:
            while len(pending) < processes and not progress.is_complete:
                pending.add(pool.submit(run_round, next(numbers)))
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                progress.record(future.result())


def main() -> int:
    """Returns 1 if a response differs from the model."""
    progress = Progress(int(os.environ.get("STEPS", "100000")))
    run(progress, int(os.environ.get("PROCESSES", "2")), int(os.environ.get("FIRST", "0")))
    if progress.failures:
        return 1
    print(f"{progress.compared} responses agree with the model")
    return 0


if __name__ == "__main__":
    sys.exit(main())
