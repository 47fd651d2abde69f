"""`make bench [QUICK=1]`: five contestants, one engine, one run; writes the tables to infra/bench/results.md.

A goal that is missed fails the run. `CHECK=1` only checks that all contestants return the same responses. It needs what
`make build` builds, and DynamoDB Local (`make dynamodb-local`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.metadata import version
from typing import NamedTuple

from infra.bench import agreement, cold, contestants, issuer, report, servers
from infra.bench.contestants import CONTESTANTS, HERE
from infra.bench.scenario import CREDENTIALS, GET, ROUTES, SESSION, Scenario, case
from infra.bench.warm import Worker
from infra.build.interpreter import runtime
from infra.scale import engine

_PRODUCTION = {"LOG_LEVEL": "INFO", "METRICS_DISABLED": "false", "TRACE_DISABLED": "false"}
"""What `make run` turns off and production does not, of Powertools' settings."""
_WARM_UPS = 20


class Effort(NamedTuple):
    """How much is measured: cold starts, `requests` in each of the `rounds`, `loads` that last `seconds` each."""

    name: str
    starts: int
    rounds: int
    requests: int
    loads: int
    seconds: float


FULL, QUICK, NONE = Effort("full", 20, 40, 8, 3, 5), Effort("quick", 3, 10, 6, 1, 3), Effort("check", 0, 0, 0, 0, 0)


def run(effort: Effort) -> report.Results:
    """Takes all measurements. Raises `Disagreement` if two contestants return different responses."""
    results = report.Results()
    contestants.prepare()
    with issuer.running() as running, engine.running(running.environment) as values:
        values |= {f"POWERTOOLS_{name}": value for name, value in _PRODUCTION.items()}
        scenario = Scenario(running)
        print(f"{agreement.check(CONTESTANTS, values, scenario)} responses: all contestants agree.", file=sys.stderr)
        if effort is NONE:
            return results
        event = scenario.events()[case(GET, SESSION)]
        for _ in range(effort.starts):
            for contestant in CONTESTANTS:
                results.init.setdefault(contestant.name, []).append(cold.start(contestant, values, event))
        _warm(results, values, scenario, effort)
        results.rates = servers.compare(effort.seconds, effort.loads, running)
    return results


def _warm(results: report.Results, values: Mapping[str, str], scenario: Scenario, effort: Effort) -> None:
    events = scenario.events()
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant, values, events)) for contestant in CONTESTANTS]
        for route in ROUTES:
            serving = [worker for worker in workers if route in worker.contestant.routes]
            for name in (case(route, credential) for credential in CREDENTIALS):
                for worker in serving:
                    worker.spent(name, _WARM_UPS)  # also fetches the key set and opens connections
                for _ in range(effort.rounds):
                    for worker in serving:
                        times = results.spent.setdefault((worker.contestant.name, name), [])
                        times += worker.spent(name, effort.requests)


def heading(effort: Effort, seconds: float) -> str:
    """Returns the title, and what was run, when and with which versions."""
    names = ("boto3", "pydantic", "aws-lambda-powertools", "PyJWT", "cryptography")
    when, load = time.strftime("%Y-%m-%d %H:%M", time.gmtime()), f"{os.getloadavg()[1]:.1f} over its last five minutes"
    return (
        f"# Benchmark\n\n{when} UTC, a {effort.name} run of {seconds:.0f} seconds on {runtime()}; {os.cpu_count()} "
        f"processors, load {load}; {', '.join(f'{name} {version(name)}' for name in names)}; peers as in "
        "`infra/bench/requirements.lock`; engine DynamoDB Local."
    )


def main() -> int:
    """Measures, prints the report and writes it down; returns 1 for a missed goal. With `--check` it only compares."""
    effort = NONE if "--check" in sys.argv else QUICK if "--quick" in sys.argv else FULL
    started = time.monotonic()
    results = run(effort)
    if effort is NONE:
        return 0
    written = report.text(results, heading(effort, time.monotonic() - started))
    (HERE / "results.md").write_text(written, encoding="utf-8")
    print(written)
    return 0 if all(goal.met for goal in report.goals(results)) else 1


if __name__ == "__main__":
    sys.exit(main())
