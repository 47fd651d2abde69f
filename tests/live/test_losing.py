"""What ends is heard no more from that instant, and the client is told why."""

from __future__ import annotations

import pytest

from governance.deliveries.worker import HANDLERS
from governance.limits import RING_SECONDS
from governance.models.account.user import UserStatus
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.store.live import connections
from governance.usecases.operator import operator
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.clock import Clock
from tests.harness.live import Channel, Tab, changes_since
from tests.harness.privileges import acting_as
from tests.harness.stream import send_to_queue
from tests.harness.table_snapshot import TableSnapshot

MEETING = {"title": "Board meeting", "status": "scheduled"}


def left(tab: Tab) -> list[tuple[str, str]]:
    return [(message["room"], message["reason"]) for message in tab.told if message["type"] == "left"]


@pytest.fixture
def guest(scenario: BoardScenario) -> Person:
    return scenario.member("guest", access_type="guest")


@pytest.fixture
def tab(channel: Channel, scenario: BoardScenario, guest: Person) -> Tab:
    opened = channel.open(guest.client)
    opened.join(scenario.board_id)
    opened.forget()
    return opened


@pytest.mark.parametrize(("by_whom", "reason"), [("owner", "removed"), ("guest", "left_board")])
def test_who_loses_a_board_is_told_and_rung_no_more(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab, by_whom: str, reason: str
) -> None:
    path = scenario.member_path(guest)
    other = channel.open(scenario.owner.client)
    other.join(scenario.board_id)
    client = scenario.owner.client if by_whom == "owner" else guest.client
    with channel.watched():
        client.delete(path)
    assert left(tab) == [(f"boards/{scenario.board_id}", reason)]
    assert tab.rings() == []
    assert len(other.rings()) == 1
    assert not tab.is_closed
    assert connections.in_room_of(scenario.board_id, guest.id) == []


def test_between_a_removal_and_its_message_nothing_is_heard(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab
) -> None:
    scenario.owner.client.delete(scenario.member_path(guest))  # whose record of the stream is late
    with channel.watched():
        scenario.owner.client.post(f"{scenario.path}/meetings", MEETING)
    assert tab.told == []


def test_who_has_joined_the_board_again_meanwhile_stays_in_its_room(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab
) -> None:
    with channel.watched():
        scenario.owner.client.delete(scenario.member_path(guest))
        scenario.join(guest)
    assert left(tab) == []
    assert len(connections.in_room_of(scenario.board_id, guest.id)) == 1


def test_a_removal_whose_ring_was_a_dead_letter_ends_in_the_room_and_rings_nobody(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab, clock: Clock
) -> None:
    other = channel.open(scenario.owner.client)
    other.join(scenario.board_id)
    before = TableSnapshot().items
    scenario.owner.client.delete(scenario.member_path(guest))
    send_to_queue(changes_since(before))
    dead = [message for message in channel.waiting if message["body"].get("endsFor")]
    channel.waiting.clear()
    clock.advance(seconds=RING_SECONDS)
    with acting_as("deliveries"):
        for letter in dead:
            sending.send(HANDLERS[DeliveryKind(letter["kind"])](letter["body"]))
    channel.ring()
    assert left(tab) == [(f"boards/{scenario.board_id}", "removed")]
    assert other.rings() == []


def test_the_room_of_a_deleted_board_is_left_by_all(channel: Channel, scenario: BoardScenario, tab: Tab) -> None:
    with channel.watched():
        scenario.owner.client.delete(scenario.path)
    assert left(tab) == [(f"boards/{scenario.board_id}", "board_deleted")]
    assert tab.rings() == []
    assert connections.in_room(scenario.board_id, None) == []


def _suspend(guest: Person, status: UserStatus) -> None:
    operator.set_user_status(guest.id, status)


@pytest.mark.parametrize("status", ["suspended", "inactive"])
def test_a_suspended_user_leaves_every_room_and_the_connection_ends(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab, status: UserStatus
) -> None:
    with channel.watched():
        _suspend(guest, status)
    assert left(tab) == [(f"boards/{scenario.board_id}", "suspended")]
    assert tab.is_closed
    assert connections.of_user(guest.id) == []


def test_a_revoked_token_ends_its_connections_and_no_others(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab
) -> None:
    by_token = channel.open(scenario.personal_token(guest, "read_only"))
    by_token.join(scenario.board_id)
    by_token.forget()
    (token,) = guest.client.get("/api/v1/me/tokens").data
    with channel.watched():
        guest.client.delete(f"/api/v1/me/tokens/{token['id']}")
    assert left(by_token) == [(f"boards/{scenario.board_id}", "token_revoked")]
    assert by_token.is_closed
    assert tab.told == []
    assert not tab.is_closed


def test_whoever_has_ended_hears_nothing_even_before_they_are_told(
    channel: Channel, scenario: BoardScenario, guest: Person, tab: Tab
) -> None:
    _suspend(guest, "suspended")
    with channel.watched():
        scenario.owner.client.post(f"{scenario.path}/meetings", MEETING)
    assert tab.rings() == []


def test_a_message_after_the_end_is_answered_by_it(scenario: BoardScenario, guest: Person, tab: Tab) -> None:
    _suspend(guest, "suspended")
    assert tab.join(scenario.board_id) == [
        {"type": "left", "room": f"boards/{scenario.board_id}", "reason": "suspended"}
    ]
    assert tab.is_closed
