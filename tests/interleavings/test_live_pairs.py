"""Messages, handshakes and rings of the live channel at once with each other, and with what ends the rights to them.

Who loses a board, or a credential, has no room and no connection left by the end, whatever they said meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from governance.domain.live.messages import PROTOCOL
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.limits import LIVE_MESSAGES_PER_MINUTE, LIVE_OPENING_SECONDS, LIVE_ROOMS
from governance.live import protocol, rings
from governance.models.live import Change, View
from governance.scopes import Tier
from governance.usecases.operator import operator
from tests.harness import live
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.live import Channel, Tab
from tests.harness.privileges import acting_as
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow
PING = {"action": "ping"}


@pytest.fixture
def channel(store: str) -> Iterator[Channel]:  # noqa: ARG001 - requested for its effect
    with live.running() as running:
        yield running


@dataclass
class LiveScenario(PairScenario):
    """A board with an owner and a member who listen, and calls of what reaches the channel."""

    channel: Channel
    clock: Clock

    def opened(self, *joined: str, by: Client | None = None) -> Tab:
        """Returns a connection of the member, in these rooms, whose next messages are the first of their minute."""
        tab = self.channel.open(by or self.ben.client)
        for board_id in joined:
            assert tab.join(board_id)[0]["type"] == "joined"
        self.clock.move(61)
        return tab

    def saying(self, tab: Tab, action: str, board_id: str | None = None) -> Call:
        content = {"action": action, **({"room": f"boards/{board_id}"} if board_id else {})}
        return partial(_said, tab.id, content)

    def handshake(self, connection_id: str, ticket: str) -> Call:
        headers = {"sec-websocket-protocol": f"{PROTOCOL}, ticket.{ticket}", "x-viewer-address": "203.0.113.7"}

        def call() -> Response:
            answer = self.channel._invoke(Tab(connection_id, self.channel), "$connect", headers=headers)
            return Response(answer["statusCode"], {}, "{}")

        return call

    def change(self, event: str, **members: Any) -> Change:
        board_id = BoardId(self.board.board_id)
        return Change(event=event, ids={"boardId": board_id}, at=now(), board_id=board_id, **members)

    def another_board(self) -> str:
        return str(self.ben.client.post("/api/v1/boards", {"name": "Ben's"}).data["id"])


def _said(connection_id: str, content: Any) -> Response:
    with acting_as("live"):
        answer = protocol.receive(connection_id, content)
        if answer.ends:
            protocol.disconnect(connection_id, answer.reason)
    return Response(200, {}, json.dumps(answer.messages))


def _followed(act: Call, follows: Callable[[], object]) -> Call:
    """Returns a call that is followed by what the function of rings does about it."""

    def call() -> Response:
        response = act()
        with acting_as("ringer"):
            follows()
        return response

    return call


def _ring(change: Change) -> Callable[[], object]:
    return partial(rings.ring, change.model_dump(mode="json", exclude_none=True))


def _end(user_id: str) -> Callable[[], object]:
    return partial(rings.end, {"userId": user_id})


# -- two messages of one connection


def join_join(scenario: LiveScenario) -> Pair:
    join = scenario.saying(scenario.opened(), "join", scenario.board.board_id)
    return join, join


def join_leave(scenario: LiveScenario) -> Pair:
    tab = scenario.opened()
    return tuple(scenario.saying(tab, action, scenario.board.board_id) for action in ("join", "leave"))  # type: ignore[return-value]


def leave_leave(scenario: LiveScenario) -> Pair:
    leave = scenario.saying(scenario.opened(scenario.board.board_id), "leave", scenario.board.board_id)
    return leave, leave


def join_ping(scenario: LiveScenario) -> Pair:
    tab = scenario.opened()
    return scenario.saying(tab, "join", scenario.board.board_id), scenario.saying(tab, "ping")


def last_messages(scenario: LiveScenario) -> Pair:
    """The minute has room for one."""
    tab = scenario.opened()
    for _ in range(LIVE_MESSAGES_PER_MINUTE - 1):
        assert tab.say(PING) == [{"type": "pong"}]
    return scenario.saying(tab, "join", scenario.board.board_id), scenario.saying(tab, "ping")


def last_rooms(scenario: LiveScenario) -> Pair:
    """There is room for one more board."""
    others = [scenario.another_board() for _ in range(LIVE_ROOMS)]
    tab = scenario.opened(*others[:-1])
    return scenario.saying(tab, "join", scenario.board.board_id), scenario.saying(tab, "join", others[-1])


# -- a message, and the end of its rights or of its connection


def join_removal(scenario: LiveScenario) -> Pair:
    tab = scenario.opened()
    lost = _ring(scenario.change("member.removed", ends_for=UserId(scenario.ben.id)))
    return scenario.saying(tab, "join", scenario.board.board_id), _followed(scenario.removal(scenario.ben), lost)


def leave_removal(scenario: LiveScenario) -> Pair:
    tab = scenario.opened(scenario.board.board_id)
    lost = _ring(scenario.change("member.removed", ends_for=UserId(scenario.ben.id)))
    return scenario.saying(tab, "leave", scenario.board.board_id), _followed(scenario.removal(scenario.ben), lost)


def join_deleted_board(scenario: LiveScenario) -> Pair:
    tab, deletion = scenario.opened(), partial(scenario.owner.delete, scenario.board.path)
    lost = _ring(scenario.change("board.deleted"))
    return scenario.saying(tab, "join", scenario.board.board_id), _followed(deletion, lost)


def join_disconnect(scenario: LiveScenario) -> Pair:
    tab = scenario.opened()
    return scenario.saying(tab, "join", scenario.board.board_id), partial(_disconnected, tab.id)


def join_revoked_token(scenario: LiveScenario) -> Pair:
    scenario.channel.says_ends = False  # the platform may be late, or say nothing
    tab = scenario.opened(by=scenario.board.personal_token(scenario.ben, "read_only"))
    return scenario.saying(tab, "join", scenario.board.board_id), _revocation(scenario)


def _disconnected(connection_id: str) -> Response:
    with acting_as("live"):
        protocol.disconnect(connection_id)
    return Response(200, {}, "{}")


def _revocation(scenario: LiveScenario) -> Call:
    (token,) = scenario.ben.client.get("/api/v1/me/tokens").data
    revoke = partial(scenario.ben.client.delete, f"/api/v1/me/tokens/{token['id']}")
    return _followed(revoke, _end(scenario.ben.id))


# -- rings, and handshakes


def ring_disconnect(scenario: LiveScenario) -> Pair:
    """The client has gone, which the ring finds out while the gateway says so."""
    tab = scenario.opened(scenario.board.board_id)
    tab.is_open = False
    change = scenario.change("board.updated", views=(View(tier=Tier.GUEST),))
    return _followed(lambda: Response(200, {}, "{}"), _ring(change)), partial(_disconnected, tab.id)


def ring_ring_gone(scenario: LiveScenario) -> Pair:
    tab = scenario.opened(scenario.board.board_id)
    tab.is_open = False
    change = scenario.change("board.updated", views=(View(tier=Tier.GUEST),))
    ring = _followed(lambda: Response(200, {}, "{}"), _ring(change))
    return ring, ring


def ticket_ticket(scenario: LiveScenario) -> Pair:
    ticket = scenario.channel.ticket(scenario.ben.client)
    return scenario.handshake("one=", ticket), scenario.handshake("two=", ticket)


def handshake_revoked_token(scenario: LiveScenario) -> Pair:
    ticket = scenario.channel.ticket(scenario.board.personal_token(scenario.ben, "read_only"))
    return scenario.handshake("one=", ticket), _revocation(scenario)


def handshake_suspension(scenario: LiveScenario) -> Pair:
    ticket = scenario.channel.ticket(scenario.ben.client)

    def suspend() -> Response:
        with acting_as(None):
            operator.set_user_status(UserId(scenario.ben.id), "suspended")
        return Response(200, {}, "{}")

    return scenario.handshake("one=", ticket), _followed(suspend, _end(scenario.ben.id))


PAIRS: tuple[Callable[[LiveScenario], Pair], ...] = (
    join_join,
    join_leave,
    leave_leave,
    join_ping,
    last_messages,
    last_rooms,
    join_removal,
    leave_removal,
    join_deleted_board,
    join_disconnect,
    join_revoked_token,
    ring_disconnect,
    ring_ring_gone,
    ticket_ticket,
    handshake_revoked_token,
    handshake_suspension,
)
assert LIVE_OPENING_SECONDS < 61, "a connection of these scenarios is open for certain"


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_the_channel_does_one_after_the_other(
    pair: Callable[[LiveScenario], Pair],
    channel: Channel,
    scenario: BoardScenario,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock.stop()
    made = LiveScenario(scenario, scenario.member("ben"), channel, clock)
    check_pair(*pair(made), monkeypatch)
