"""A board is deleted between a request's last read and its write: the request is a 404 and writes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.faults.repeatable_request import RepeatableRequest, new_repeatable_request
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.observed_table import events as table_events
from tests.harness.outbox import Outbox
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.table_snapshot import TableSnapshot

_DELETION = "DELETE /api/v1/boards/{boardId}"
WRITES = [
    name for name in ROUTE_NAMES if "{boardId}" in name and ROUTES_BY_NAME[name].method != "GET" and name != _DELETION
]
_TRANSACT = "before-call.dynamodb.TransactWriteItems"


def send_during_deletion(run: RepeatableRequest, scenario: BoardScenario) -> tuple[Response, TableSnapshot]:
    """Deletes the board just before the request writes. Returns the response and the table after the deletion."""
    after_deletion: list[TableSnapshot] = []

    def delete_board(**_: Any) -> None:
        table_events.unregister(_TRANSACT, delete_board)
        assert scenario.owner.client.delete(scenario.path).status == 200
        after_deletion.append(TableSnapshot())

    table_events.register_first(_TRANSACT, delete_board)
    try:
        return run.send(), after_deletion[0]
    finally:
        table_events.unregister(_TRANSACT, delete_board)


@pytest.mark.parametrize("route", WRITES)
def test_nothing_is_written_under_a_board_that_was_just_deleted(
    route: str, scenario: BoardScenario, outbox: Outbox
) -> None:
    response, after_deletion = send_during_deletion(new_repeatable_request(route, scenario, keyed=False), scenario)
    assert response.failure == (404, "RESOURCE_NOT_FOUND")
    assert after_deletion.changes() == {}
    assert outbox.mails == []
