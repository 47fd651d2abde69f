"""`make bench [QUICK=1]`: four contestants, one engine, one run; writes the tables to infra/bench/results.md.

`make bench CHECK=1` only checks that all contestants return the same responses. Both need what `make build` builds, and
DynamoDB Local (`make dynamodb-local`), which reports capacity units.
"""

from __future__ import annotations

import contextlib
import os
import platform
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from infra.bench import agreement, cold, instructions, issuer, packages, report, servers
from infra.bench.issuer import Issuer
from infra.bench.packages import HERE, Contestant
from infra.bench.results import WARM, Results
from infra.bench.scenario import CASES, CREDENTIALS, GET, LIST, TOKEN, WHOAMI, Scenario, case
from infra.bench.warm import Capacity, Times, Worker
from infra.build.interpreter import runtime
from infra.local import engine, environment, tables
from infra.stack.template import Template

_NO_LIMITS = {"RATE_LIMIT_PRINCIPAL": "3000000", "RATE_LIMIT_ADDRESS": "3000000"}
_PRODUCTION = {
    "POWERTOOLS_LOG_LEVEL": "INFO",
    "POWERTOOLS_METRICS_DISABLED": "false",
    "POWERTOOLS_TRACE_DISABLED": "false",
}
"""What `make run` turns off and production does not."""
_COUNTED = (*(case(route, name) for route in (GET, LIST) for name in CREDENTIALS), case(WHOAMI, TOKEN))


@dataclass(frozen=True)
class Effort:
    """How much is measured.

    `starts` are cold starts with each credential, `live` and `canned` requests in each of the `rounds`.
    """

    name: str
    starts: int
    rounds: int
    live: int
    canned: int
    boards: tuple[int, ...]
    instructions: bool
    seconds: float
    loads: int


FULL = Effort("full", 10, 40, 8, 25, (100, 10_000, 100_000), True, 5, 3)
QUICK = Effort("quick", 3, 10, 6, 20, (100, 10_000), False, 3, 1)


@contextlib.contextmanager
def store(issuer: Issuer) -> Iterator[dict[str, str]]:
    """Starts DynamoDB Local in memory with the service's table; yields the environment of the functions."""
    port = engine.free_port()
    command = engine.dynamodb_local_command(port, None)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - ours
    try:
        values = environment.functions_environment("https://bench.example.com", issuer.environment)
        values |= engine.sdk_environment(f"http://127.0.0.1:{port}") | _NO_LIMITS
        os.environ.update(values)
        _wait_for(port)
        tables.create_table(Template(), values["TABLE_NAME"])
        yield values | _PRODUCTION
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.05)
    raise RuntimeError("DynamoDB Local did not start")


def check() -> int:
    """Returns how many responses were compared; raises `Disagreement` if two contestants differ."""
    packages.prepare()
    with issuer.running() as running, store(running) as values:
        return agreement.check(packages.contestants(), values, Scenario(Template(), running))


def run(effort: Effort) -> Results:
    """Takes all measurements."""
    packages.prepare()
    contestants = packages.contestants()
    results = Results({contestant.name: contestant.sizes for contestant in contestants})
    with issuer.running() as running:
        with store(running) as values:
            _measure(results, contestants, values, Scenario(Template(), running), effort)
        _say("requests per second")
        results.rates = servers.compare(effort.seconds, effort.loads, running)
    return results


def _measure(
    results: Results, contestants: list[Contestant], values: dict[str, str], scenario: Scenario, effort: Effort
) -> None:
    events = scenario.events()
    _say("responses")
    agreement.check(contestants, values, scenario)
    _say("cold starts")
    for _ in range(effort.starts):
        for contestant in contestants:
            for name in CREDENTIALS:
                started = cold.start(contestant, values, name, events[case(GET, name)])
                results.cold.setdefault(contestant.name, []).append(started)
    racing = [contestant for contestant in contestants if contestant.name in WARM]
    _say("warm requests")
    _warm(results, racing, values, events, effort)
    _say("growing boards")
    _growth(results, racing[0], values, scenario, effort)
    if effort.instructions and instructions.available():
        _say("instructions")
        results.instructions = _instructions([one for one in contestants if one.compiled], values, events)


def _instructions(
    compiled: list[Contestant], values: dict[str, str], events: dict[str, Any]
) -> dict[str, dict[str, int]]:
    """Counts two contestants at a time, which does not change counts, and only those with byte code."""
    with ThreadPoolExecutor(2) as pool:
        counted = pool.map(lambda one: instructions.count(one, values, events, _COUNTED), compiled)
        return dict(zip((one.name for one in compiled), counted, strict=True))


def _warm(
    results: Results, racing: list[Contestant], values: dict[str, str], events: dict[str, Any], effort: Effort
) -> None:
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant, values, events)) for contestant in racing]
        for name in CASES:
            for worker in workers:
                worker.ask(name, 3, "live")  # fetches the key set and opens connections
                results.capacity[worker.contestant.name, name] = worker.capacity(name)
                worker.ask(name, 20, "canned")
            for _ in range(effort.rounds):
                for worker in workers:
                    key = worker.contestant.name, name
                    results.live.setdefault(key, Times()).add(worker.ask(name, effort.live, "live"))
                    results.canned.setdefault(key, Times()).add(worker.ask(name, effort.canned, "canned"))
        results.resident = {worker.contestant.name: worker.resident for worker in workers}


def _growth(results: Results, ours: Contestant, values: dict[str, str], scenario: Scenario, effort: Effort) -> None:
    boards = {items: scenario.grow(items) for items in effort.boards}
    lists = {
        str(items): scenario.event("GET", f"/api/v1/boards/{board}/meetings?limit=25")
        for items, board in boards.items()
    }
    with Worker(ours, values, lists) as worker:
        for items in boards:
            worker.ask(str(items), 3, "live")
            used: Capacity = worker.capacity(str(items))
            times = Times()
            times.add(worker.ask(str(items), 20, "live"))
            results.growth[items] = used, times.wall_median


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
        print(f"{check()} responses: all contestants agree.")
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
