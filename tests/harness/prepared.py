"""The board with which most tests begin: requests create it once a minute, and each test gets a copy of it."""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

from governance import instants
from governance.http import rate_limit
from governance.http.rate_limit import RateLease
from governance.http.recent_admissions import public_admissions, recent_admissions
from governance.settings import Settings, settings
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario
from tests.harness.client import Client
from tests.harness.table_snapshot import moto_table

_SECONDS = 60
"""How old the board of a test may be."""
_LEASES = (rate_limit._principals, rate_limit._addresses)
_ADMISSIONS = (recent_admissions, public_admissions)


@dataclass(frozen=True)
class _Created:
    """A new board: its items, and what the process remembers after the requests that created it."""

    scenario: BoardScenario
    settings: Settings
    created_at: float
    items: Any
    leases: list[OrderedDict[tuple[str, int], RateLease]]
    admissions: list[OrderedDict[tuple[str, str], float]]

    def is_current(self) -> bool:
        """Whether requests would create the same now; a test may move the clock, and have settings of its own.

        A board of a clock that was ahead has an owner who joined after everybody else.
        """
        return 0 <= _seconds() - self.created_at < _SECONDS and self.settings == _settings()

    def restore(self) -> BoardScenario:
        """Puts the board into the empty table and the memory of the process."""
        moto_table().items = copy.deepcopy(self.items)
        for kept, leases in zip(_LEASES, self.leases, strict=True):
            kept._kept = _copied(leases)
        for remembered, admissions in zip(_ADMISSIONS, self.admissions, strict=True):
            remembered._until = admissions.copy()
        owner = self.scenario.owner
        return BoardScenario(Person(owner.id, owner.email, Client(owner.client.bearer)), self.scenario.board_id)


_last: _Created | None = None


def board_scenario() -> BoardScenario:
    """Returns a board that olivia owns, and that is all there is in the table of the test."""
    global _last  # noqa: PLW0603 - one board for all tests of a minute
    if settings().table_endpoint:
        return new_board_scenario()
    if _last is None or not _last.is_current():
        _last = _created()
    return _last.restore()


def _created() -> _Created:
    created_at, scenario = _seconds(), new_board_scenario()
    leases = [_copied(lease._kept) for lease in _LEASES]
    admissions = [admission._until.copy() for admission in _ADMISSIONS]
    return _Created(scenario, _settings(), created_at, copy.deepcopy(moto_table().items), leases, admissions)


def _seconds() -> float:
    """Returns the time of the service's clock, which a test may have moved."""
    return instants.millis(instants.now()) / 1000


def _settings() -> Settings:
    return replace(settings(), table_name="")


def _copied(leases: OrderedDict[tuple[str, int], RateLease]) -> OrderedDict[tuple[str, int], RateLease]:
    copies = OrderedDict((key, copy.copy(lease)) for key, lease in leases.items())
    for lease in copies.values():
        lease.lock = threading.Lock()
        lease.expired_slices = [*lease.expired_slices]
    return copies
