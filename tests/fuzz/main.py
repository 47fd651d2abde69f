"""`make fuzz`: sends CASES cases (200,000 by default) in PROCESSES processes, from round FIRST on.

Failures are printed with a request that reproduces them, and end the run.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import ExitStack, closing
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue

from governance.store import dynamodb
from tests.fuzz.checks import Findings
from tests.fuzz.rounds import Round, engine
from tests.harness.engine import running
from tests.harness.rounds import rounds
from tests.harness.store_calls import InlinePool

_resources = ExitStack()


def _use_engine(addresses: SimpleQueue[str]) -> None:
    """Connects a new process to an engine that no other process uses, one thread at a time."""
    address = addresses.get()
    _resources.callback(addresses.put, address)
    _resources.enter_context(running(address))
    dynamodb._pool = InlinePool()  # type: ignore[assignment]


def _run_round(number: int) -> tuple[int, Findings]:
    with _resources:
        return number, Round(number).run()


def report(statuses: Counter[tuple[str, int]]) -> str:
    """Formats how many cases each route got, and the share that succeeded."""
    lines = []
    for route in sorted({route for route, _ in statuses}):
        counts = Counter({status: count for (name, status), count in statuses.items() if name == route})
        successes = sum(count for status, count in counts.items() if status < 300)
        shown = dict(sorted(counts.items()))
        lines.append(f"{successes / counts.total():4.0%} of {counts.total():6}  {route}  {shown}")
    return "\n".join(lines)


def main() -> int:
    """Returns 1 if a case failed."""
    cases, processes = int(os.environ.get("CASES", "200000")), int(os.environ.get("PROCESSES", "2"))
    addresses: SimpleQueue[str] = get_context("spawn").SimpleQueue()
    collected = Findings()
    with ExitStack() as stack:
        for _ in range(processes):
            addresses.put(stack.enter_context(engine()))
        first = int(os.environ.get("FIRST", "0"))
        results = stack.enter_context(closing(rounds(_run_round, processes, first, _use_engine, addresses)))
        while collected.cases < cases and not collected.failures:
            number, findings = next(results)
            collected.add(findings)
            print(f"{Round(number)}: {findings.cases} cases", *dict.fromkeys(findings.failures), sep="\n  ", flush=True)
    print(report(collected.statuses))
    return 1 if collected.failures else 0


if __name__ == "__main__":
    sys.exit(main())
