"""What one run measured, its goals, and both as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from infra.tools.bench.contestants import BARE, BOTO, CONTESTANTS, OURS, POWERTOOLS
from infra.tools.bench.scenario import CREATE, CREDENTIALS, GET, LIST, ROUTES, VOTE, case

_OF_BARE = {GET: 1.5, LIST: 1.3, CREATE: 1.4, VOTE: 1.4}
_OF_BOTO = 0.6
_INIT = {POWERTOOLS.name: 0.65, BOTO.name: 0.9}
_NOTES = """## How to read this

Milliseconds differ from machine to machine; compare ratios within one run, in which all contestants take turns. How
many store calls and capacity units a request takes are tests (ADR growth).

- **Contestants** answer the same requests with the same resources, which is checked first. Each has only the routes
  that it is measured on. The floors have no rate limits, idempotency keys, strict JSON, sealed cursors, scopes, logs
  and metrics. *boto floor* is the SDK with a cut model and without validation, and PyJWT; *bare floor* signs its
  requests itself and sends them over `http.client`, and verifies sessions by `cryptography`.
- **Sessions** are verified for each request by all but ours, which remembers for five minutes what it verified.
- **Requests per second**: `make run` leads each request through its models of the CDN, the firewall and the gateway;
  FastAPI has nothing of the kind before it."""


@dataclass
class Results:
    """Measurements: milliseconds of INIT by contestant, microseconds of warm requests by contestant and case.

    `calls` are the functions that one warm request calls, by contestant and case; no goal judges them. `rates` are
    requests per second of the two servers, ours first.
    """

    init: dict[str, list[float]] = field(default_factory=dict)
    spent: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    calls: dict[tuple[str, str], int] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)


class Goal(NamedTuple):
    """A ratio, and the value that it must not exceed. It is judged as precise as it is shown."""

    name: str
    reached: float
    most: float

    @property
    def met(self) -> bool:
        """Whether the ratio meets its goal."""
        return round(self.reached, 2) <= self.most


def goals(results: Results) -> Iterator[Goal]:
    """Yields all goals of a run."""
    for peer, most in _INIT.items():
        yield Goal(f"INIT, ours / {peer}", median(results.init[OURS.name]) / median(results.init[peer]), most)
    for route, credential in ((route, credential) for credential in CREDENTIALS for route in ROUTES):
        name = case(route, credential)
        ours, bare, boto = (median(results.spent[one.name, name]) for one in (OURS, BARE, BOTO))
        yield Goal(f"{name}, ours / {BARE.name}", ours / bare, _OF_BARE[route])
        yield Goal(f"{name}, ours / {BOTO.name}", ours / boto, _OF_BOTO)
    ours, theirs = (median(rates) for rates in results.rates.values())
    yield Goal("seconds per request, make run / FastAPI + uvicorn", theirs / ours, 1.0)


def text(results: Results, heading: str) -> str:
    """Returns the whole report."""
    rows = [
        (goal.name, f"{goal.reached:.2f}", f"≤ {goal.most:.2f}", "yes" if goal.met else "**no**")
        for goal in goals(results)
    ]
    init = [(name, f"{median(samples):.0f}", f"{max(samples):.0f}") for name, samples in results.init.items()]
    rates = [(name, f"{median(samples):.0f}") for name, samples in results.rates.items()]
    parts = {
        "Goals": _table(("ratio", "reached", "goal", "met"), rows),
        "Cold start in the Lambda runtime (milliseconds of INIT)": _table(("", "median", "worst"), init),
        "Warm requests, store included (microseconds of processor time)": _table(("", *ROUTES), _warm(results)),
        "Functions that a warm request calls, store included": _table(("", *ROUTES), _calls(results)),
        "Requests per second on this machine, get-one with a token, 32 clients": _table(("", "median"), rates),
    }
    return "\n\n".join([heading, *(f"## {name}\n\n{part}" for name, part in parts.items()), _NOTES]) + "\n"


def _warm(results: Results) -> Iterator[Sequence[str]]:
    for credential in CREDENTIALS:
        for one in CONTESTANTS:
            times = [results.spent.get((one.name, case(route, credential))) for route in ROUTES]
            yield case(one.name, credential), *(f"{median(samples):.0f}" if samples else "" for samples in times)


def _calls(results: Results) -> Iterator[Sequence[object]]:
    for credential in CREDENTIALS:
        for one in CONTESTANTS:
            counts = [results.calls.get((one.name, case(route, credential)), "") for route in ROUTES]
            yield case(one.name, credential), *counts


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table in Markdown; all columns but the first are right-aligned."""
    lines = [f"| {' | '.join(head)} |", f"|---{'|--:' * (len(head) - 1)}|"]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(lines)
