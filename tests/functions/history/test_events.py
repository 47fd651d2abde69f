"""The audit log and the list of a board's events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.domain.events.meetings import MEETING_CREATED, MeetingCreated
from governance.http import json_array_stream
from governance.instants import Instant, now
from governance.models.page import JsonArrayStream
from governance.store.transactions import transact
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.clock import Clock


def log(scenario: BoardScenario, **query: object) -> Response:
    return scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}", **query)


def test_an_entry_has_exactly_the_specified_fields(scenario: BoardScenario) -> None:
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Spring"}).data
    (entry,) = log(scenario, anything="goes").json
    assert entry == {
        "_id": entry["_id"],
        "boardId": scenario.board_id,
        "actorUser": scenario.owner.id,
        "action": "meetingCreate",
        "details": {"id": meeting["id"], "title": "Spring"},
        "createdVia": "web",
        "createdAt": meeting["createdAt"],
        "updatedAt": meeting["createdAt"],
    }


def test_a_token_acts_as_agent_and_a_board_token_without_a_user(scenario: BoardScenario) -> None:
    scenario.personal_token(scenario.owner).post(f"{scenario.path}/meetings", {"title": "By token"})
    scenario.token().post(f"{scenario.path}/meetings", {"title": "By board token"})
    by_person, by_board = log(scenario).json
    assert (by_person["actorUser"], by_person["createdVia"]) == (scenario.owner.id, "agent")
    assert (by_board["actorUser"], by_board["createdVia"]) == (None, "agent")


@pytest.mark.parametrize("compressed", [False, True])
def test_a_hundred_thousand_entries_fit_into_a_lambda_response(compressed: bool) -> None:
    text = json.dumps({"_id": "5" * 24, "details": {"title": '\u00fc"quoted"'}})
    entries = ((f"{n:06}", text.replace("5" * 24, f"{n * 7919:024x}")) for n in range(100_000))
    packed = json_array_stream.pack(JsonArrayStream(entries), compressed=compressed)
    assert len(json.dumps({"body": packed.body})) < 6 * 1024 * 1024
    assert (packed.position is None) == compressed


def test_gzip_is_sent_only_if_accepted() -> None:
    assert not any(
        json_array_stream.accepts_gzip(header) for header in ("", "br", "gzip;q=0", "gzip;q=0.0, *", "identity")
    )
    assert all(json_array_stream.accepts_gzip(header) for header in ("gzip", "br, GZIP", "gzip; q=0.1", "*"))


@pytest.fixture(autouse=True)
def after_the_delay(clock: Clock) -> None:
    clock.advance(minutes=1)


def list_events(scenario: BoardScenario, client: Client | None = None, **query: Any) -> list[Any]:
    return (client or scenario.owner.client).all(f"{scenario.path}/events", **query)


def record(scenario: BoardScenario, number: int, at: Instant | None = None, **options: Any) -> None:
    context = Context(now=at or now())
    meeting_id = f"{number:024x}"
    created = MeetingCreated(meeting_id=meeting_id, id=meeting_id, title=None)
    transact(record_event(context, MEETING_CREATED, created, board_id=scenario.board_id, **options))


def numbers(events: list[Any]) -> list[int]:
    return [int(event["details"]["id"], 16) for event in events]


def test_events_are_returned_in_order_and_in_pages_with_exactly_the_specified_fields(
    scenario: BoardScenario, clock: Clock
) -> None:
    for number in range(7):
        clock.advance(minutes=number)
        record(scenario, number)
    clock.advance(hours=1)
    events = list_events(scenario, limit=3)
    assert numbers(events) == list(range(7))
    assert set(events[1]) == {
        "object", "id", "boardId", "type", "actorUserId", "createdVia", "createdAt", "refs", "details", "changes"
    }  # fmt: skip
    assert (events[1]["type"], events[1]["refs"]) == ("meeting.created", {"meetingId": f"{1:024x}"})


def test_after_misses_no_event_of_the_same_millisecond(scenario: BoardScenario, clock: Clock) -> None:
    at = now()
    for number in range(5):
        record(scenario, number, at)
    clock.advance(minutes=5)
    events = list_events(scenario)
    assert {event["createdAt"] for event in events} == {at}
    for position, event in enumerate(events, 1):
        assert list_events(scenario, after=event["id"]) == events[position:]


def test_an_event_is_listed_once_no_earlier_one_can_follow(scenario: BoardScenario, clock: Clock) -> None:
    record(scenario, 1)
    assert list_events(scenario) == []
    clock.advance(minutes=2)
    assert numbers(list_events(scenario)) == [1]


def test_events_of_hidden_drafts_and_documents_are_not_listed(scenario: BoardScenario, clock: Clock) -> None:
    ann = scenario.member("ann", admin_role="admin")
    record(scenario, 1, draft_of=ann.id)
    record(scenario, 2, committee_id="c" * 24)
    record(scenario, 3)
    clock.advance(minutes=2)
    assert numbers(list_events(scenario)) == [3]
    assert numbers(list_events(scenario, scenario.token("read_only"))) == [3]
    assert sorted(numbers(list_events(scenario, ann.client))) == [1, 3]


def test_what_is_no_event_is_refused_as_a_place_to_go_on(scenario: BoardScenario) -> None:
    refused = scenario.owner.client.get(f"{scenario.path}/events", after="nonsense")
    assert refused.failure == (400, "INVALID_QUERY_PARAMETER")


def test_an_event_has_the_values_before_and_after_and_the_audit_entry_none(
    scenario: BoardScenario, clock: Clock
) -> None:
    client, other = scenario.owner.client, scenario.member("mira")
    times = ("2098-01-05T09:00:00.000Z", "2098-01-05T11:00:00.000Z")
    meeting = client.post(
        f"{scenario.path}/meetings", {"title": "Spring", "status": "scheduled", "startTime": times[0]}
    ).data
    path = f"{scenario.path}/meetings/{meeting['id']}"
    client.patch(path, {"title": "Summer", "startTime": times[1]})
    slot = client.post(f"{path}/slots", {"startTime": "2098-01-06T09:00:00.000Z", "timezone": "UTC"}).data
    client.delete(f"{path}/slots/{slot['id']}")
    item = client.post(f"{path}/action-items", {"title": "Report"}).data
    changed = client.patch(f"{path}/action-items/{item['_id']}", {"assigneeUserId": other.id, "notes": {}})
    assert changed.status == 200, changed.text
    client.put(f"{path}/action-items/{item['_id']}/due", {"dueOn": "2098-02-01"})
    client.patch(scenario.member_path(other), {"accessType": "manager"})
    name = scenario.stored_board.name
    assert client.patch(scenario.path, {"name": "Another name", "description": "Not kept"}).status == 200
    clock.advance(minutes=5)
    changes = {
        event["type"]: [tuple(change.values()) for change in event["changes"]] for event in list_events(scenario)
    }
    assert {kind: values for kind, values in changes.items() if values} == {
        "meeting.updated": [("title", "Spring", "Summer"), ("startTime", *times)],
        "slot.proposed": [("startTime", None, slot["startTime"])],
        "slot.removed": [("startTime", slot["startTime"], None)],
        "action_item.updated": [("assigneeUserId", None, other.id)],
        "due_date.set": [("dueOn", None, "2098-02-01")],
        "member.changed": [("accessType", "collaborator", "manager")],
        "board.changed": [("name", name, "Another name")],
    }
    (entry,) = [entry for entry in log(scenario).json if entry["action"] == "meetingUpdate"]
    assert entry["details"] == {"fields": ["title", "startTime"]}
