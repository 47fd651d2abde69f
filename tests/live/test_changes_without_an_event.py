"""What changes without an event of the feed, or with one an hour, rings like any change: for those who may read it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.live import Channel, Tab
from tests.harness.meeting_scenario import from_now, new_meeting_scenario


@pytest.fixture
def tab(channel: Channel, scenario: BoardScenario) -> Tab:
    """A member who listens, and nobody else."""
    opened = channel.open(scenario.member("ann").client)
    opened.join(scenario.board_id)
    return opened


def rung(channel: Channel, tab: Tab, act: Callable[[], object]) -> list[tuple[str, dict[str, str]]]:
    """Returns the event and ids of what a member hears in the board's room after an act."""
    tab.forget()
    with channel.watched():
        act()
    return [(told["event"], told["ids"]) for told in tab.told if told["type"] == "ring" and told["room"] != "me"]


def test_each_vote_of_a_guest_rings(channel: Channel, scenario: BoardScenario, tab: Tab, clock: Clock) -> None:
    clock.stop()
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot(start=from_now(days=2))
    token = scenario.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    for vote in ("ok", "cant", "challenging"):
        body = {"email": "guest@example.org", "vote": vote}
        cast = partial(Client().put, f"/api/v1/guest/{token}/slots/{slot['id']}/vote", body)
        heard = rung(channel, tab, cast)
        assert {event for event, _ in heard} == {"guest.vote_cast"}, vote
        assert heard[0][1]["slotId"] == slot["id"]


def test_another_comment_of_an_answer_rings(channel: Channel, scenario: BoardScenario, tab: Tab, clock: Clock) -> None:
    clock.stop()
    meeting = new_meeting_scenario(scenario)
    answer = {"status": "tentative"}
    scenario.owner.client.put(f"{meeting.path}/rsvp", answer)
    clock.move(1)
    heard = rung(
        channel, tab, lambda: scenario.owner.client.put(f"{meeting.path}/rsvp", {**answer, "comment": "On a train"})
    )
    meeting_id = meeting.path.rpartition("/")[2]
    assert heard == [("meeting.rsvp_changed", {"boardId": scenario.board_id, "meetingId": meeting_id})]


def test_another_name_of_a_member_rings_on_their_boards(
    channel: Channel, scenario: BoardScenario, tab: Tab, clock: Clock
) -> None:
    clock.stop()
    heard = rung(channel, tab, lambda: scenario.owner.client.patch("/api/v1/me", {"firstName": "Olive"}))
    assert heard == [("member.changed", {"boardId": scenario.board_id, "userId": scenario.owner.id})]


@pytest.mark.parametrize("end", ["retract", "decline"])
def test_an_invite_that_ends_rings(end: str, channel: Channel, scenario: BoardScenario, tab: Tab, clock: Clock) -> None:
    clock.stop()
    invitee = person("outsider")
    invitee.client.get("/api/v1/me")
    made = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": invitee.email})
    caller = invitee if end == "decline" else scenario.owner
    invite_id = str(made.json["inviteId"])
    heard = rung(channel, tab, lambda: caller.client.put(f"/api/invite/{end}/{invite_id}"))
    name = {"retract": "retracted", "decline": "declined"}[end]
    assert heard == [(f"invite.{name}", {"boardId": scenario.board_id, "inviteId": invite_id})]
