"""A thousand connections on one board: a change rings each of them once, in parts that fit into an invocation."""

from __future__ import annotations

import pytest

from governance.instants import now
from governance.limits import LIVE_CONNECTIONS_PER_USER, RINGS_AT_ONCE
from governance.models.live import StoredConnection
from governance.store.live import connections
from governance.store.transactions import transact
from governance.store.writes import Write
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import create_members
from tests.harness.live import Channel, Tab

pytestmark = pytest.mark.slow
CONNECTIONS = 1000


def connect_all(channel: Channel, scenario: BoardScenario) -> None:
    """Puts a thousand connections into the board's room: ten of each of a hundred members."""
    writes: list[Write] = []
    for user_id in create_members(scenario, CONNECTIONS // LIVE_CONNECTIONS_PER_USER):
        for number in range(LIVE_CONNECTIONS_PER_USER):
            tab = Tab(f"{user_id}-{number}", channel, status=200, is_open=True)
            channel.tabs[tab.id] = tab
            by_session = {"user_id": user_id, "token_id": None, "created_via": "web", "ends_at": None}
            made = StoredConnection.model_validate({**by_session, "id": tab.id, "connected_at": now()})
            inside = connections.replace(made, made.model_copy(update={"rooms": (scenario.board_id,)}))
            writes += inside[1:]
    for start in range(0, len(writes), 100):
        transact(writes[start : start + 100])


def test_each_of_a_thousand_connections_is_rung_once(channel: Channel, scenario: BoardScenario) -> None:
    connect_all(channel, scenario)
    with channel.watched():
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Live", "status": "scheduled"})
    assert {len(tab.rings()) for tab in channel.tabs.values()} == {1}
    assert len(channel.tabs) == CONNECTIONS
    assert channel.invoked == 1 + CONNECTIONS // RINGS_AT_ONCE
