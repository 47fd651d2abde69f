"""The example board: filled with made-up content, and without one e-mail."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from governance import deadline
from governance.ids import BoardId
from governance.models.catalog.catalog import kpis
from governance.settings import settings
from governance.store.boards import boards
from governance.store.boards import example_boards as stored_examples
from governance.usecases.boards import example_boards
from tests.harness import queue
from tests.harness.board_scenario import Person, person
from tests.harness.crash_injection import ProcessKilled, crash_at
from tests.harness.outbox import Outbox
from tests.harness.sdk import dynamodb as client
from tests.harness.stream import event_records, process_records

_PATH = "/api/v1/me/example-board"


@pytest.fixture
def ann(store: str) -> Person:  # noqa: ARG001 - requested for its effect
    """A user without a board."""
    return person("ann")


def _created(user: Person) -> str:
    response = user.client.post(_PATH)
    assert response.status == 201, response.text
    return str(response.data["id"])


def _deliver(board_id: str) -> None:
    """Delivers the events of a board, and those that follow from them."""
    for _ in range(2):
        assert process_records(event_records(BoardId(board_id))) == []


def _filled(user: Person) -> str:
    board_id = _created(user)
    _deliver(board_id)
    return board_id


def _content(user: Person, board_id: str) -> dict[str, int]:
    """Returns how much of each kind a user finds on a board."""
    path = f"/api/v1/boards/{board_id}"
    meetings = user.client.all(f"{path}/meetings")
    slots = [slot for meeting in meetings for slot in user.client.get(f"{path}/meetings/{meeting['id']}/slots").data]
    reports = user.client.all(f"{path}/reports")
    return {
        "members": len(user.client.all(f"{path}/members")),
        "meetings": len(meetings),
        "slots": len(slots),
        "votes": sum(vote["vote"] != "didNotVote" for slot in slots for vote in slot["feedbacks"]),
        "items": len(user.client.get(f"/api/board/{board_id}/action-items").json["actionItems"]),
        "documents": len(user.client.all(f"{path}/documents")),
        "reports": len(reports),
        "dashboards": sum(len(user.client.all(f"{path}/reports/{report['id']}/dashboards")) for report in reports),
    }


def _keys() -> list[str]:
    return [item["PK"]["S"] for item in client().scan(TableName=settings().table_name)["Items"]]


_FULL = {
    "members": 7,
    "meetings": 5,
    "slots": 3,
    "votes": 12,
    "items": 4,
    "documents": 3,
    "reports": 2,
    "dashboards": 4,
}


def test_the_board_is_filled_with_the_content_of_the_demo_whose_percents_are_no_fractions_of_one(ann: Person) -> None:
    board_id = _filled(ann)
    assert _content(ann, board_id) == _FULL
    path = f"/api/v1/boards/{board_id}/reports"
    dashboards = [
        made for report in ann.client.all(path) for made in ann.client.all(f"{path}/{report['id']}/dashboards")
    ]
    fields = [field for made in dashboards for field in (made["uniform"] or {"fields": []})["fields"]]
    stated = {field["rogueId"]: field["value"] for field in fields if field["widget"]["type"] == "percent"}
    assert len(stated) == 5
    assert {kpis()[rogue_id].value_type for rogue_id in stated} == {"percent"}
    assert [value for value in stated.values() if value <= 1] == []


def test_its_maker_is_told_once_that_it_is_ready_and_of_nothing_else(ann: Person) -> None:
    board_id = _filled(ann)
    _deliver(board_id)
    (told,) = ann.client.get("/api/notification/").json
    assert (told["type"], told["boardId"]["_id"]) == ("example_board_ready", board_id)


def test_the_board_sends_no_mail_whatever_its_maker_does(ann: Person, outbox: Outbox) -> None:
    board_id = _filled(ann)
    path = f"/api/v1/boards/{board_id}"
    meeting = ann.client.post(
        f"{path}/meetings", {"title": "Mine", "status": "scheduled", "startTime": "2099-01-01T09:00:00Z"}
    )
    assert meeting.status == 201
    maya = next(member for member in ann.client.all(f"{path}/members") if member["firstName"] == "Maya")
    invite = ann.client.post(f"/api/invite/{board_id}", {"inviteeEmail": "bob@example.com"}).json["inviteId"]
    bob = person("bob")
    assert bob.client.put(f"/api/invite/accept/{invite}").status == 200
    for assignee in (maya["userId"], ann.id, bob.id):
        task = {"title": "Do it", "assigneeUserId": assignee}
        assert ann.client.post(f"{path}/meetings/{meeting.data['id']}/action-items", task).status == 201
    assert ann.client.post(f"{path}/meetings/{meeting.data['id']}/reminders", {"about": "answers"}).status == 201
    queue.current.now += queue.LONG_ENOUGH
    _deliver(board_id)
    assert "task_assignment" in {told["type"] for told in bob.client.get("/api/notification/").json}
    assert outbox.raw == []


def test_an_invitation_from_an_example_board_is_refused(ann: Person, outbox: Outbox) -> None:
    board_id = _filled(ann)
    invite = ann.client.post(f"/api/invite/{board_id}", {"inviteeEmail": "bob@example.com"}).json["inviteId"]
    for path in (f"/api/invite/{invite}/send-email", f"/api/invite/{board_id}/test"):
        refused = ann.client.post(path)
        assert refused.failure == (409, "CONFLICT")
        assert refused.details == {"reason": "EXAMPLE_BOARD"}
    assert outbox.raw == []


def test_a_user_has_one_example_board_at_a_time(ann: Person) -> None:
    board_id = _created(ann)
    refused = ann.client.post(_PATH)
    assert (refused.failure, refused.details) == ((409, "CONFLICT"), {"reason": "LIMIT_REACHED"})
    assert ann.client.delete(f"/api/v1/boards/{board_id}").status == 200
    assert _created(ann) != board_id
    _created(person("ben"))


def test_a_deleted_example_board_leaves_nothing_of_its_made_up_members(ann: Person) -> None:
    board_id = _filled(ann)
    made_up = {member["userId"] for member in ann.client.all(f"/api/v1/boards/{board_id}/members")} - {ann.id}
    ann.client.delete(f"/api/v1/boards/{board_id}")
    _deliver(board_id)
    left = [key for key in _keys() if key.removeprefix("USER#") in made_up]
    assert left == []


def test_filling_goes_on_in_the_next_message_where_the_time_ended(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    board_id = _created(ann)
    steps = iter(range(10_000))
    step = example_boards._STEP_SECONDS
    monkeypatch.setattr(deadline, "has_time", lambda seconds: seconds != step or next(steps) % 5 != 4)
    _deliver(board_id)
    assert _content(ann, board_id) == _FULL


def test_what_was_deleted_meanwhile_is_left_out(ann: Person) -> None:
    board_id = _created(ann)
    records: list[Any] = event_records(BoardId(board_id))
    with crash_at(90), pytest.raises(ProcessKilled):
        process_records(records)
    path = f"/api/v1/boards/{board_id}/meetings"
    for meeting in ann.client.all(path):
        assert ann.client.delete(f"{path}/{meeting['id']}").status in {200, 409}
    _deliver(board_id)
    assert {kind: _content(ann, board_id)[kind] for kind in ("members", "reports", "slots")} == {
        "members": 7,
        "reports": 2,
        "slots": 0,
    }


def test_a_board_deleted_while_it_is_filled_stays_deleted(ann: Person) -> None:
    board_id = _created(ann)
    records: list[Any] = event_records(BoardId(board_id))
    with crash_at(61), pytest.raises(ProcessKilled):
        process_records(records)
    assert ann.client.delete(f"/api/v1/boards/{board_id}").status == 200
    _deliver(board_id)
    assert boards.find(BoardId(board_id)) is None
    assert not [key for key in _keys() if key == f"BOARD#{board_id}"]


_CALLS_OF_A_STEP = 100
"""More than any step and any delivery makes."""


@pytest.mark.slow
def test_killed_at_every_call_of_every_step_the_board_is_filled_once(ann: Person) -> None:
    board_id = _created(ann)
    for _ in range(2):  # the events of the board, and those that follow from them
        for record in event_records(BoardId(board_id)):
            _deliver_killed_at_every_call(record, board_id)
    assert _content(ann, board_id) == _FULL
    assert [told["type"] for told in ann.client.get("/api/notification/").json] == ["example_board_ready"]


def _deliver_killed_at_every_call(record: Any, board_id: str) -> None:
    """Repeats a delivery until it ends, and kills it one call later each time, from the first one after each step."""
    call = 1
    while call < _CALLS_OF_A_STEP:
        taken = _steps_taken(board_id)
        with crash_at(call) as crash, suppress(ProcessKilled):
            process_records([record])
        if crash.calls_made < call:
            return
        call = call + 1 if _steps_taken(board_id) == taken else 1
    pytest.fail("the delivery does not end")


def _steps_taken(board_id: str) -> int:
    progress = stored_examples.progress(BoardId(board_id))
    assert progress
    return len(progress.ids)
