"""The clock of the service in tests: one for all components, and a skew for each function if a test says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from types import SimpleNamespace
from typing import Any

import pytest
from jwt import api_jwt

from governance import instants
from governance.http import rate_limit, sessions
from tests.harness import queue
from tests.harness.client import FUNCTIONS
from tests.harness.privileges import acting


class SteppedTime:
    """The monotonic clock of one module, in place of its `time`: it stands still unless a test moves it on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        """Returns the seconds."""
        return self.now


class Clock:
    """Moves requests, deliveries, rate windows and the queue at once; sessions stay valid, as users renew theirs."""

    def __init__(self) -> None:
        self._ahead = timedelta()
        self._skews: dict[str, timedelta] = {}
        self._stopped_at: datetime | None = None

    def advance(self, **ahead: float) -> None:
        """Sets the clock this far ahead of the real time."""
        self.move((timedelta(**ahead) - self._ahead).total_seconds())

    def move(self, seconds: float) -> None:
        """Lets time pass, or goes back if the seconds are negative."""
        queue.current.now += seconds
        self._ahead += timedelta(seconds=seconds)

    def stop(self, at: datetime | None = None) -> None:
        """From now on, time passes by `advance` and `move` only; it is made this instant if one is given."""
        self._stopped_at = datetime.now(UTC) if at is None else at - self._ahead

    def skew(self, *functions: str, **ahead: float) -> None:
        """Sets the clocks of these functions this far ahead of the others; a negative time is behind them."""
        assert {*functions} <= {path.parent.name for path in FUNCTIONS.glob("*/handler.py")}
        self._skews.update(dict.fromkeys(functions, timedelta(**ahead)))

    @property
    def own_skew(self) -> timedelta:
        """How far the clock of the function that runs is ahead of the others."""
        return self._skews.get(acting() or "", timedelta())

    def now(self, tz: tzinfo | None) -> datetime:
        """Returns the time of the function that runs."""
        return (self._stopped_at or datetime.now(UTC)).astimezone(tz) + self._ahead + self.own_skew


def install(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replaces every clock that the service reads to tell the time of day."""
    clock = Clock()

    class Now(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return clock.now(tz)

    class SessionsNow(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + clock.own_skew

    monkeypatch.setattr(instants, "datetime", Now)
    monkeypatch.setattr(api_jwt, "datetime", SessionsNow)
    monkeypatch.setattr(sessions, "datetime", SessionsNow)
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(time=lambda: clock.now(UTC).timestamp()))
    return clock
