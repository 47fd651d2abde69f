"""`make bench`: ours, two floors and Powertools' guide on one engine in one run; FastAPI beside `make run`; and rings.

It writes results.md and rings.md in this folder. A goal that is missed fails the run, at its end. `CHECK=1` only checks
that all contestants return the same responses. It needs what `make build` builds, and DynamoDB Local.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.metadata import version
from typing import Any

from infra.build.interpreter import runtime
from infra.tools.bench import cold, contestants, issuer, report, rings, servers
from infra.tools.bench.contestants import CONTESTANTS, HERE
from infra.tools.bench.scenario import CREATE, CREDENTIALS, GET, SESSION, Scenario, case
from infra.tools.bench.warm import Worker
from infra.tools.scale import engine

_PRODUCTION = {"LOG_LEVEL": "INFO", "METRICS_DISABLED": "false", "TRACE_DISABLED": "false"}
"""Settings of Powertools that `make run` turns off and production does not."""
_STARTS = 20
_WARM_UPS, _ROUNDS, _REQUESTS = 20, 40, 8
_LOADS, _LOAD_SECONDS = 3, 5.0
_OWN = {"nextCursor"}, {"nextCursor", "id", "createdAt", "updatedAt"}
"""The members whose values each contestant generates: of what is read, and of what is created."""


def run(*, only_compare: bool) -> report.Results:
    """Takes all measurements. Raises `ValueError` if two contestants return different responses."""
    results = report.Results()
    contestants.prepare()
    with issuer.running() as running, engine.running(running.environment) as values:
        values |= {f"POWERTOOLS_{name}": value for name, value in _PRODUCTION.items()}
        events = Scenario(running).events()
        with ExitStack() as stack:
            workers = [stack.enter_context(Worker(contestant, values, events)) for contestant in CONTESTANTS]
            _compare(workers)
            if only_compare:
                return results
            _warm(results, workers)
        _cold(results, values, events[case(GET, SESSION)])
        results.rates = servers.compare(_LOAD_SECONDS, _LOADS, running)
    return results


def _compare(workers: list[Worker]) -> None:
    for name in (case(route, credential) for route in workers[0].contestant.routes for credential in CREDENTIALS):
        expected, *others = [_comparable(name, worker) for worker in workers if worker.serves(name)]
        if any(response != expected for response in others):
            raise ValueError(f"{name}: the contestants disagree: {[expected, *others]}")


def _comparable(name: str, worker: Worker) -> Any:
    status, body = worker.response(name)
    own = _OWN[name.startswith(CREATE)]
    return status, json.loads(
        body, object_hook=lambda item: {key: type(value) if key in own else value for key, value in item.items()}
    )


def _cold(results: report.Results, values: Mapping[str, str], event: Mapping[str, Any]) -> None:
    for _ in range(_STARTS):
        for contestant in CONTESTANTS:
            results.init.setdefault(contestant.name, []).append(cold.start(contestant, values, event))


def _warm(results: report.Results, workers: list[Worker]) -> None:
    """Measures each request of each contestant in turns, so that all share the machine's load."""
    for name in (case(route, credential) for route in workers[0].contestant.routes for credential in CREDENTIALS):
        serving = [worker for worker in workers if worker.serves(name)]
        for worker in serving:
            worker.spent(name, _WARM_UPS)  # also fetches the key set and opens connections
        for _ in range(_ROUNDS):
            for worker in serving:
                times = results.spent.setdefault((worker.contestant.name, name), [])
                times += worker.spent(name, _REQUESTS)
        for worker in serving:
            results.calls[worker.contestant.name, name] = worker.calls(name)


def heading(seconds: float) -> str:
    """Returns the title, and what was run, when and with which versions."""
    names = ("boto3", "pydantic", "aws-lambda-powertools", "PyJWT", "cryptography")
    when, load = time.strftime("%Y-%m-%d %H:%M", time.gmtime()), f"{os.getloadavg()[1]:.1f} over its last five minutes"
    return (
        f"# Benchmark\n\n{when} UTC, {seconds:.0f} seconds on {runtime()}; {os.cpu_count()} "
        f"processors, load {load}; {', '.join(f'{name} {version(name)}' for name in names)}; peers as in "
        "`infra/tools/bench/requirements.lock`; engine DynamoDB Local."
    )


def main() -> int:
    """Measures and writes the reports down; returns 1 for a missed goal. With `--check` it only compares."""
    started = time.monotonic()
    results = run(only_compare="--check" in sys.argv)
    if not results.spent:
        return 0
    written = report.text(results, heading(time.monotonic() - started))
    (HERE / "results.md").write_text(written, encoding="utf-8")
    print(written)
    return 0 if rings.run() and all(goal.met for goal in report.goals(results)) else 1


if __name__ == "__main__":
    sys.exit(main())
