"""A long run is many turns: each one route, or chains of routes, by one caller over one wire under one seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.local import engine as local
from tests.fuzz.actors import new_actors
from tests.fuzz.checks import Findings, fuzz, fuzz_chains
from tests.fuzz.transport import WIRES
from tests.harness.engine import fresh_table
from tests.harness.sample_requests import ROUTE_NAMES

UNLIMITED = {"RATE_LIMIT_PRINCIPAL": "1000000000", "RATE_LIMIT_ADDRESS": "1000000000"}
_CHAINS = "chains"
_SUBJECTS = (*ROUTE_NAMES, *[_CHAINS] * 8)
_CALLERS = ("owner", "member", "owner", "stranger", "owner", "token")
"""Whoever may do most comes most often: what refuses a caller is soon tried."""
_EXAMPLES = 60
_OF_CHAINS = 400


@dataclass(frozen=True)
class Turn:
    """The turn of a number: rounds of all subjects, in which callers and wires change."""

    number: int

    @property
    def _round(self) -> int:
        return self.number // len(_SUBJECTS)

    @property
    def _place(self) -> int:
        return self.number % len(_SUBJECTS)

    @property
    def subject(self) -> str:
        return _SUBJECTS[self._place]

    @property
    def caller(self) -> str:
        return _CALLERS[(self._round + (self._place if self.subject == _CHAINS else 0)) % len(_CALLERS)]

    @property
    def wire(self) -> str:
        return list(WIRES)[(self._place + self._round // 2) % len(WIRES)]

    def __str__(self) -> str:
        return f"turn {self.number}: {self.subject} by the {self.caller}, {self.wire}"

    def run(self) -> Findings:
        """Its cases, on a table of its own."""
        with fresh_table(**UNLIMITED), WIRES[self.wire]() as load:
            actors = new_actors()
            if self.subject == _CHAINS:
                return fuzz_chains(load, actors, self.caller, cases=_OF_CHAINS, seed=self.number * 1000)
            return fuzz(load, self.subject, actors, self.caller, examples=_EXAMPLES, seed=self.number)


@contextmanager
def engine() -> Iterator[str]:
    """The address of a new engine: moto is slower at every write, and ever more so (27 cases a second against 56)."""
    with TemporaryDirectory() as folder:
        started = local.start(local.MINISTACK, Path(folder))
        try:
            yield started.environment["AWS_ENDPOINT_URL"]
        finally:
            started.stop()
