"""A request that is repeated on the same table, and what it is known to respond and to write."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.faults.call_faults import FaultInjector, inject
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, Response
from tests.harness.engine import clear_recent_admissions
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import ROUTES_BY_NAME, SampleRequest, sample_request
from tests.harness.table_snapshot import TableSnapshot

TableChanges = Counter[str]
_FOR_INVITEES = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_KEY = {"idempotency-key": "once-and-only-once"}


@dataclass
class RepeatableRequest:
    """A request, and a snapshot of the table before it."""

    request: SampleRequest
    client: Client
    before: TableSnapshot
    headers: dict[str, str]

    def send(self) -> Response:
        """Sends the request as in a new execution environment: its store calls come in the same order every time."""
        clear_recent_admissions()
        request = self.request
        return self.client.call(request.method, request.path, request.body, query=request.query, headers=self.headers)

    def outcome(self) -> tuple[Response, TableChanges]:
        """Sends the request. Returns the response and the changes to the table."""
        return self.send(), self.before.changes()


@dataclass(frozen=True)
class Reference:
    """The store calls of one valid request, its outcome, and the outcome of a second one."""

    calls: list[str]
    once: tuple[Response, TableChanges]
    twice: tuple[Response, TableChanges]


def new_repeatable_request(route: str, scenario: BoardScenario, *, keyed: bool) -> RepeatableRequest:
    """Builds a valid request to the route, with or without an idempotency key."""
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if route.endswith(_FOR_INVITEES) else scenario.owner
    request = sample_request(route, scenario, caller)
    return RepeatableRequest(request, caller.client, TableSnapshot(), _KEY if keyed else {})


def reference(run: RepeatableRequest) -> Reference:
    """Sends the request twice to learn its outcomes, and restores the table."""
    with inject(FaultInjector()) as injector:
        once = run.outcome()
    twice = run.outcome()
    run.before.restore()
    return Reference(injector.calls, once, twice)


def takes_keys(route: str) -> bool:
    return bool(ROUTES_BY_NAME[route].idempotent)
