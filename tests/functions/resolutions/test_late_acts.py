"""The last three seconds of a vote: a model of the clock, of a store that is slow, and of the end.

An act arrives before the end, its reads take some time, and so does its commit. It counts if its commit can end within
five seconds after the end, for which the longest time of an attempt is kept; otherwise it is 503 and changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from governance import deadline, instants
from governance.instants import Instant, seconds_until
from governance.limits import RESOLUTION_SETTLES_SECONDS
from governance.store.client.table_client import TableClient
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import from_now
from tests.harness.resolution_scenario import ResolutionScenario

CASES = 40
SPARE = RESOLUTION_SETTLES_SECONDS - deadline.STORE_ATTEMPT_SECONDS
"""How long after the end an attempt to commit may begin."""
Shown = dict[str, Any]


@dataclass
class SlowStore:
    """Lets time pass with the first read after `delay` was called, and with the commit that follows."""

    clock: Clock
    reads: float = 0
    commit: float = 0

    def delay(self, reads: float, commit: float) -> None:
        self.reads, self.commit = reads, commit

    def before(self, operation: str) -> None:
        if operation == "transact_write_items":
            self.clock.move(self.commit)
            self.commit = 0
        else:
            self.clock.move(self.reads)
            self.reads = 0


@pytest.fixture
def store_delays(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> SlowStore:
    slow, call = SlowStore(clock), TableClient.call

    def delayed(client: TableClient, operation: str, request: dict[str, Any]) -> Any:
        slow.before(operation)
        return call(client, operation, request)

    monkeypatch.setattr(TableClient, "call", delayed)
    clock.stop()
    return slow


class Act(NamedTuple):
    """What a person does at the last moment, what is done before it, and whether the outcome shows it."""

    do: Callable[[ResolutionScenario, str], Response]
    counts: Callable[[ResolutionScenario, str, Shown], bool]
    before: Callable[[ResolutionScenario, str], Response] | None = None
    ballots: tuple[str, ...] = ("named", "hidden")


def _voted(_votes: ResolutionScenario, _path: str, shown: Shown) -> bool:
    return bool(shown["tally"]["voted"] == 1)


ACTS = {
    "ballot": Act(lambda votes, path: votes.vote(path, votes.ann), _voted, ballots=("named", "hidden", "secret")),
    "take back": Act(
        lambda votes, path: votes.take_back(path, votes.ann),
        lambda *at_end: not _voted(*at_end),
        before=lambda votes, path: votes.vote(path, votes.ann),
    ),
    "proxy": Act(
        lambda votes, path: votes.give(path, votes.ann, votes.ben),
        lambda votes, path, _: bool(votes.voter(path, votes.ann)["proxyUserId"] == votes.ben.id),
    ),
    "recusal": Act(
        lambda votes, path: votes.recuse(path, votes.ann),
        lambda votes, path, _: votes.voter(path, votes.ann)["recused"] is not None,
    ),
    "withdrawal": Act(
        lambda votes, path: votes.withdraw(path), lambda _votes, _path, shown: bool(shown["status"] == "withdrawn")
    ),
}


def outcome(
    votes: ResolutionScenario, slow: SlowStore, act: Act, ballots: str, arrival: float, reads: float, commit: float
) -> tuple[int, bool]:
    """Returns how an act is answered that arrives so long before the end, and whether it counts afterwards."""
    path = votes.opened(ballots=ballots, rule={"proxies": ballots != "secret"}, closesAt=from_now(seconds=70))
    if act.before:
        assert act.before(votes, path).status == 200
    closes_at = Instant(votes.get(path)["closesAt"])
    slow.clock.move(seconds_until(closes_at, instants.now()) + arrival)
    slow.delay(reads, commit)
    status = act.do(votes, path).status
    slow.delay(0, 0)
    slow.clock.move(seconds_until(closes_at, instants.now()) + RESOLUTION_SETTLES_SECONDS + 0.1)
    return status, act.counts(votes, path, votes.get(path))


@pytest.mark.parametrize("name", ACTS)
def test_every_act_that_arrives_in_the_last_three_seconds_counts_while_the_store_is_slow(
    votes: ResolutionScenario, store_delays: SlowStore, name: str
) -> None:
    act, chance = ACTS[name], random.Random(name)  # noqa: S311 - the same cases each time
    for case in range(CASES):
        arrival = -3 + case * 2.98 / (CASES - 1)
        reads, commit = chance.uniform(0, SPARE), chance.uniform(0, deadline.STORE_ATTEMPT_SECONDS)
        ballots = act.ballots[case % len(act.ballots)]
        answered = outcome(votes, store_delays, act, ballots, arrival, reads, commit)
        assert answered == (200, True), (ballots, arrival, reads, commit)


@pytest.mark.parametrize("name", ACTS)
def test_an_act_whose_commit_could_end_too_late_is_answered_503_and_does_not_count(
    votes: ResolutionScenario, store_delays: SlowStore, name: str
) -> None:
    act = ACTS[name]
    for arrival in (-3, -1, -0.02):
        answered = outcome(votes, store_delays, act, act.ballots[-1], arrival, SPARE - arrival + 0.01, 0)
        assert answered == (503, False), arrival
