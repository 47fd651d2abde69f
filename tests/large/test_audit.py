"""A board with a hundred thousand audit entries, read to the end in every way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from governance.ids import UserId, time_ordered_id
from governance.instants import from_millis, millis, now, shift
from governance.models.history.audit import AuditAction, AuditEntry
from governance.store.boards import boards
from governance.store.history import audit
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.large.filling import store_all

pytestmark = pytest.mark.slow
COUNT = 100_000
_INTERVAL_MILLIS = 777_777
"""Milliseconds between instants; three entries share each of them, and all span ten months."""
_ACTIONS: tuple[AuditAction, ...] = ("meetingCreate", "documentView", "actionItemCreate", "actionItemDelete")


def entries(scenario: BoardScenario) -> Iterator[AuditEntry]:
    """Yields entries of the last ten months, several at each instant, as varied as real ones."""
    rng, last = random.Random(7), millis(now())  # noqa: S311 - reproducible test data
    for number in range(COUNT):
        at = from_millis(last - (COUNT - number) // 3 * _INTERVAL_MILLIS)
        yield AuditEntry(
            id=time_ordered_id(millis(at)),
            board_id=scenario.board_id,
            actor_user=rng.choice((scenario.owner.id, UserId(f"{rng.randrange(40):024x}"), None)),
            action=rng.choice(_ACTIONS),
            details={
                "id": f"{rng.getrandbits(96):024x}",
                "title": f"Minutes of meeting “{rng.randrange(10**6)}”",
            },
            created_via=rng.choice(("web", "agent")),
            created_at=at,
            updated_at=at,
        )


def fill(scenario: BoardScenario) -> list[str]:
    """Writes all entries. Returns their ids in the order of the log."""
    log = list(entries(scenario))
    store_all([audit.put(entry).item for entry in log])  # type: ignore[union-attr]
    return [entry.id for entry in sorted(log, key=lambda entry: (entry.created_at, entry.id))]


def backdate(scenario: BoardScenario) -> None:
    """Makes the board two years old, older than its entries."""
    board = boards.find(scenario.board_id)
    assert board is not None
    created_at = shift(now(), days=-2 * 365)
    transact([boards.replace(board, board.model_copy(update={"created_at": created_at}))])


def test_a_hundred_thousand_entries_are_each_returned_once_in_order(scenario: BoardScenario) -> None:
    backdate(scenario)
    expected = fill(scenario)
    client, path = scenario.owner.client, f"/api/auditlog/{scenario.board_id}"
    for encoding, most in (("gzip", 1), ("identity", 7)):
        answers = client.linked(path, **{"accept-encoding": encoding})
        responses = [[entry["_id"] for entry in response.json] for response in answers]
        assert len(responses) <= most
        assert [entry_id for response in responses for entry_id in response] == expected
    pages = [[entry["_id"] for entry in response.json] for response in islice(client.linked(path, "limit=100"), 3)]
    assert pages == [expected[:100], expected[100:200], expected[200:300]]
