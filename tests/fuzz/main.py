"""`make fuzz`: many cases (CASES, 200,000 by default) in as many processes as PROCESSES says; it goes on where it was.

What failed is printed with the request that shows it, and tried again at the next start, before anything new.
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

from governance.store import table
from tests.fuzz.checks import Findings
from tests.fuzz.rounds import Turn, engine
from tests.harness.engine import running
from tests.harness.store_calls import InlinePool

_PROGRESS = Path(__file__).parents[2] / ".local" / "fuzz.json"
_kept = ExitStack()


@dataclass
class Progress:
    """How far the cases have come."""

    next: int = 0
    again: list[int] = field(default_factory=list)
    """Turns that failed, or that the end of all cut short."""
    cases: int = 0
    seconds: float = 0
    statuses: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def load(cls) -> Progress:
        return cls(**json.loads(_PROGRESS.read_text())) if _PROGRESS.exists() else cls()

    def save(self) -> None:
        _PROGRESS.parent.mkdir(exist_ok=True)
        _PROGRESS.write_text(json.dumps(asdict(self), indent=1))

    def begin(self) -> int:
        """A turn that none has had; until it went well, it is one to be taken again."""
        self.again.append(self.next)
        self.next += 1
        return self.next - 1

    def note(self, number: int, found: Findings, seconds: float) -> None:
        """Add what a turn found."""
        if not found.failures:
            self.again.remove(number)
        self.cases += found.cases
        self.seconds += seconds
        for (route, status), count in found.statuses.items():
            known = self.statuses.setdefault(route, {})
            known[str(status)] = known.get(str(status), 0) + count


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each with an engine of its own."""
    spawned = get_context("spawn")
    addresses: SimpleQueue[str] = spawned.SimpleQueue()
    with ExitStack() as stack:
        for _ in range(count):
            addresses.put(stack.enter_context(engine()))
        yield stack.enter_context(ProcessPoolExecutor(count, spawned, _settle, (addresses,)))


def _settle(addresses: SimpleQueue[str]) -> None:
    """In a new process: keep to one engine, and ask it by one thread at a time."""
    _kept.enter_context(running(addresses.get()))
    table._pool = InlinePool()  # type: ignore[assignment]


def _take(number: int) -> Findings:
    return Turn(number).run()


def run(progress: Progress, wanted: int, processes: int) -> None:
    """What failed or was cut short before, then turn after turn until the cases are done."""
    again, taken = list(progress.again), dict[Future[Findings], int]()
    with _workers(processes) as pool:
        last = monotonic()
        while again or taken or progress.cases < wanted:
            while len(taken) < processes and (again or progress.cases < wanted):
                number = again.pop(0) if again else progress.begin()
                taken[pool.submit(_take, number)] = number
            done, _ = wait(taken, return_when=FIRST_COMPLETED)
            for future in done:
                number, found = taken.pop(future), future.result()
                progress.note(number, found, monotonic() - last)
                last = monotonic()
                print(f"{Turn(number)}: {found.cases} cases", *dict.fromkeys(found.failures), sep="\n  ", flush=True)
            progress.save()


def report(progress: Progress) -> str:
    """What each route answered: how many cases, and the share that succeeded."""
    lines = [f"{progress.cases} cases in {progress.seconds:.0f} seconds, {len(progress.again)} turns failed"]
    for route, found in sorted(progress.statuses.items()):
        counts = Counter({int(status): count for status, count in found.items()})
        sound = sum(count for status, count in counts.items() if status < 300)
        lines.append(f"{sound / counts.total():4.0%} of {counts.total():6}  {route}  {dict(sorted(counts.items()))}")
    return "\n".join(lines)


def main() -> int:
    """1 where a case failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the engines are stopped however this ends
    progress = Progress.load()
    run(progress, int(os.environ.get("CASES", "200000")), int(os.environ.get("PROCESSES", "2")))
    print(report(progress))
    if not progress.again:
        _PROGRESS.unlink()
    return 1 if progress.again else 0


if __name__ == "__main__":
    sys.exit(main())
