"""The seven audit actions of the channel: on their board or in the system's own log, once an hour the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.domain.live.messages import PROTOCOL
from governance.ids import new_id, time_ordered_id
from governance.instants import millis, now, shift
from governance.limits import LIVE_MESSAGES_PER_MINUTE
from governance.store.client.errors import NoAnswerError, RefusedError
from governance.store.live import connections
from governance.store.schema.keys import Key, make_item, position
from governance.store.schema.live import system_audit_partitions, system_entry_key
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked
from tests.harness.live import Channel
from tests.operator.commands import boardctl

HOUR = 3600


def on_board(scenario: BoardScenario) -> list[tuple[str, str, dict[str, str]]]:
    """Returns the channel's entries of a board: action, user and details, oldest first."""
    shown = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    ours = [entry for entry in shown if entry["action"].startswith("ws")]
    return [(entry["action"], entry["actorUser"], entry["details"]) for entry in ours]


def of_system(*options: str, since: str | None = None) -> list[dict[str, object]]:
    """Returns what `boardctl audit system` prints, newest first: of the last days, unless an instant is given."""
    result = boardctl("audit", "system", "--since", since or shift(now(), days=-2), *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_joins_and_leaves_are_recorded_on_the_board_once_an_hour(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    tab, user = channel.open(scenario.owner.client), scenario.owner.id
    for _ in range(3):
        tab.join(scenario.board_id)
        tab.leave(scenario.board_id)
    assert on_board(scenario) == [("wsRoomJoin", user, {}), ("wsRoomLeave", user, {})]
    clock.move(HOUR)
    tab.join(scenario.board_id)
    assert [entry[0] for entry in on_board(scenario)].count("wsRoomJoin") == 2


def test_a_connection_that_ends_leaves_its_rooms(channel: Channel, scenario: BoardScenario) -> None:
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    channel.end(tab)
    assert on_board(scenario)[-1] == ("wsRoomLeave", scenario.owner.id, {})


def test_a_stranger_is_recorded_on_the_board_that_refused_them(channel: Channel, scenario: BoardScenario) -> None:
    stranger = person("stranger")
    tab = channel.open(stranger.client)
    for _ in range(2):
        tab.join(scenario.board_id)
    tab.join(new_id())
    assert on_board(scenario) == [("wsRoomAccessDenied", stranger.id, {"reason": "FORBIDDEN"})]


def test_too_many_messages_are_recorded_where_the_connection_is(channel: Channel, scenario: BoardScenario) -> None:
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    for _ in range(LIVE_MESSAGES_PER_MINUTE + 3):
        tab.say({"action": "ping"})
    assert on_board(scenario) == [("wsRoomJoin", scenario.owner.id, {}), ("wsRateLimit", scenario.owner.id, {})]


def test_a_removal_says_why_a_room_was_left(channel: Channel, scenario: BoardScenario) -> None:
    guest = scenario.member("guest", access_type="guest")
    channel.open(guest.client).join(scenario.board_id)
    with channel.watched():
        scenario.owner.client.delete(scenario.member_path(guest))
    assert ("wsRoomLeave", guest.id, {"reason": "removed"}) in on_board(scenario)


def test_connections_are_recorded_in_the_system_s_own_log(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    for _ in range(2):
        tab = channel.open(scenario.owner.client)
        clock.move(1)
        channel.end(tab)
    clock.move(HOUR)
    channel.open(scenario.personal_token(scenario.owner, "read_only"))
    entries = of_system()
    assert [(entry["action"], entry["createdVia"]) for entry in entries] == [
        ("wsConnect", "agent"),
        ("wsDisconnect", "web"),
        ("wsConnect", "web"),
    ]
    assert {(entry["boardId"], entry["actorUser"], str(entry["details"])) for entry in entries} == {
        (None, scenario.owner.id, "{}")
    }
    assert of_system("--limit", "1") == entries[:1]
    assert of_system(since=str(entries[0]["createdAt"])) == entries[:1]


def test_refused_handshakes_are_recorded_once_an_address_and_hour(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    for offered in ((PROTOCOL, "ticket.x"), (PROTOCOL,), (PROTOCOL, "ticket.y")):
        channel.handshake(*offered)
    channel.handshake(PROTOCOL, address="2001:db8::1")
    details = [entry["details"] for entry in of_system()]
    assert details == [
        {"reason": "no_ticket", "address": "2001:0db8:0000:0000::/64"},
        {"reason": "invalid_ticket", "address": "203.0.113.7"},
    ]
    clock.move(HOUR)
    channel.handshake(PROTOCOL)
    assert [entry["action"] for entry in of_system()] == ["wsAuthFailure"] * 3
    assert on_board(scenario) == []


@pytest.mark.parametrize(
    "failure",
    [
        RefusedError(
            "TransactionCanceledException", reasons=[{"Code": "None"}, {"Code": "ItemCollectionSizeLimitExceeded"}]
        ),
        RefusedError("ThrottlingException"),
        RefusedError("AccessDeniedException"),
        NoAnswerError("ConnectTimeout"),
    ],
    ids=str,
)
def test_an_entry_that_cannot_be_written_fails_no_handshake_and_no_end(
    failure: Exception, channel: Channel, scenario: BoardScenario
) -> None:
    def fail(params: dict[str, Any], **_: Any) -> None:
        if b"SYSTEM_AUDIT#" in params["body"]:
            raise failure

    with hooked("before-call.dynamodb.TransactWriteItems", fail):
        tab = channel.open(scenario.owner.client)
        assert channel.handshake(PROTOCOL, "ticket.x").status == 401
        channel.end(tab)
    assert of_system() == []
    assert connections.of_user(scenario.owner.id) == []


def test_a_day_of_entries_is_spread_over_partitions() -> None:
    at = now()
    keys = [system_entry_key(at, time_ordered_id(millis(at), f"{number:012x}")) for number in range(32)]
    partitions = {key.pk for key in keys}
    assert partitions == set(system_audit_partitions(at[:10]))
    assert len(partitions) == 4


def test_entries_of_releases_that_wrote_a_partition_a_month_are_read_between_the_others(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    channel.open(scenario.owner.client)
    (entry,) = of_system()
    days = [shift(now(), days=-number) for number in (0, 1, 40, 364)]
    for number, at in enumerate(days):
        old = entry | {"id": f"{number:024x}", "createdAt": at}
        key = Key(f"SYSTEM_AUDIT#{at[:7]}", position(at, f"{number:024x}"))
        transact([Put(make_item(key, {"text": json.dumps(old)}))])
    everything = [json.loads(line) for line in boardctl("audit", "system").output.splitlines()]
    assert [shown["createdAt"] for shown in everything] == [entry["createdAt"], *days]
    assert [shown["createdAt"] for shown in of_system("--limit", "2", since=days[2])] == [entry["createdAt"], days[0]]
    assert len(of_system(since=days[1])) == 3
