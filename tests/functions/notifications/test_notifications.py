"""The routes of notifications and their preferences: listing, reading, deleting, and what they cost."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.notifications.notifications import notification_id
from governance.instants import now, shift
from governance.models.history.event import Event
from governance.models.notifications.notification import StoredNotification
from governance.settings import settings
from governance.store.attributes import marshal
from governance.store.notifications import notifications
from governance.store.transactions import transact
from tests.functions.notifications.conftest import LIST, notify
from tests.harness import sdk
from tests.harness.action_item_scenario import new_action_item_scenario
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.clock import Clock
from tests.harness.stream import event_records, new_event, process_records
from tests.store.stored_items import NOTIFICATION

OWN = {"_id", "userId", "type", "message", "read", "createdAt", "updatedAt", "avatar"}


def store_notifications(scenario: BoardScenario, user: Person, count: int) -> None:
    name = settings().table_name
    for start in range(0, count, 25):
        made = [_notification(scenario, user, number) for number in range(start, min(count, start + 25))]
        puts: list[Any] = [
            {"PutRequest": {"Item": marshal(notifications.create(notification).item)}} for notification in made
        ]
        sdk.dynamodb().batch_write_item(RequestItems={name: puts})


def _notification(scenario: BoardScenario, user: Person, number: int) -> StoredNotification:
    at = shift(now(), minutes=-number)
    event = new_event(scenario.board_id, Event.BOARD_CHANGED, at=at)
    refs = {"boardId": scenario.board_id, "triggeringUserId": f"{number:024x}"}
    own = {"id": notification_id(event, user.id), "user_id": user.id, "message": f"sent number {number}", "refs": refs}
    return NOTIFICATION.model_copy(update={**own, **dict.fromkeys(("delivered_at", "created_at", "updated_at"), at)})


def test_a_notification_has_exactly_the_specified_fields(scenario: BoardScenario, ben: Person) -> None:
    notify(scenario)
    (entry,) = ben.client.get(LIST).json
    assert set(entry) == OWN | {"boardId", "triggeringUserId"}
    assert (entry["userId"], entry["type"], entry["read"]) == (ben.id, "board_update", False)
    assert entry["boardId"] == {"_id": scenario.board_id, "name": "Board"}
    assert entry["triggeringUserId"] == {"_id": scenario.owner.id, "firstName": "Olivia", "lastName": "Tester"}
    assert [again["_id"] for again in ben.client.get("/api/notification").json] == [entry["_id"]]


def test_the_list_has_at_most_five_hundred_newest_first(scenario: BoardScenario, ben: Person) -> None:
    store_notifications(scenario, ben, 503)
    listed = ben.client.get(LIST).json
    assert [entry["message"] for entry in listed] == [f"Somebody sent number {number}" for number in range(500)]
    gone = listed[0]["_id"]
    ben.client.delete(f"{LIST}{gone}")
    assert [entry["message"] for entry in ben.client.get(LIST).json][-1] == "Somebody sent number 500"


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_of_any_size_show_all_of_them_though_what_is_deleted_or_hidden_lies_between(
    scenario: BoardScenario, ben: Person, limit: int
) -> None:
    meeting = new_action_item_scenario(scenario)
    for title in ("One", "Two"):
        meeting.item(title=title, assigneeUserId=ben.id)
    assert process_records(event_records(scenario.board_id)) == []
    assert len(ben.client.get(LIST).json) == 2
    meeting.patch(status="draft")
    store_notifications(scenario, ben, 5)
    ben.client.delete(f"{LIST}{ben.client.get(LIST).json[1]['_id']}")
    pages = [answer.json for answer in ben.client.linked(LIST, f"limit={limit}")]
    shown = [entry["message"] for page in pages for entry in page]
    assert shown == [f"Somebody sent number {number}" for number in (0, 2, 3, 4)]
    assert shown == [entry["message"] for entry in ben.client.get(LIST).json]
    assert all(len(page) <= limit for page in pages)


def test_what_was_only_mailed_is_neither_listed_nor_found(scenario: BoardScenario, ben: Person) -> None:
    mailed = _notification(scenario, ben, 0).model_copy(update={"in_app": False})
    transact([notifications.create(mailed)])
    assert is_absent(ben, mailed.id)


def is_absent(user: Person, item_id: str) -> bool:
    """Returns whether a notification can neither be listed, nor marked as read, nor deleted."""
    listed = user.client.get(LIST).json
    failures = {user.client.put(f"{LIST}read/{item_id}").failure, user.client.delete(f"{LIST}{item_id}").failure}
    return listed == [] and failures == {(404, "RESOURCE_NOT_FOUND")}


def test_one_notification_is_marked_as_read(scenario: BoardScenario, ben: Person) -> None:
    notify(scenario)
    notify(scenario)
    before = ben.client.get(LIST).json
    item_id = before[0]["_id"]
    response = ben.client.put(f"{LIST}read/{item_id}")
    assert (response.status, response.json["read"]) == (200, True)
    assert set(response.json) == set(before[0])
    after = ben.client.get(LIST).json
    assert [entry["read"] for entry in after] == [True, False]
    assert after[0]["updatedAt"] == response.json["updatedAt"] > before[0]["updatedAt"]
    assert ben.client.put(f"{LIST}read/{item_id}").json["updatedAt"] == response.json["updatedAt"]


def test_a_row_that_is_written_after_all_were_read_is_unread(scenario: BoardScenario, ben: Person) -> None:
    notify(scenario)
    slow = _notification(scenario, ben, 1)  # its delivery began a minute ago
    assert ben.client.put(f"{LIST}read/all").status == 200
    transact([notifications.create(slow)])
    assert {entry["_id"] == slow.id: entry["read"] for entry in ben.client.get(LIST).json} == {True: False, False: True}
    assert ben.client.put(f"{LIST}read/{slow.id}").json["read"] is True
    assert ben.client.put(f"{LIST}read/all").status == 200
    assert [entry["read"] for entry in ben.client.get(LIST).json] == [True, True]


def test_what_was_read_stays_read_when_its_delivery_is_long_past(
    scenario: BoardScenario, ben: Person, clock: Clock
) -> None:
    store_notifications(scenario, ben, 3)
    for minutes in (0, 14, 16, 40):
        clock.advance(minutes=minutes)
        assert ben.client.put(f"{LIST}read/all").status == 200
        assert [entry["read"] for entry in ben.client.get(LIST).json] == [True] * 3


def test_preferences_hold_only_the_changed_categories(ben: Person) -> None:
    path = f"{LIST}preferences"
    assert ben.client.get(path).json == {"preferences": {}}
    first = ben.client.put(path, {"eventCategory": "action_item", "channels": []})
    assert (first.status, first.json) == (200, {"preferences": {"action_item": []}})
    ben.client.put(path, {"eventCategory": "bet_reminder", "channels": ["in_app", "email", "in_app"]})
    ben.client.put(path, {"eventCategory": "action_item", "channels": ["email"]})
    both = {"preferences": {"action_item": ["email"], "bet_reminder": ["in_app", "email"]}}
    assert ben.client.get(path).json == both
