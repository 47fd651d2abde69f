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
from governance.limits import LIVE_MESSAGES_PER_MINUTE, LIVE_OPENING_SECONDS
from governance.live import protocol, rings
from governance.models.live.live import Change, View
from governance.scopes import Tier
from governance.usecases.operator import operator
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.live import Channel, Tab, running
from tests.harness.privileges import acting_as
from tests.interleavings.pair_scenario import Check, PairScenario
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow
PING = {"action": "ping"}


@pytest.fixture
def channel(store: str) -> Iterator[Channel]:  # noqa: ARG001 - requested for its effect
    with running() as opened:
        yield opened


@pytest.fixture
def live(scenario: BoardScenario, channel: Channel, clock: Clock) -> LiveScenario:
    clock.stop()
    return LiveScenario(scenario, scenario.member("ben"), channel, clock)


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


def test_join_leave(live: LiveScenario, check: Check) -> None:
    tab = live.opened()
    check(*(live.saying(tab, action, live.board.board_id) for action in ("join", "leave")))


def test_last_messages(live: LiveScenario, check: Check) -> None:
    """The minute has room for one."""
    tab = live.opened()
    for _ in range(LIVE_MESSAGES_PER_MINUTE - 1):
        assert tab.say(PING) == [{"type": "pong"}]
    check(live.saying(tab, "join", live.board.board_id), live.saying(tab, "ping"))


# -- a message, and the end of its rights or of its connection


def test_join_removal(live: LiveScenario, check: Check) -> None:
    tab = live.opened()
    lost = _ring(live.change("member.removed", ends_for=UserId(live.ben.id)))
    check(live.saying(tab, "join", live.board.board_id), _followed(live.removal(live.ben), lost))


def test_join_deleted_board(live: LiveScenario, check: Check) -> None:
    tab, deletion = live.opened(), partial(live.owner.delete, live.board.path)
    lost = _ring(live.change("board.deleted"))
    check(live.saying(tab, "join", live.board.board_id), _followed(deletion, lost))


def test_join_disconnect(live: LiveScenario, check: Check) -> None:
    tab = live.opened()
    check(live.saying(tab, "join", live.board.board_id), partial(_disconnected, tab.id))


def test_join_revoked_token(live: LiveScenario, check: Check) -> None:
    live.channel.says_ends = False  # the platform may be late, or say nothing
    tab = live.opened(by=live.board.personal_token(live.ben, "read_only"))
    check(live.saying(tab, "join", live.board.board_id), _revocation(live))


def _disconnected(connection_id: str) -> Response:
    with acting_as("live"):
        protocol.disconnect(connection_id)
    return Response(200, {}, "{}")


def _revocation(scenario: LiveScenario) -> Call:
    (token,) = scenario.ben.client.get("/api/v1/me/tokens").data
    revoke = partial(scenario.ben.client.delete, f"/api/v1/me/tokens/{token['id']}")
    return _followed(revoke, _end(scenario.ben.id))


# -- rings, and handshakes


def test_ring_disconnect(live: LiveScenario, check: Check) -> None:
    """The client has gone, which the ring finds out while the gateway says so."""
    tab = live.opened(live.board.board_id)
    tab.is_open = False
    change = live.change("board.updated", views=(View(tier=Tier.GUEST),))
    check(_followed(lambda: Response(200, {}, "{}"), _ring(change)), partial(_disconnected, tab.id))


def test_ticket_ticket(live: LiveScenario, check: Check) -> None:
    ticket = live.channel.ticket(live.ben.client)
    check(live.handshake("one=", ticket), live.handshake("two=", ticket))


def test_handshake_revoked_token(live: LiveScenario, check: Check) -> None:
    ticket = live.channel.ticket(live.board.personal_token(live.ben, "read_only"))
    check(live.handshake("one=", ticket), _revocation(live))


def test_handshake_suspension(live: LiveScenario, check: Check) -> None:
    ticket = live.channel.ticket(live.ben.client)

    def suspend() -> Response:
        with acting_as(None):
            operator.set_user_status(UserId(live.ben.id), "suspended")
        return Response(200, {}, "{}")

    check(live.handshake("one=", ticket), _followed(suspend, _end(live.ben.id)))


assert LIVE_OPENING_SECONDS < 61, "a connection of these scenarios is open for certain"
