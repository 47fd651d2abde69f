"""A board with a hundred thousand audit entries, read to its end by each way there is."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from governance.ids import time_ordered_id
from governance.instants import from_millis, millis, now
from governance.models.audit import AuditAction, AuditEntry
from governance.settings import settings
from governance.store import audit, table
from governance.store.attributes import marshal
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response

pytestmark = pytest.mark.slow
COUNT = 100_000
_BATCH = 25
_APART = 777_777
"""Milliseconds between entries, three of which share each instant: ten months in all."""
_ACTIONS: tuple[AuditAction, ...] = ("meetingCreate", "documentView", "actionItemCreate", "actionItemDelete")
_NEXT = re.compile(r'<https://governance\.example\.com[^?]+\?(.+)>; rel="next"')
Ask = Callable[[str], Response]


def entries(scenario: BoardScenario) -> Iterator[AuditEntry]:
    """Entries of the last ten months, several at one instant, as unlike one another as real ones are."""
    dice, last = random.Random(7), millis(now())  # noqa: S311 - the same every time
    for number in range(COUNT):
        at = from_millis(last - (COUNT - number) // 3 * _APART)
        yield AuditEntry(
            id=time_ordered_id(millis(at)),
            board_id=scenario.board_id,
            actor_user=dice.choice((scenario.owner.id, f"{dice.randrange(40):024x}", None)),
            action=dice.choice(_ACTIONS),
            details={"id": f"{dice.getrandbits(96):024x}", "title": f"Minutes of meeting “{dice.randrange(10**6)}”"},
            created_via=dice.choice(("web", "agent")),
            created_at=at,
            updated_at=at,
        )


def fill(scenario: BoardScenario) -> list[str]:
    """Write them all; their ids in the order of the log."""
    name, found = settings().table_name, list(entries(scenario))
    items = [marshal(audit.put(entry).item) for entry in found]  # type: ignore[union-attr]
    batches = [items[start : start + _BATCH] for start in range(0, COUNT, _BATCH)]

    def write(batch: list[dict[str, object]]) -> None:
        puts = [{"PutRequest": {"Item": item}} for item in batch]
        response = table.client().batch_write_item(RequestItems={name: puts})  # type: ignore[dict-item]
        assert not response["UnprocessedItems"]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, batches))
    return [entry.id for entry in sorted(found, key=lambda entry: (entry.created_at, entry.id))]


def asking(scenario: BoardScenario, encoding: str) -> Ask:
    """The route, for a client that takes this encoding."""
    path, headers = f"/api/auditlog/{scenario.board_id}", {"accept-encoding": encoding}
    return lambda query: scenario.owner.client.call("GET", path, query=query, headers=headers)


def followed(ask: Ask, query: str = "") -> Iterator[Response]:
    """The answers from link to link."""
    while True:
        response = ask(query)
        assert response.status == 200, response.text
        yield response
        if "link" not in response.headers:
            return
        found = _NEXT.fullmatch(response.headers["link"])
        assert found is not None
        query = found[1]


def test_a_hundred_thousand_entries_are_read_once_each_and_in_order(scenario: BoardScenario) -> None:
    expected = fill(scenario)
    for encoding, most in (("gzip", 1), ("identity", 7)):
        responses = [[entry["_id"] for entry in response.json] for response in followed(asking(scenario, encoding))]
        assert len(responses) <= most
        assert [one for response in responses for one in response] == expected
    few = [
        [entry["_id"] for entry in response.json] for response in islice(followed(asking(scenario, ""), "limit=100"), 3)
    ]
    assert few == [expected[:100], expected[100:200], expected[200:300]]
