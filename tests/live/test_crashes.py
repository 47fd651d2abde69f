"""The ringer killed at every call: whoever may hear is rung when it is tried again, and what was lost ends."""

from __future__ import annotations

from typing import Any

import pytest

from governance import aws
from governance.settings import settings
from governance.store.live import connections
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import ProcessKilled, crash_at
from tests.harness.live import Channel, changes_since
from tests.harness.stream import send_to_queue
from tests.harness.table_snapshot import Items, TableSnapshot

pytestmark = pytest.mark.slow


def ring_until_killed(channel: Channel, before: Items, call: int) -> bool:
    """Rings for what changed, killed at a call, then again as Lambda does; returns whether there was no such call."""
    send_to_queue(changes_since(before))
    messages = list(channel.waiting)
    clients: dict[str, Any] = {
        "apigatewaymanagementapi": aws.apigatewaymanagementapi(settings().live_endpoint),
        "lambda": aws.lambda_(),
    }
    ended = True
    try:
        with crash_at(call, **clients):
            channel.ring()
    except ProcessKilled:
        ended = False
    channel.waiting[:] = messages
    channel.ring()
    return ended


def test_killed_at_every_call_all_hear_of_a_change(
    channel: Channel, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("governance.live.rings.RINGS_AT_ONCE", 2)
    people = [scenario.owner, *(scenario.member(name) for name in ("ann", "ben", "cem"))]
    tabs = [channel.open(person.client) for person in people]
    for tab in tabs:
        tab.join(scenario.board_id)
    call, ended = 1, False
    while not ended:
        for tab in tabs:
            tab.forget()
        before = TableSnapshot().items
        scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Live", "status": "scheduled"})
        ended = ring_until_killed(channel, before, call)
        assert all(tab.rings() for tab in tabs), call
        call += 1
    assert call > len(tabs)


def test_killed_at_every_call_a_removed_member_is_told_and_hears_no_more(
    channel: Channel, scenario: BoardScenario
) -> None:
    call, ended = 1, False
    while not ended:
        guest = scenario.member(f"guest-{call}", access_type="guest")
        tab = channel.open(guest.client)
        tab.join(scenario.board_id)
        before = TableSnapshot().items
        scenario.owner.client.delete(scenario.member_path(guest))
        ended = ring_until_killed(channel, before, call)
        assert ("left", "removed") in [(message["type"], message.get("reason")) for message in tab.told]
        assert tab.rings() == []
        assert connections.in_room_of(scenario.board_id, guest.id) == []
        call += 1
    assert call > 3
