"""The figures that have a goal, and figures beside them that are followed without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from infra.bench.results import FASTAPI, FLOOR, OURS, POWERTOOLS, POWERTOOLS_COMPILED, Results
from infra.bench.scenario import CREATE, CREDENTIALS, GET, LIST, ROUTES, SESSION, TOKEN, VOTE, WHOAMI, case

_WARM_LIMITS = {GET: 1.10, LIST: 0.80, CREATE: 1.10, VOTE: 1.10}
_RECORDED = {
    GET: (1, 4.0, 0.0),
    LIST: (3, 11.0, 0.0),
    CREATE: (2, 3.0, 10.0),
    VOTE: (5, 7.0, 10.0),
    WHOAMI: (1, 1.0, 0.0),
}
"""Store calls, read units and write units of ours by route, with a session."""
_TOKEN_READ_UNITS = 1.0
"""A token's own item, read in the same call as the rest."""


@dataclass(frozen=True)
class Figure:
    """A figure and the largest or smallest value that meets its goal, if it has one."""

    name: str
    value: float
    most: float | None = None
    least: float | None = None

    @property
    def goal(self) -> str:
        """The goal as text; empty if there is none."""
        if self.most is not None:
            return f"≤ {self.most:.2f}"
        return "" if self.least is None else f"≥ {self.least:.2f}"

    @property
    def met(self) -> bool:
        """Whether the figure, as precise as it is shown, meets its goal."""
        shown = round(self.value, 2)
        return (self.most is None or shown <= self.most) and (self.least is None or shown >= self.least)


def figures(results: Results) -> list[Figure]:
    """Returns all figures: those with a goal first."""
    found = [*_cold(results), *_warm(results), *_capacity(results), *_servers(results), *_without_sdk(results)]
    return sorted(found, key=lambda figure: figure.goal == "")


def _cold(results: Results) -> Iterator[Figure]:
    init = {name: median(start.init for start in starts) for name, starts in results.cold.items()}
    yield Figure(f"cold start INIT, ours / {POWERTOOLS_COMPILED}", init[OURS] / init[POWERTOOLS_COMPILED], most=1.0)
    yield Figure("cold start INIT, ours / floor", init[OURS] / init[FLOOR], most=1.5)
    yield Figure("cold start INIT, FastAPI+Mangum / ours", init[FASTAPI] / init[OURS], least=1.8)
    for credential in CREDENTIALS:
        first = {
            name: median(start.first_response for start in starts if start.credential == credential)
            for name, starts in results.cold.items()
        }
        yield Figure(f"cold start to first response, {credential}, ours / floor", first[OURS] / first[FLOOR])


def _warm(results: Results) -> Iterator[Figure]:
    for credential in CREDENTIALS:
        for route, most in _WARM_LIMITS.items():
            name = case(route, credential)
            ours, floor = (results.live[one, name].cpu_median for one in (OURS, FLOOR))
            yield Figure(f"warm total, processor time, {name}, ours / floor", ours / floor, most=most)
    for route in (GET, LIST):
        name = case(route, SESSION)
        ours, guide = (results.live[one, name].wall_median for one in (OURS, POWERTOOLS))
        yield Figure(f"warm total, time, {name}, Powertools guide / ours", guide / ours, least=2.0)


def _capacity(results: Results) -> Iterator[Figure]:
    above = [0.0]
    for route, (calls, read, write) in _RECORDED.items():
        for credential in CREDENTIALS:
            used = results.capacity[OURS, case(route, credential)]
            reads = used.read - (_TOKEN_READ_UNITS if credential == TOKEN else 0)
            above += [len(used.calls) - calls, reads - read, used.write - write]
    yield Figure("calls and units, the most that a route of ours takes above what is recorded", max(above), most=0.0)
    pages = [capacity.read for capacity, _ in results.growth.values()]
    yield Figure("units of a page, largest board / smallest", pages[-1] / pages[0], most=1.0)


def _servers(results: Results) -> Iterator[Figure]:
    ours, theirs = (median(rate.rate for rate in rates) for rates in results.rates.values())
    yield Figure("requests per second, make run / FastAPI + uvicorn", ours / theirs, least=1.0)


def _without_sdk(results: Results) -> Iterator[Figure]:
    for credential in CREDENTIALS:
        for route in ROUTES:
            name = case(route, credential)
            ours, floor = (results.canned[one, name].cpu_median for one in (OURS, FLOOR))
            yield Figure(f"CPU without the SDK, {name}, ours / floor", ours / floor)
