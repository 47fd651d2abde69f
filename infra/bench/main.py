"""`make bench [QUICK=1]`: four contestants, one engine, one run; the tables go to infra/bench/results.md.

It needs what `make build` made, and DynamoDB Local (`make dynamodb-local`) for its capacity figures.
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
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

from infra.bench import cold, instructions, packages, report, servers
from infra.bench.packages import HERE, Contestant
from infra.bench.scenario import GET, LIST, ROUTES, WHOAMI, Scenario
from infra.bench.warm import Capacity, Times, Worker
from infra.build.interpreter import runtime
from infra.local import engine, environment, tables
from infra.local.template import Template

_NO_LIMITS = {"RATE_LIMIT_PRINCIPAL": "3000000", "RATE_LIMIT_ADDRESS": "3000000", "ORIGIN_SECRETS": ""}
_LEASE = 1 / 60
"""Write units a request of ours for its share of a lease, at the limit that is deployed; here there is no limit."""


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    starts: int
    rounds: int
    live: int
    own: int
    boards: tuple[int, ...]
    instructions: bool
    seconds: float
    loads: int


FULL = Effort(20, 40, 8, 25, (100, 10_000, 100_000), True, 5, 3)
QUICK = Effort(5, 10, 6, 20, (100, 10_000), False, 3, 1)


@contextlib.contextmanager
def store() -> Iterator[dict[str, str]]:
    """A DynamoDB Local in memory with our table; the environment of the functions."""
    port = engine.free_port()
    command = engine.dynamodb_local_command(port, None)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - ours
    try:
        values = environment.functions_environment("https://bench.example.com", {})
        values |= engine.sdk_environment(f"http://127.0.0.1:{port}") | _NO_LIMITS
        os.environ.update(values)
        _until_up(port)
        tables.create_table(Template(), values["TABLE_NAME"])
        yield values | {"POWERTOOLS_LOG_LEVEL": "INFO"}
    finally:
        process.terminate()
        process.wait(30)


def _until_up(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.05)
    raise RuntimeError("DynamoDB Local did not start")


def run(effort: Effort) -> report.Results:
    """All measurements."""
    packages.prepare()
    found = report.Results()
    contestants = packages.contestants()
    found.sizes = {contestant.name: contestant.sizes for contestant in contestants}
    with store() as values:
        scenario = Scenario(Template())
        events = scenario.events()
        _say("cold starts")
        for _ in range(effort.starts):
            for contestant in contestants:
                found.cold.setdefault(contestant.name, []).append(cold.start(contestant, values, events[GET]))
        racing = [contestant for contestant in contestants if contestant.name in report.WARM]
        _warm(found, racing, values, events, effort)
        _say("growing boards")
        _growth(found, racing[0], values, scenario, effort)
        if effort.instructions and instructions.available():
            _say("instructions")
            found.instructions = _instructions([one for one in contestants if one.compiled], values, events)
    _say("requests per second")
    found.rates = servers.compare(effort.seconds, effort.loads)
    return found


def _instructions(
    compiled: list[Contestant], values: dict[str, str], events: dict[str, Any]
) -> dict[str, dict[str, int]]:
    """Two at a time, for counts do not mind; with byte code, for it makes no difference to a warm request."""
    with ThreadPoolExecutor(2) as pool:
        counted = pool.map(lambda one: instructions.count(one, values, events, (GET, LIST, WHOAMI)), compiled)
        return dict(zip((one.name for one in compiled), counted, strict=True))


def _warm(
    found: report.Results, racing: list[Contestant], values: dict[str, str], events: dict[str, Any], effort: Effort
) -> None:
    _say("warm requests")
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(Worker(contestant, values, events)) for contestant in racing]
        for route in ROUTES:
            for worker in workers:
                worker.ask(route, 3, "live")
                used = worker.capacity(route)
                ours = worker.contestant.name == report.OURS
                found.capacity[worker.contestant.name, route] = replace(
                    used, write=round(used.write + _LEASE * ours, 3)
                )
                worker.ask(route, 20, "canned")
            for _ in range(effort.rounds):
                for worker in workers:
                    place = worker.contestant.name, route
                    found.live.setdefault(place, Times()).add(worker.ask(route, effort.live, "live"))
                    found.own.setdefault(place, Times()).add(worker.ask(route, effort.own, "canned"))
        found.resident = {worker.contestant.name: worker.resident for worker in workers}


def _growth(
    found: report.Results, ours: Contestant, values: dict[str, str], scenario: Scenario, effort: Effort
) -> None:
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
            found.growth[items] = used, times.wall_median


def heading(effort: Effort, seconds: float) -> str:
    """What was run, when, and with what."""
    names = ("boto3", "pydantic", "aws-lambda-powertools", "PyJWT")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    kind = "quick" if effort is QUICK else "full"
    return (
        f"# Benchmark\n\n{time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC, a {kind} run of {seconds:.0f} seconds; "
        f"functions on {runtime()}, `make run` on {platform.python_version()}; "
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at its end; "
        f"{versions}; peers as in `infra/bench/requirements.lock`; engine DynamoDB Local."
    )


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def main() -> int:
    """Run, print, write down."""
    effort = QUICK if "--quick" in sys.argv[1:] else FULL
    started = time.monotonic()
    found = run(effort)
    written = report.text(found, heading(effort, time.monotonic() - started))
    (HERE / "results.md").write_text(written, encoding="utf-8")
    print(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
