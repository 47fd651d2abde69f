"""The store's cost of a page of documents does not grow with the board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from governance.ids import membership_id, new_id
from governance.instants import now, shift
from governance.models.documents.document import StoredDocument
from governance.store.documents import documents
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario
from tests.harness.observed_table import events as table_events

pytestmark = pytest.mark.slow
FEW, MANY = 50, 600
_ROUNDING = 1
"""Units: each of a page's calls is rounded up, by what happens to be on the page."""
BATCH = 49


def fill(scenario: BoardScenario, committee: str, meeting: str, count: int) -> None:
    """Writes documents of every kind to the store; each has a row for its meeting."""
    for first in range(0, count, BATCH):
        batch = [
            new_document(scenario, committee, meeting, number) for number in range(first, min(first + BATCH, count))
        ]
        transact([write for document in batch for write in documents.create(document)])


def new_document(scenario: BoardScenario, committee: str, meeting: str, number: int) -> StoredDocument:
    return StoredDocument(
        id=new_id(),
        board_id=scenario.board_id,
        title="Minutes",
        document_type=("minutes", "agenda")[number % 2],
        meeting_ids=(meeting,),
        committee_id=committee if number % 3 == 0 else None,
        creator_id=None,
        created_by_user_id=scenario.owner.id,
        created_at=now(),
        updated_at=shift(now(), minutes=-number),
    )


@contextmanager
def metered_capacity() -> Iterator[list[float]]:
    """Collects the capacity units of each call, as the engine reports them."""
    units: list[float] = []

    def request_capacity(params: dict[str, Any], **_: Any) -> None:
        params["ReturnConsumedCapacity"] = "TOTAL"

    def record(parsed: dict[str, Any], **_: Any) -> None:
        consumed = parsed.get("ConsumedCapacity", [])
        units.extend(part["CapacityUnits"] for part in (consumed if isinstance(consumed, list) else [consumed]))

    for operation in ("Query", "BatchGetItem"):
        table_events.register(f"provide-client-params.dynamodb.{operation}", request_capacity)
        table_events.register(f"after-call.dynamodb.{operation}", record)
    yield units
    for operation in ("Query", "BatchGetItem"):
        table_events.unregister(f"provide-client-params.dynamodb.{operation}", request_capacity)
        table_events.unregister(f"after-call.dynamodb.{operation}", record)


def cost(scenario: BoardScenario, **query: Any) -> float:
    """Returns the capacity units that a page costs."""
    with metered_capacity() as units:
        response = scenario.owner.client.get(f"{scenario.path}/documents", **query)
    assert (response.status, len(response.data)) == (200, query["limit"])
    return sum(units)


def test_the_cost_of_a_page_does_not_depend_on_the_size_of_the_board(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    seats = [membership_id(scenario.board_id, scenario.owner.id)]
    committee = owner.post(f"{scenario.path}/committees", {"name": "C", "memberIds": seats}).data["id"]
    meeting = owner.post(f"{scenario.path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    filters: list[dict[str, Any]] = [
        {},
        {"meetingId": meeting},
        {"documentType": "minutes"},
        {"meetingId": meeting, "documentType": "minutes"},
        {"order": "asc"},
    ]
    fill(scenario, committee, meeting, FEW)
    expected = [cost(scenario, limit=10, **query) for query in filters]
    fill(scenario, committee, meeting, MANY - FEW)
    for query, before in zip(filters, expected, strict=True):
        assert abs(cost(scenario, limit=10, **query) - before) <= _ROUNDING
