"""Reads are strongly consistent: what a request answers and writes never follows from an outdated item (ADR table)."""

from __future__ import annotations

import pytest

from governance.ids import BoardId
from governance.store import table
from governance.store.schema.entities import BOARD
from governance.store.schema.keys import Range
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.outbox import Outbox
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.stale_store import stale_reads


@pytest.mark.parametrize("name", ROUTE_NAMES)
def test_no_route_reads_what_may_be_outdated(name: str, scenario: BoardScenario, outbox: Outbox) -> None:
    del outbox
    for_invitees = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if name.endswith(for_invitees) else scenario.owner
    request = sample_request(name, scenario, caller)
    with stale_reads() as stale:
        response = request.by(caller.client)
    assert response.status == ROUTES_BY_NAME[name].status or "preview" in name, response.text
    assert stale == []


def test_one_read_and_every_kind_of_range_is_strong_and_a_read_may_be_asked_to_be_cheap(
    scenario: BoardScenario,
) -> None:
    key = BOARD.key_for(boardId=BoardId(scenario.board_id))
    span = Range(key.attributes["PK"], "")
    with stale_reads() as stale:
        assert table.read_one(key) is not None
        assert table.read([key])
        assert table.query(span)
        assert table.query(span, 1, descending=True)
        assert list(table.iter_range(span, "PK"))
        assert list(table.iter_ranges([span, span], 1, "PK"))
        assert stale == []
        assert table.read([key], consistent=False) == {}
    assert stale == ["BatchGetItem"]
