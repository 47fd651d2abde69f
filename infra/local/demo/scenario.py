"""The scenario of the demo data: its users call the use cases that serve requests, at times in the past."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from governance import instants
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Body
from governance.settings import Settings
from governance.store.transactions import transact
from governance.store.writes import Put, Write
from governance.usecases.acting import act_as


@dataclass
class Scenario:
    """The demo data so far: ids of users, boards and meetings by their names in the demo modules.

    `examples` has the ids for the curl commands that `make run` prints.
    """

    settings: Settings
    now: Instant = field(default_factory=instants.now)
    people: dict[str, UserId] = field(default_factory=dict)
    boards: dict[str, BoardId] = field(default_factory=dict)
    meetings: dict[str, str] = field(default_factory=dict)
    examples: dict[str, Any] = field(default_factory=dict)

    def ago(self, days: int = 0) -> Instant:
        """Returns the instant that lies this many days before the seeding."""
        return instants.shift(self.now, days=-days)

    def call(
        self, user: str, usecase: Callable[..., Any], body: Body | None = None, *, at: str | None = None, **params: str
    ) -> Any:
        """Returns the response of a use case to a user's request. `params` are the path parameters."""
        outcome = act_as(self.people[user], usecase, body, Instant(at or self.now), params)
        if outcome.writes:
            self.commit(outcome.writes)
        return outcome.response

    @staticmethod
    def commit(writes: Sequence[Write]) -> None:
        """Makes writes of the past, whose events are stored long after their instant: nobody reads the feeds yet."""
        transact([replace(write, commit_by=None) if isinstance(write, Put) else write for write in writes])


@dataclass(frozen=True)
class BoardAuthor:
    """Writes content on one board of the scenario (`governance.usecases.boards.example_content`)."""

    scenario: Scenario
    board: str

    @property
    def now(self) -> Instant:
        """The instant of the seeding."""
        return self.scenario.now

    def person(self, name: str) -> UserId:
        """Returns the id of a user."""
        return self.scenario.people[name]

    def write(self, name: str, usecase: Callable[..., Any], body: Body, *, days_ago: int, **params: str) -> str:
        """Calls a use case as a user, `days_ago` before the seeding; returns the id of the result."""
        board_id = self.scenario.boards[self.board]
        response = self.scenario.call(name, usecase, body, at=self.scenario.ago(days_ago), boardId=board_id, **params)
        return str(response.id)
