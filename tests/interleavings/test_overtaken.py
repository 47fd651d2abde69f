"""The board is deleted between a request's last read and its write: the request is a 404, and writes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from governance.store import table
from tests.faults.repeatable_request import Trial, new_trial
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.outbox import Outbox, outbox
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.table_snapshot import TableSnapshot

__all__ = ["outbox"]

WRITES = [name for name in ROUTE_NAMES if "{boardId}" in name and ROUTES_BY_NAME[name].method not in {"GET", "DELETE"}]
"""What is removed from under a board that is gone is gone either way."""
_TRANSACT = "before-call.dynamodb.TransactWriteItems"


def overtaken(run: Trial, scenario: BoardScenario) -> tuple[Response, TableSnapshot]:
    """The answer, and the table as the deletion left it."""
    events = table.client().meta.events
    left: list[TableSnapshot] = []

    def delete_board(**_: Any) -> None:
        events.unregister(_TRANSACT, delete_board)
        assert scenario.owner.client.delete(scenario.path).status == 200
        left.append(TableSnapshot())

    events.register_first(_TRANSACT, delete_board)
    return run.send(), left[0]


@pytest.mark.parametrize("route", WRITES)
def test_nothing_is_written_under_a_board_that_was_just_deleted(
    route: str, scenario: BoardScenario, outbox: Outbox
) -> None:
    response, left = overtaken(new_trial(route, scenario, keyed=False), scenario)
    assert response.failure == (404, "RESOURCE_NOT_FOUND")
    assert left.changes() == {}
    assert outbox.mails == []
