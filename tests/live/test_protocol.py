"""The protocol: handshakes, joins, answers, and the limits of a connection."""

from __future__ import annotations

import json
import time

import pytest

from governance.domain.live.messages import PROTOCOL
from governance.ids import new_id
from governance.limits import (
    LIVE_CONNECTIONS_PER_USER,
    LIVE_MESSAGES_PER_MINUTE,
    LIVE_OPENING_SECONDS,
    LIVE_ROOMS,
    LIVE_TICKET_SECONDS,
)
from governance.store.boards import boards
from governance.store.live import connections
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.clock import Clock
from tests.harness.live import Channel, Tab
from tests.harness.table_snapshot import TableSnapshot

PING, PONG = {"action": "ping"}, {"type": "pong"}


def codes(answers: list[dict[str, object]]) -> list[object]:
    return [answer.get("code", answer["type"]) for answer in answers]


def test_a_ticket_opens_one_connection(channel: Channel, scenario: BoardScenario) -> None:
    ticket = channel.ticket(scenario.owner.client)
    assert channel.handshake(PROTOCOL, f"ticket.{ticket}").status == 200
    assert channel.handshake(PROTOCOL, f"ticket.{ticket}").status == 401


def test_a_ticket_ends_after_a_minute(channel: Channel, scenario: BoardScenario, clock: Clock) -> None:
    ticket = channel.ticket(scenario.owner.client)
    clock.advance(seconds=LIVE_TICKET_SECONDS)
    assert channel.handshake(PROTOCOL, f"ticket.{ticket}").status == 401


def test_a_handshake_without_the_protocol_is_400_and_does_not_use_the_ticket_up(
    channel: Channel, scenario: BoardScenario
) -> None:
    ticket = channel.ticket(scenario.owner.client)
    assert channel.handshake(f"ticket.{ticket}").status == 400
    assert channel.handshake(f"ticket.{ticket}", PROTOCOL).status == 200


@pytest.mark.parametrize(
    "offered", [(PROTOCOL,), (PROTOCOL, "ticket.x"), (PROTOCOL, "ticket."), (PROTOCOL, "ticket.é")]
)
def test_a_handshake_without_a_ticket_that_holds_is_401(channel: Channel, offered: tuple[str, ...]) -> None:
    assert channel.handshake(*offered).status == 401


def test_a_repeat_of_the_request_shows_no_ticket(channel: Channel, scenario: BoardScenario) -> None:
    post, path = scenario.owner.client.post, "/api/v1/live/tickets"
    first, second = (post(path, None, **{"idempotency-key": "once"}).data for _ in range(2))
    assert first["ticket"] is not None
    assert second == {**first, "ticket": None}
    assert first["url"] == "wss://governance.example.com/live"
    assert channel.handshake(PROTOCOL, f"ticket.{first['ticket']}").status == 200


def test_a_ticket_does_not_outlive_its_credential(channel: Channel, scenario: BoardScenario) -> None:
    client = scenario.personal_token(scenario.owner, "read_only")
    ticket = channel.ticket(client)
    (token,) = scenario.owner.client.get("/api/v1/me/tokens").data
    scenario.owner.client.delete(f"/api/v1/me/tokens/{token['id']}")
    assert channel.handshake(PROTOCOL, f"ticket.{ticket}").status == 401


def test_a_handshake_that_bypasses_the_cdn_is_refused(
    channel: Channel, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    from governance.settings import settings

    ticket = channel.ticket(scenario.owner.client)
    monkeypatch.setenv("ORIGIN_SECRETS", "known")
    settings.cache_clear()
    assert channel.handshake(PROTOCOL, f"ticket.{ticket}").status == 403
    assert channel.handshake(PROTOCOL, f"ticket.{ticket}", **{"x-origin-secret": "known"}).status == 200


def test_a_member_joins_and_leaves_a_room(channel: Channel, scenario: BoardScenario) -> None:
    tab, room = channel.open(scenario.owner.client), f"boards/{scenario.board_id}"
    assert tab.join(scenario.board_id) == tab.join(scenario.board_id) == [{"type": "joined", "room": room}]
    assert tab.leave(scenario.board_id) == tab.leave(scenario.board_id) == [{"type": "left", "room": room}]
    assert tab.say(PING) == [PONG]


def test_a_board_that_may_not_be_joined_is_refused_as_the_api_refuses_it(
    channel: Channel, scenario: BoardScenario
) -> None:
    tab = channel.open(person("stranger").client)
    assert codes(tab.join(scenario.board_id)) == ["FORBIDDEN"]
    assert codes(tab.join(new_id())) == ["RESOURCE_NOT_FOUND"]
    assert codes(tab.join("no-id")) == codes(tab.leave("no-id")) == ["RESOURCE_NOT_FOUND"]
    assert tab.join("no-id")[0]["room"] == "boards/no-id"


@pytest.mark.parametrize(
    "message",
    [
        *("", "{", "\ufeff{}", b"\x00", '{"action": "ping", "action": "ping"}', {"action": "sing"}),
        *('{"action": "join", "room": "boards/\\ud800"}', "[" * 100),
    ],
)
def test_anything_else_is_invalid_and_the_connection_stays(
    channel: Channel, scenario: BoardScenario, message: object
) -> None:
    tab = channel.open(scenario.owner.client)
    assert codes(tab.say(message)) == ["INVALID_REQUEST_BODY"]
    assert tab.say(PING) == [PONG]


def test_a_message_of_more_than_32_kb_ends_the_connection(channel: Channel, scenario: BoardScenario) -> None:
    tab = channel.open(scenario.owner.client)
    assert codes(tab.say("x" * 32 * 1024)) == ["INVALID_REQUEST_BODY"]
    tab.say("x" * (32 * 1024 + 1))
    assert tab.is_closed


def test_a_message_of_several_frames_that_is_too_long_ends_the_connection(
    channel: Channel, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.harness.live.FRAME_BYTES", 128 * 1024)  # the platform joins the frames of a message
    tab = channel.open(scenario.owner.client)
    tab.say("x" * (32 * 1024 + 1))
    assert tab.is_closed


def test_a_connection_has_sixty_messages_in_any_minute(channel: Channel, scenario: BoardScenario, clock: Clock) -> None:
    clock.stop()
    tab = channel.open(scenario.owner.client)
    for number in range(LIVE_MESSAGES_PER_MINUTE):
        assert tab.say(PING if number % 2 else "nonsense")
        clock.move(0.5)
    assert codes(tab.say(PING)) == ["RATE_LIMITED"]
    clock.move(30)
    assert tab.say(PING) == [PONG]  # the first one is a minute old
    assert not tab.is_closed


def test_a_connection_is_in_twenty_rooms_at_most(channel: Channel, scenario: BoardScenario) -> None:
    client = scenario.owner.client
    ids = [client.post("/api/v1/boards", {"name": f"Board {number}"}).data["id"] for number in range(LIVE_ROOMS + 1)]
    tab = channel.open(client)
    assert [codes(tab.join(board_id)) for board_id in ids[:-1]] == [["joined"]] * LIVE_ROOMS
    assert codes(tab.join(ids[-1])) == ["LIMIT_REACHED"]
    assert codes(tab.join(ids[0])) == ["joined"]
    tab.leave(ids[0])
    assert codes(tab.join(ids[-1])) == ["joined"]


def test_an_eleventh_connection_of_a_user_ends_the_oldest(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    tabs: list[Tab] = []
    for _ in range(LIVE_CONNECTIONS_PER_USER + 1):
        clock.move(1)
        tabs.append(channel.open(scenario.owner.client))
    assert [tab.is_closed for tab in tabs] == [True, *[False] * LIVE_CONNECTIONS_PER_USER]
    assert channel.open(person("another").client).is_open
    assert not tabs[1].is_closed


def test_what_a_connection_left_behind_goes_with_it(channel: Channel, scenario: BoardScenario) -> None:
    ticket_less = TableSnapshot()
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    channel.end(tab)
    left = [json.loads(change) for change in ticket_less.changes("AUDIT#", "SYSTEM_AUDIT#")]
    assert [row["SK"].partition("#")[0] for row in left] == ["RECORDED"] * len(left)


def test_the_rows_of_a_connection_end_by_themselves(channel: Channel, scenario: BoardScenario) -> None:
    channel.says_ends = False
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    channel.wait(600)
    assert tab.is_closed
    kinds = ("CONNECTION#", "LISTENER#", "ROOM#")
    rows = [item for key, item in TableSnapshot().items.items() if key[0].startswith(kinds)]
    assert len(rows) == 5
    assert all("ttl" in row for row in rows)


def test_a_message_of_a_connection_that_nobody_knows_ends_it(channel: Channel, scenario: BoardScenario) -> None:
    tab = channel.open(scenario.owner.client)
    channel.says_ends = False
    from governance.live import protocol

    protocol.disconnect(tab.id)
    assert tab.say(PING) == []
    assert tab.is_closed


def test_a_connection_that_is_rung_while_it_is_being_opened_stays_known(
    channel: Channel, scenario: BoardScenario, clock: Clock
) -> None:
    clock.stop()
    tab = channel.open(scenario.owner.client)
    tab.is_open = False  # its function has answered, the handshake goes on, and posts find nobody
    with channel.watched():
        assert scenario.owner.client.put("/api/notification/read/all").status == 200
    tab.is_open = True
    assert tab.join(scenario.board_id)[0]["type"] == "joined"
    clock.move(LIVE_OPENING_SECONDS)
    tab.is_open = False
    with channel.watched():
        scenario.owner.client.patch(scenario.path, {"name": "Renamed"})
    assert connections.find(tab.id) is None


def test_a_session_ends_its_connections_by_the_clock(channel: Channel, scenario: BoardScenario, clock: Clock) -> None:
    from tests.harness import queue
    from tests.harness.client import Client, session

    tab = channel.open(Client(session(scenario.owner.email, exp=int(time.time()) + 3600)))
    tab.join(scenario.board_id)
    tab.forget()
    queue.current.now += 3500
    queue.current.deliver()
    channel.ring()
    assert not tab.is_closed
    clock.advance(seconds=3631)
    queue.current.now += 200
    queue.current.deliver()
    channel.ring()
    assert [(message["type"], message["reason"]) for message in tab.told] == [("left", "token_revoked")]
    assert tab.is_closed


def test_a_board_that_is_gone_is_left_without_a_word_in_its_log(channel: Channel, scenario: BoardScenario) -> None:
    tab = channel.open(scenario.owner.client)
    tab.join(scenario.board_id)
    scenario.owner.client.delete(scenario.path)
    assert boards.find(scenario.board_id) is None
    assert codes(tab.leave(scenario.board_id)) == ["left"]
