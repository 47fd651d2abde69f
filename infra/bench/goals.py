"""The figures of the benchmark and their goals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from infra.bench.contestants import FASTAPI, FLOOR, OURS, POWERTOOLS
from infra.bench.results import Results
from infra.bench.scenario import CREATE, CREDENTIALS, GET, LIST, SESSION, TOKEN, VOTE, case

_WARM_LIMITS = {GET: 1.10, LIST: 0.80, CREATE: 1.10, VOTE: 1.10}
_RECORDED = {GET: (1, 4.0, 0.0), LIST: (3, 11.0, 0.0), CREATE: (2, 3.0, 10.0), VOTE: (4, 7.0, 10.0)}
"""Store calls, read units and write units of ours by route, with a session."""
_TOKEN_READ_UNITS = 1.0
"""A token's own item, read in the same call as the rest."""


@dataclass(frozen=True)
class Figure:
    """A figure and the largest or smallest value that meets its goal."""

    name: str
    value: float
    most: float | None = None
    least: float | None = None

    @property
    def goal(self) -> str:
        """The goal as text."""
        return f"≤ {self.most:.2f}" if self.most is not None else f"≥ {self.least:.2f}"

    @property
    def met(self) -> bool:
        """Whether the figure, as precise as it is shown, meets its goal."""
        shown = round(self.value, 2)
        return (self.most is None or shown <= self.most) and (self.least is None or shown >= self.least)


def figures(results: Results) -> list[Figure]:
    """Returns all figures."""
    return [*_cold(results), *_warm(results), *_capacity(results), _servers(results)]


def _cold(results: Results) -> Iterator[Figure]:
    init = {name: median(starts) for name, starts in results.cold.items()}
    ours = init[OURS.name]
    yield Figure(f"cold start INIT, ours / {POWERTOOLS.name}", ours / init[POWERTOOLS.name], most=1.0)
    yield Figure("cold start INIT, ours / floor", ours / init[FLOOR.name], most=1.5)
    yield Figure(f"cold start INIT, {FASTAPI.name} / ours", init[FASTAPI.name] / ours, least=1.8)


def _warm(results: Results) -> Iterator[Figure]:
    for credential in CREDENTIALS:
        for route, most in _WARM_LIMITS.items():
            name = case(route, credential)
            ours, floor = (results.live[one.name, name].cpu_median for one in (OURS, FLOOR))
            yield Figure(f"warm total, processor time, {name}, ours / floor", ours / floor, most=most)
    for route in POWERTOOLS.routes:
        name = case(route, SESSION)
        ours, guide = (results.live[one.name, name].wall_median for one in (OURS, POWERTOOLS))
        yield Figure(f"warm total, time, {name}, Powertools guide / ours", guide / ours, least=2.0)


def _capacity(results: Results) -> Iterator[Figure]:
    above = [0.0]
    for route, (calls, read, write) in _RECORDED.items():
        for credential in CREDENTIALS:
            used = results.capacity[OURS.name, case(route, credential)]
            reads = used.read - (_TOKEN_READ_UNITS if credential == TOKEN else 0)
            above += [len(used.calls) - calls, reads - read, used.write - write]
    yield Figure("calls and units, the most that a route of ours takes above what is recorded", max(above), most=0.0)
    smallest, largest = results.page_units
    yield Figure("units of a page, largest board / smallest", largest / smallest, most=1.0)


def _servers(results: Results) -> Figure:
    ours, theirs = (median(rates) for rates in results.rates.values())
    return Figure("requests per second, make run / FastAPI + uvicorn", ours / theirs, least=1.0)
