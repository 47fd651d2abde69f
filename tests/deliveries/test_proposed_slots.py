"""Slots proposed on one meeting within ten minutes are one notification for each recipient, which counts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.deliveries.inboxes import inbox
from tests.harness import queue
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario
from tests.harness.privileges import acting_as
from tests.harness.stream import event_records, process_records, send_to_queue

LIST = "/api/notification/"
pytestmark = pytest.mark.usefixtures("outbox")


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    return new_meeting_scenario(scenario)


@pytest.fixture
def ben(scenario: BoardScenario) -> Person:
    return scenario.member("ben")


def propose(meeting: MeetingScenario, number: int, by: Person | None = None, first: int = 30) -> list[str]:
    """Proposes this many slots, from so many hours ahead on; returns their ids."""
    client = (by or meeting.board.owner).client
    return [meeting.propose(client, from_now(hours=first + more)).data["id"] for more in range(number)]


def told(meeting: MeetingScenario, user: Person) -> list[tuple[str, bool]]:
    """Delivers every event, also those delivered before; returns what a user is told of slots, and if it is read."""
    assert process_records(event_records(meeting.board.board_id)) == []
    return [(row["message"], row["read"]) for row in inbox(user) if row["type"] == "slot_proposed"]


ONE = ("Olivia Tester proposed a time for the meeting “Spring”.", False)
THREE = ("Olivia Tester proposed 3 times for the meeting “Spring”.", False)


def test_three_slots_are_one_notification_however_often_they_are_delivered(
    meeting: MeetingScenario, ben: Person
) -> None:
    propose(meeting, 3)
    for _ in range(2):
        assert told(meeting, ben) == [THREE]
    assert told(meeting, meeting.board.owner) == []


def test_each_further_slot_renews_the_notification_until_ten_minutes_after_the_first(
    meeting: MeetingScenario, ben: Person, clock: Clock
) -> None:
    propose(meeting, 1)
    assert told(meeting, ben) == [ONE]
    clock.move(9 * 60)
    propose(meeting, 2, first=40)
    assert told(meeting, ben) == [THREE]
    clock.move(61)
    propose(meeting, 1, first=50)
    for _ in range(2):
        assert told(meeting, ben) == [ONE, THREE]


@pytest.mark.parametrize("path", ["read/{id}", "read/all"])
def test_one_that_was_read_is_unread_again_with_a_new_slot_and_not_with_a_repeat(
    meeting: MeetingScenario, ben: Person, clock: Clock, path: str
) -> None:
    propose(meeting, 1)
    told(meeting, ben)
    (row,) = inbox(ben)
    answer = ben.client.put(LIST + path.format(id=row["_id"]))
    assert answer.status == 200, answer.text
    assert told(meeting, ben) == [(ONE[0], True)]
    clock.move(60)
    propose(meeting, 2, first=40)
    assert told(meeting, ben) == [THREE]
    (renewed,) = inbox(ben)
    assert (renewed["_id"], renewed["createdAt"]) == (row["_id"], row["createdAt"])
    assert renewed["updatedAt"] > row["updatedAt"]
    assert ben.client.put(LIST + path.format(id=row["_id"])).status == 200
    assert told(meeting, ben) == [(THREE[0], True)]


def test_one_that_was_deleted_comes_back_with_a_new_slot_only(meeting: MeetingScenario, ben: Person) -> None:
    propose(meeting, 1)
    told(meeting, ben)
    (row,) = inbox(ben)
    assert ben.client.delete(f"{LIST}{row['_id']}").status == 200
    assert told(meeting, ben) == []
    propose(meeting, 2, first=40)
    assert told(meeting, ben) == [THREE]


def test_a_recipients_own_slots_and_removed_ones_are_not_counted(meeting: MeetingScenario, ben: Person) -> None:
    eve = meeting.board.member("eve")
    first, *_ = propose(meeting, 2)
    propose(meeting, 1, by=ben, first=40)
    assert meeting.board.owner.client.delete(f"{meeting.slots}/{first}").status == 200
    assert told(meeting, ben) == [ONE]
    assert told(meeting, meeting.board.owner) == [("Ben Tester proposed a time for the meeting “Spring”.", False)]
    assert told(meeting, eve) == [("For the meeting “Spring”, 2 times were proposed.", False)]


def test_of_slots_that_were_removed_the_rest_is_told_as_one_and_if_none_is_left_nothing(
    meeting: MeetingScenario, ben: Person
) -> None:
    for slot in propose(meeting, 2):
        assert meeting.board.owner.client.delete(f"{meeting.slots}/{slot}").status == 200
    assert told(meeting, ben) == []
    (first,) = propose(meeting, 1)
    assert told(meeting, ben) == [ONE]
    assert meeting.board.owner.client.delete(f"{meeting.slots}/{first}").status == 200
    propose(meeting, 3, first=40)
    assert told(meeting, ben) == [THREE]


def test_slots_delivered_in_any_order_are_the_same_windows(meeting: MeetingScenario, ben: Person, clock: Clock) -> None:
    propose(meeting, 1)
    clock.move(6 * 60)
    propose(meeting, 1, first=40)
    clock.move(6 * 60)
    propose(meeting, 1, first=50)
    records = event_records(meeting.board.board_id)
    for record in reversed(records):
        assert process_records([record]) == []
    two = ("Olivia Tester proposed 2 times for the meeting “Spring”.", False)
    assert told(meeting, ben) == [ONE, two]


@pytest.mark.parametrize("written", [b"VOTE_REQUEST#", b"slotIds"], ids=["window", "notification"])
def test_deliveries_at_the_same_time_are_one_notification_that_counts_all(
    meeting: MeetingScenario, ben: Person, written: bytes
) -> None:
    """While a delivery is about to write, another slot is proposed, and its delivery writes first."""
    propose(meeting, 2)
    overtaken: list[bytes] = []

    def overtake(params: Mapping[str, Any], **_: Any) -> None:
        if written in params["body"] and not overtaken:
            overtaken.append(written)
            with acting_as(None):
                propose(meeting, 1, first=40)
                assert send_to_queue(event_records(meeting.board.board_id)) == []
                queue.current.deliver()

    with hooked("before-call.dynamodb.TransactWriteItems", overtake):
        assert process_records(event_records(meeting.board.board_id)) == []
    assert overtaken
    assert told(meeting, ben) == [THREE]


def test_slots_of_an_opened_draft_and_those_that_follow_are_one(
    scenario: BoardScenario, ben: Person, clock: Clock
) -> None:
    meeting = new_meeting_scenario(scenario, "draft")
    propose(meeting, 1)
    clock.move(3600)
    propose(meeting, 1, first=40)
    clock.move(3600)
    assert told(meeting, ben) == []
    assert meeting.patch(status="scheduled").status == 200
    assert told(meeting, ben) == [("Olivia Tester proposed 2 times for the meeting “Spring”.", False)]
    clock.move(60)
    propose(meeting, 1, first=50)
    for _ in range(2):
        assert told(meeting, ben) == [THREE]


def test_german_members_are_told_in_german(meeting: MeetingScenario, ben: Person) -> None:
    assert ben.client.patch("/api/v1/me", {"language": "de"}).status == 200
    propose(meeting, 1)
    assert told(meeting, ben)[0][0] == "Olivia Tester hat einen Termin für die Sitzung „Spring“ vorgeschlagen."
    propose(meeting, 1, first=40)
    assert told(meeting, ben)[0][0] == "Olivia Tester hat 2 Termine für die Sitzung „Spring“ vorgeschlagen."
    propose(meeting, 1, by=meeting.board.member("eve"), first=50)
    assert told(meeting, ben)[0][0] == "Für die Sitzung „Spring“ wurden 3 Termine vorgeschlagen."
