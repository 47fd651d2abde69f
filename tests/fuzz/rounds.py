"""A long run consists of rounds: each tests one route, or chains of routes, with one caller, transport and seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.local import engine as local
from tests.fuzz.actors import new_actors
from tests.fuzz.checks import Findings, fuzz, fuzz_chains
from tests.fuzz.transport import TRANSPORTS
from tests.harness.engine import WITHOUT_RATE_LIMIT, fresh_table
from tests.harness.sample_requests import ROUTE_NAMES

_CHAINS = "chains"
_SUBJECTS = (*ROUTE_NAMES, *[_CHAINS] * 8)
_CALLERS = ("owner", "member", "owner", "stranger", "owner", "token")
"""The callers with more rights come more often; refusals need few cases."""
_EXAMPLES = 60
_CHAIN_CASES = 400


@dataclass(frozen=True)
class Round:
    """The round of a number: each cycle covers all subjects, with other callers and transports than the last one."""

    number: int

    @property
    def _cycle(self) -> int:
        return self.number // len(_SUBJECTS)

    @property
    def _position(self) -> int:
        return self.number % len(_SUBJECTS)

    @property
    def subject(self) -> str:
        return _SUBJECTS[self._position]

    @property
    def caller(self) -> str:
        return _CALLERS[(self._cycle + (self._position if self.subject == _CHAINS else 0)) % len(_CALLERS)]

    @property
    def transport(self) -> str:
        return list(TRANSPORTS)[(self._position + self._cycle // 2) % len(TRANSPORTS)]

    def __str__(self) -> str:
        return f"round {self.number}: {self.subject} by the {self.caller}, {self.transport}"

    def run(self) -> Findings:
        """Runs the round's cases on a fresh table."""
        with fresh_table(**WITHOUT_RATE_LIMIT), TRANSPORTS[self.transport]() as load:
            actors = new_actors()
            if self.subject == _CHAINS:
                return fuzz_chains(load, actors, self.caller, cases=_CHAIN_CASES, seed=self.number * 1000)
            return fuzz(load, self.subject, actors, self.caller, examples=_EXAMPLES, seed=self.number)


@contextmanager
def engine() -> Iterator[str]:
    """Starts an engine and yields its endpoint. moto is slower: 27 cases a second against 56, and slowing further."""
    with TemporaryDirectory() as folder:
        started = local.start(local.MINISTACK, Path(folder))
        try:
            yield started.environment["AWS_ENDPOINT_URL"]
        finally:
            started.stop()
