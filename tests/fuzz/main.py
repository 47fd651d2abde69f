"""`make fuzz`: sends CASES cases (200,000 by default) in PROCESSES processes, and resumes an interrupted run.

Failures are printed with a request that reproduces them. The next start repeats the failed rounds first.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from time import monotonic

from governance.store import dynamodb
from tests.fuzz.checks import Findings
from tests.fuzz.rounds import Round, engine
from tests.harness.engine import running
from tests.harness.store_calls import InlinePool

_PROGRESS = Path(__file__).parents[2] / ".local" / "fuzz.json"
_resources = ExitStack()


@dataclass
class Progress:
    """The progress of a run, saved between starts."""

    next: int = 0
    to_retry: list[int] = field(default_factory=list)
    """The numbers of the rounds that failed or were interrupted."""
    cases: int = 0
    seconds: float = 0
    statuses: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def load(cls) -> Progress:
        return cls(**json.loads(_PROGRESS.read_text())) if _PROGRESS.exists() else cls()

    def save(self) -> None:
        _PROGRESS.parent.mkdir(exist_ok=True)
        _PROGRESS.write_text(json.dumps(asdict(self), indent=1))

    def next_round(self) -> int:
        """Returns the number of a new round, which stays marked for a retry until it succeeds."""
        self.to_retry.append(self.next)
        self.next += 1
        return self.next - 1

    def record(self, number: int, found: Findings, seconds: float) -> None:
        """Adds the findings of a round."""
        if not found.failures:
            self.to_retry.remove(number)
        self.cases += found.cases
        self.seconds += seconds
        for (route, status), count in found.statuses.items():
            known = self.statuses.setdefault(route, {})
            known[str(status)] = known.get(str(status), 0) + count


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Starts the worker processes, each with an engine of its own."""
    spawned = get_context("spawn")
    addresses: SimpleQueue[str] = spawned.SimpleQueue()
    with ExitStack() as stack:
        for _ in range(count):
            addresses.put(stack.enter_context(engine()))
        yield stack.enter_context(ProcessPoolExecutor(count, spawned, _use_engine, (addresses,)))


def _use_engine(addresses: SimpleQueue[str]) -> None:
    """Connects a new process to one engine, one thread at a time."""
    _resources.enter_context(running(addresses.get()))
    dynamodb._pool = InlinePool()  # type: ignore[assignment]


def _run_round(number: int) -> Findings:
    return Round(number).run()


def run(progress: Progress, case_count: int, processes: int) -> None:
    """Repeats the rounds that failed or were interrupted, then runs new ones until enough cases were sent."""
    to_retry, futures = list(progress.to_retry), dict[Future[Findings], int]()
    with _workers(processes) as pool:
        last = monotonic()
        while to_retry or futures or progress.cases < case_count:
            while len(futures) < processes and (to_retry or progress.cases < case_count):
                number = to_retry.pop(0) if to_retry else progress.next_round()
                futures[pool.submit(_run_round, number)] = number
            done, _ = wait(futures, return_when=FIRST_COMPLETED)
            for future in done:
                number, found = futures.pop(future), future.result()
                progress.record(number, found, monotonic() - last)
                last = monotonic()
                print(f"{Round(number)}: {found.cases} cases", *dict.fromkeys(found.failures), sep="\n  ", flush=True)
            progress.save()


def report(progress: Progress) -> str:
    """Formats how many cases each route got, and the share that succeeded."""
    lines = [f"{progress.cases} cases in {progress.seconds:.0f} seconds, {len(progress.to_retry)} rounds failed"]
    for route, found in sorted(progress.statuses.items()):
        counts = Counter({int(status): count for status, count in found.items()})
        successes = sum(count for status, count in counts.items() if status < 300)
        lines.append(
            f"{successes / counts.total():4.0%} of {counts.total():6}  {route}  {dict(sorted(counts.items()))}"
        )
    return "\n".join(lines)


def main() -> int:
    """Returns 1 if a case failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that SIGTERM stops the engines too
    progress = Progress.load()
    run(progress, int(os.environ.get("CASES", "200000")), int(os.environ.get("PROCESSES", "2")))
    print(report(progress))
    if not progress.to_retry:
        _PROGRESS.unlink()
    return 1 if progress.to_retry else 0


if __name__ == "__main__":
    sys.exit(main())
