"""Agendas: ordered items with times, presenters and papers (ADR meetings)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events

START = "2027-03-01T09:00:00.000Z"


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    timed = new_meeting_scenario(scenario)
    assert timed.patch(startTime=START).status == 200
    return timed


def put(meeting: MeetingScenario, *items: dict[str, Any], client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).put(f"{meeting.path}/agenda", {"items": list(items)})


def agenda(meeting: MeetingScenario, client: Client | None = None) -> Any:
    response = (client or meeting.board.owner.client).get(f"{meeting.path}/agenda")
    assert response.status == 200, response.text
    return response.data


def document(meeting: MeetingScenario, client: Client | None = None, **members: Any) -> str:
    created = (client or meeting.board.owner.client).post(f"{meeting.board.path}/documents", {"title": "P", **members})
    assert created.status == 201, created.text
    return str(created.data["id"])


def test_a_meeting_without_an_agenda_has_an_empty_one(meeting: MeetingScenario) -> None:
    meeting_id = meeting.path.rpartition("/")[2]
    empty: dict[str, Any] = {
        "object": "agenda",
        "meetingId": meeting_id,
        "items": [],
        "createdAt": None,
        "updatedAt": None,
    }
    assert agenda(meeting) == empty


def test_items_keep_their_ids_and_their_order_and_times_are_those_of_the_body(meeting: MeetingScenario) -> None:
    first, second = put(meeting, {"title": "A", "minutes": 5}, {"title": "B"}).data["items"]
    assert [first["startsAt"], second["startsAt"]] == [START, "2027-03-01T09:05:00.000Z"]
    changed = put(meeting, {"title": "B2", "id": second["id"]}, {"title": "C"}, {"title": "A", "id": first["id"]})
    assert [item["title"] for item in changed.data["items"]] == ["B2", "C", "A"]
    assert [changed.data["items"][at]["id"] for at in (0, 2)] == [second["id"], first["id"]]
    assert agenda(meeting) == changed.data
    assert len(stored_events(meeting.board, "agenda.updated")) == 2


def test_what_an_item_names_and_is_not_there_is_named_and_nothing_changes(meeting: MeetingScenario) -> None:
    before, absent = put(meeting, {"title": "Kept"}).data, "0" * 24
    refused = put(meeting, {"title": "A", "id": absent, "presenterUserId": absent, "documentIds": [absent, "1" * 24]})
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    named = {"id", "presenterUserId", "documentIds.0", "documentIds.1"}
    assert refused.fields.keys() == {f"items.0.{member}" for member in named}
    assert agenda(meeting) == before


# -- papers


def test_papers_that_a_reader_may_not_see_leave_no_gap_and_stay_where_others_write(meeting: MeetingScenario) -> None:
    ada, owner = meeting.board.member("ada"), meeting.board.owner
    secret, plain = document(meeting, committeeId=meeting.board.committee(owner)), document(meeting)
    (item,) = put(meeting, {"title": "A", "documentIds": [secret, plain]}).data["items"]
    assert item["documentIds"] == [secret, plain]
    assert agenda(meeting, ada.client)["items"][0]["documentIds"] == [plain]
    changed = put(meeting, {"title": "A2", "id": item["id"], "documentIds": []}, client=ada.client)
    assert changed.data["items"][0]["documentIds"] == []
    assert agenda(meeting)["items"][0]["documentIds"] == [secret]
    refused = put(meeting, {"title": "A3", "id": item["id"], "documentIds": [secret]}, client=ada.client)
    assert refused.fields == {"items.0.documentIds.0": "must be the id of a document of this board"}


# -- carrying over


def test_what_a_meeting_left_open_is_carried_over_once(meeting: MeetingScenario) -> None:
    owner, then = meeting.board.owner.client, new_meeting_scenario(meeting.board, title="Next")
    done, left = put(meeting, {"title": "Done"}, {"title": "Left", "minutes": 7, "kind": "decision"}).data["items"]
    assert meeting.patch(status="completed").status == 200
    minutes = {"items": [{"agendaItemId": done["id"], "text": "Said"}]}
    assert owner.put(f"{meeting.path}/minutes", minutes).status == 200
    for title, status in (("T" * 300, "in_progress"), ("Closed", "completed")):
        task = {"title": title, "status": status}
        assert owner.post(f"{meeting.path}/action-items", task).status == 201
    body = {"fromMeetingId": meeting.path.rpartition("/")[2]}
    carried = owner.post(f"{then.path}/agenda/carry-over", body)
    assert carried.status == 200, carried.text
    assert [(item["title"], item["minutes"]) for item in carried.data["items"]] == [("Left", 7), ("T" * 200, None)]
    assert left["id"] not in {item["id"] for item in carried.data["items"]}
    assert owner.post(f"{then.path}/agenda/carry-over", body).data == carried.data
    assert len(stored_events(meeting.board, "agenda.updated")) == 2


def test_nothing_is_carried_over_from_a_meeting_without_an_agenda(meeting: MeetingScenario) -> None:
    owner, then = meeting.board.owner.client, new_meeting_scenario(meeting.board, title="Next")
    before = put(then, {"title": "There", "documentIds": [document(meeting)]}).data
    body = {"fromMeetingId": meeting.path.rpartition("/")[2]}
    assert owner.post(f"{then.path}/agenda/carry-over", body).data == before


def test_only_another_meeting_that_the_caller_sees_is_carried_over(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    draft = meeting.board.owner.client.post(f"{meeting.board.path}/meetings", {"title": "Draft"}).data["id"]
    for other in (draft, meeting.path.rpartition("/")[2], "0" * 24):
        refused = ben.client.post(f"{meeting.path}/agenda/carry-over", {"fromMeetingId": other})
        assert refused.fields == {"fromMeetingId": "must be the id of another meeting of this board"}
