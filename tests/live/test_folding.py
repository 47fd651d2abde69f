"""Whether a change rings at all, and how often a room does: what nobody hears invokes nothing, pings write nothing."""

from __future__ import annotations

import pytest

from governance.limits import LIVE_MESSAGES_PER_MINUTE, RINGS_PER_SECOND
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario
from tests.harness.clock import Clock
from tests.harness.live import Channel
from tests.harness.store_calls import requests_to
from tests.harness.table_snapshot import TableSnapshot

PING = {"action": "ping"}


def change_meetings(channel: Channel, scenario: BoardScenario, number: int, *, draft: bool = False) -> None:
    """Makes changes at once, rings for them, and lets the queue of what waits be delivered a second later."""
    status = {} if draft else {"status": "scheduled"}
    with channel.watched():
        for _ in range(number):
            assert scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Live", **status}).status == 201
    queue.current.now += 1
    queue.current.deliver()
    channel.ring()


def test_a_change_that_nobody_hears_invokes_no_ringer_and_takes_one_read(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    with requests_to("dynamodb.Query") as queries:
        change_meetings(channel, scenario, 5)
    rooms = [text for text in map(str, queries) if "ROOM#" in text or "LISTENER#" in text]
    assert len(rooms) == len(set(rooms)) <= 2, "one read for the board, one for its creator's notifications"
    assert channel.invoked == 0


def test_whoever_joined_before_a_change_is_rung_for_it_even_if_nobody_listened_just_before(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    change_meetings(channel, scenario, 1)
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    change_meetings(channel, scenario, 1)
    assert [event for _, event in tab.rings()] == ["meeting.created"]


def test_more_than_ten_rings_of_a_second_in_a_room_are_one_that_says_read_again(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    change_meetings(channel, scenario, RINGS_PER_SECOND + 5)
    rings = [message for message in tab.told if message["type"] == "ring"]
    assert [ring["event"] for ring in rings] == ["meeting.created"] * RINGS_PER_SECOND + ["changed"]
    assert rings[-1]["ids"] == {"boardId": scenario.board_id}
    tab.forget()
    clock.move(1)
    change_meetings(channel, scenario, 1)
    assert [event for _, event in tab.rings()] == ["meeting.created"]


def test_a_folded_ring_is_heard_by_those_alone_who_would_have_heard_one_of_its_rings(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    tabs = [
        channel.open(client) for client in (scenario.owner.client, scenario.member("guest", access_type="guest").client)
    ]
    for tab in tabs:
        tab.join(scenario.board_id)
    change_meetings(channel, scenario, RINGS_PER_SECOND + 2, draft=True)
    assert [[event for _, event in tab.rings() if event == "changed"] for tab in tabs] == [["changed"], []]


def test_who_is_removed_in_a_busy_second_still_leaves_the_room(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    guest = scenario.member("guest", access_type="guest")
    tab = channel.open(guest.client)
    tab.join(scenario.board_id)
    change_meetings(channel, scenario, RINGS_PER_SECOND + 2)
    with channel.watched():
        scenario.owner.client.delete(scenario.member_path(guest))
    assert ("left", "removed") in [(message["type"], message.get("reason")) for message in tab.told]


@pytest.mark.parametrize("has_joined", [False, True])
def test_a_ping_every_nine_minutes_writes_nothing(
    has_joined: bool, channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    tab = channel.open(scenario.owner.client)
    if has_joined:
        tab.join(scenario.board_id)
    table = TableSnapshot()
    for _ in range(3):
        clock.move(9 * 60)
        assert tab.say(PING) == [{"type": "pong"}]
    assert not table.changes()


def test_pings_that_follow_each_other_count_as_any_message(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    tab = channel.open(scenario.owner.client)
    answers = [tab.say(PING)[0]["type"] for _ in range(LIVE_MESSAGES_PER_MINUTE + 1)]
    assert answers == ["pong"] * LIVE_MESSAGES_PER_MINUTE + ["error"]
    clock.move(61)
    assert tab.say(PING) == [{"type": "pong"}]
