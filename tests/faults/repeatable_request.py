"""A request that is made over and over on the same table, and what it is known to answer and to leave behind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.faults.call_faults import Wire, wired
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, Response
from tests.harness.sample_requests import OUTSIDER_EMAIL, ROUTES_BY_NAME, SampleRequest, sample_request
from tests.harness.table_snapshot import TableSnapshot

State = Counter[str]
_FOR_INVITEES = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_KEY = {"idempotency-key": "once-and-only-once"}


@dataclass
class Trial:
    """The request, and the table before it."""

    request: SampleRequest
    client: Client
    before: TableSnapshot
    headers: dict[str, str]

    def send(self) -> Response:
        return self.client.call(self.request.method, self.request.path, self.request.body, headers=self.headers)

    def outcome(self) -> tuple[Response, State]:
        """The answer, and how the table differs from what it was."""
        return self.send(), self.before.changes()


@dataclass(frozen=True)
class Reference:
    """The calls of one sound request, what it answers and leaves, and what a second one does."""

    calls: list[str]
    once: tuple[Response, State]
    twice: tuple[Response, State]


def new_trial(route: str, scenario: BoardScenario, *, keyed: bool) -> Trial:
    """A sound request to the route, with an idempotency key or without."""
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if route.endswith(_FOR_INVITEES) else scenario.owner
    request = sample_request(route, scenario, caller)
    return Trial(request, caller.client, TableSnapshot(), _KEY if keyed else {})


def reference(run: Trial) -> Reference:
    """Learnt from two sound requests; the table is put back."""
    with wired(Wire()) as wire:
        once = run.outcome()
    twice = run.outcome()
    run.before.restore()
    return Reference(wire.calls, once, twice)


def takes_keys(route: str) -> bool:
    """Whether the route keeps its first answer for a repeat."""
    return bool(ROUTES_BY_NAME[route].idempotent)
