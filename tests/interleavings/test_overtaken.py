"""The board is deleted between a request's last read and its write: the request is a 404, and writes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from governance.store import table
from tests.faults.trial import Trial, new_trial
from tests.harness.client import Answer
from tests.harness.outbox import Outbox, outbox
from tests.harness.routes import ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.snapshots import Snapshot
from tests.harness.world import World

__all__ = ["outbox"]

WRITES = [name for name in ROUTE_NAMES if "{boardId}" in name and ROUTES_BY_NAME[name].method not in {"GET", "DELETE"}]
"""What is removed from under a board that is gone is gone either way."""
_TRANSACT = "before-call.dynamodb.TransactWriteItems"


def overtaken(run: Trial, world: World) -> tuple[Answer, Snapshot]:
    """The answer, and the table as the deletion left it."""
    events = table.client().meta.events
    left: list[Snapshot] = []

    def delete_board(**_: Any) -> None:
        events.unregister(_TRANSACT, delete_board)
        assert world.owner.client.delete(world.path).status == 200
        left.append(Snapshot())

    events.register_first(_TRANSACT, delete_board)
    return run.send(), left[0]


@pytest.mark.parametrize("route", WRITES)
def test_nothing_is_written_under_a_board_that_was_just_deleted(route: str, world: World, outbox: Outbox) -> None:
    answer, left = overtaken(new_trial(route, world, keyed=False), world)
    assert answer.failure == (404, "RESOURCE_NOT_FOUND")
    assert left.changes() == {}
    assert outbox.mails == []
