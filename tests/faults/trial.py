"""A request that is made over and over on the same table, and what it is known to answer and to leave behind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tests.faults.troubles import Wire, wired
from tests.harness.client import Answer, Client
from tests.harness.routes import OUTSIDER_EMAIL, ROUTES_BY_NAME, Sample, sample
from tests.harness.snapshots import Snapshot
from tests.harness.world import World, person

State = Counter[str]
_FOR_INVITEES = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_KEY = {"idempotency-key": "once-and-only-once"}


@dataclass
class Trial:
    """The request, and the table before it."""

    request: Sample
    client: Client
    before: Snapshot
    headers: dict[str, str]

    def send(self) -> Answer:
        return self.client.call(self.request.method, self.request.path, self.request.body, headers=self.headers)

    def outcome(self) -> tuple[Answer, State]:
        """The answer, and how the table differs from what it was."""
        return self.send(), self.before.changes()


@dataclass(frozen=True)
class Reference:
    """The calls of one sound request, what it answers and leaves, and what a second one does."""

    calls: list[str]
    once: tuple[Answer, State]
    twice: tuple[Answer, State]


def new_trial(route: str, world: World, *, keyed: bool) -> Trial:
    """A sound request to the route, with an idempotency key or without."""
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if route.endswith(_FOR_INVITEES) else world.owner
    request = sample(route, world, caller)
    return Trial(request, caller.client, Snapshot(), _KEY if keyed else {})


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
