"""`make bench [QUICK=1]`: four contestants, one engine, one run; writes the tables to infra/bench/results.md.

`make bench CHECK=1` only checks that all contestants return the same responses. Both need what `make build` builds, and
DynamoDB Local (`make dynamodb-local`), which reports capacity units.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version

from infra.bench import agreement, cold, contestants, engine, issuer, report, servers
from infra.bench.contestants import CONTESTANTS, HERE
from infra.bench.results import Results
from infra.bench.scenario import CREDENTIALS, GET, ROUTES, SESSION, Scenario, case
from infra.bench.warm import Times, Worker
from infra.build.interpreter import runtime

_PRODUCTION = {
    "POWERTOOLS_LOG_LEVEL": "INFO",
    "POWERTOOLS_METRICS_DISABLED": "false",
    "POWERTOOLS_TRACE_DISABLED": "false",
}
"""What `make run` turns off and production does not."""
_SMALL_BOARD, _LARGE_BOARD = 100, 10_000
_WARM_UPS = 20


@dataclass(frozen=True)
class Effort:
    """How much is measured: cold starts, `requests` in each of the `rounds`, `loads` that last `seconds` each."""

    name: str
    starts: int
    rounds: int
    requests: int
    loads: int
    seconds: float


FULL = Effort("full", 20, 40, 8, 3, 5)
QUICK = Effort("quick", 3, 10, 6, 1, 3)


@contextlib.contextmanager
def _prepared() -> Iterator[tuple[issuer.Issuer, dict[str, str], Scenario]]:
    """Makes all packages, starts issuer and engine; yields the issuer, the functions' environment and the scenario."""
    contestants.prepare()
    with issuer.running() as running, engine.running(running.environment) as values:
        yield running, values | _PRODUCTION, Scenario(running)


def run(effort: Effort) -> Results:
    """Takes all measurements. Raises `Disagreement` if two contestants return different responses."""
    results = Results()
    with _prepared() as (running, values, scenario):
        _say("responses")
        agreement.check(CONTESTANTS, values, scenario)
        _say("cold starts")
        event = scenario.events()[case(GET, SESSION)]
        for _ in range(effort.starts):
            for contestant in CONTESTANTS:
                results.cold.setdefault(contestant.name, []).append(cold.start(contestant, values, event))
        _say("warm requests")
        _warm(results, values, scenario, effort)
        _say("growing boards")
        results.page_units = scenario.page_units(_SMALL_BOARD, _LARGE_BOARD)
        _say("requests per second")
        results.rates = servers.compare(effort.seconds, effort.loads, running)
    return results


def _warm(results: Results, values: Mapping[str, str], scenario: Scenario, effort: Effort) -> None:
    events = scenario.events()
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant, values, events)) for contestant in CONTESTANTS]
        for route in ROUTES:
            for name in (case(route, credential) for credential in CREDENTIALS):
                serving = [worker for worker in workers if route in worker.contestant.routes]
                for worker in serving:
                    worker.ask(name, _WARM_UPS)  # also fetches the key set and opens connections
                    results.capacity[worker.contestant.name, name] = worker.capacity(name)
                for _ in range(effort.rounds):
                    for worker in serving:
                        times = results.live.setdefault((worker.contestant.name, name), Times())
                        times.add(worker.ask(name, effort.requests))


def heading(effort: Effort, seconds: float) -> str:
    """Returns the title, and what was run, when and with which versions."""
    names = ("boto3", "pydantic", "aws-lambda-powertools", "PyJWT", "cryptography")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return (
        f"# Benchmark\n\n{time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC, a {effort.name} run of {seconds:.0f} "
        f"seconds; functions on {runtime()}, `make run` on Python {platform.python_version()}; "
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at its end; "
        f"{versions}; peers as in `infra/bench/requirements.lock`; engine DynamoDB Local."
    )


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def main() -> int:
    """Measures, prints the report and writes it down; with `--check` only compares responses."""
    if "--check" in sys.argv[1:]:
        with _prepared() as (_, values, scenario):
            print(f"{agreement.check(CONTESTANTS, values, scenario)} responses: all contestants agree.")
        return 0
    effort = QUICK if "--quick" in sys.argv[1:] else FULL
    started = time.monotonic()
    results = run(effort)
    written = report.text(results, heading(effort, time.monotonic() - started))
    (HERE / "results.md").write_text(written, encoding="utf-8")
    print(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
