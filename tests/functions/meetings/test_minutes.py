"""Minutes: attendance, texts and decisions; a draft until the meeting is finalized (ADR meetings)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events

OPEN = {"audience": None, "withheld": False}


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    begun = new_meeting_scenario(scenario)
    assert begun.patch(status="in_progress").status == 200
    return begun


def put(meeting: MeetingScenario, client: Client | None = None, **members: Any) -> Response:
    return (client or meeting.board.owner.client).put(f"{meeting.path}/minutes", members)


def read(meeting: MeetingScenario, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).get(f"{meeting.path}/minutes")


def task(meeting: MeetingScenario) -> str:
    created = meeting.board.owner.client.post(f"{meeting.path}/action-items", {"title": "Do it"})
    return str(created.data["_id"])


def test_minutes_say_who_attended_and_what_was_decided(meeting: MeetingScenario) -> None:
    owner, ben = meeting.board.owner, meeting.board.member("ben", access_type="manager")
    meeting.board.member("absent")
    agenda = owner.client.put(f"{meeting.path}/agenda", {"items": [{"title": "Budget"}]})
    items = [
        {
            "agendaItemId": agenda.data["items"][0]["id"],
            "text": "Discussed.",
            "decision": {"text": "Approved.", "result": "carried"},
            "resolutionId": None,
            "actionItemIds": [task(meeting)],
        },
        {"agendaItemId": None, "text": "Other business", "decision": None, "resolutionId": None, "actionItemIds": []},
    ]
    attendance = [
        {"userId": owner.id, "unregisteredUserId": None, "name": None, "present": "in_person"},
        {"userId": ben.id, "unregisteredUserId": None, "name": None, "present": "absent"},
        {"userId": None, "unregisteredUserId": None, "name": "Petra Lang", "present": "remote"},
    ]
    written = put(meeting, ben.client, attendance=attendance, items=items)
    assert written.status == 200, written.text
    ids = [entry["id"] for entry in written.data["items"]]
    assert len({*ids}) == len(items)
    assert written.data == {
        "object": "minutes",
        "meetingId": meeting.path.rpartition("/")[2],
        "status": "draft",
        "attendance": attendance,
        "items": [{"id": id_, **entry, **OPEN} for id_, entry in zip(ids, items, strict=True)],
        "quorum": {"present": 1, "members": 3},
        "createdAt": written.data["createdAt"],
        "updatedAt": written.data["updatedAt"],
    }
    assert read(meeting).data == written.data


def test_what_is_invalid_is_named_and_nothing_changes(meeting: MeetingScenario) -> None:
    before, absent = put(meeting, items=[{"text": "Kept"}]).data, "0" * 24
    refused = put(
        meeting,
        attendance=[{"userId": absent, "present": "remote"}],
        items=[{"text": "T", "agendaItemId": absent, "actionItemIds": [absent]}],
    )
    assert refused.failure == (400, "INVALID_REQUEST_BODY")
    named = {"attendance.0.userId", "items.0.agendaItemId", "items.0.actionItemIds.0"}
    assert refused.fields.keys() == named
    assert read(meeting).data == before


def test_minutes_name_no_action_item_of_another_members_draft(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben", access_type="manager")
    draft = ben.client.post(f"{meeting.board.path}/meetings", {"title": "Secret", "status": "draft"}).data["id"]
    path = f"{meeting.board.path}/meetings/{draft}/action-items"
    hidden = ben.client.post(path, {"title": "Do it quietly"}).data["_id"]
    items = [{"text": "T", "actionItemIds": [hidden]}]
    assert put(meeting, items=items).fields.keys() == {"items.0.actionItemIds.0"}
    assert put(meeting, ben.client, items=items).status == 200


def test_guests_see_minutes_once_they_are_final(meeting: MeetingScenario) -> None:
    gwen = meeting.board.member("gwen", access_type="guest")
    written = put(meeting, items=[{"text": "Said"}]).data
    assert read(meeting, gwen.client).status == 404
    assert read(meeting, meeting.board.member("ben").client).data["items"] == written["items"]
    meeting.finalize()
    final = read(meeting, gwen.client)
    assert (final.status, final.data["status"], final.data["items"]) == (200, "final", written["items"])


def test_final_minutes_keep_their_quorum_and_never_change(meeting: MeetingScenario) -> None:
    owner = meeting.board.owner
    assert put(meeting, attendance=[{"userId": owner.id, "present": "remote"}]).status == 200
    meeting.finalize()
    final = read(meeting).data
    meeting.board.member("ben")
    assert read(meeting).data == final
    for refused in (put(meeting), owner.client.delete(f"{meeting.path}/minutes")):
        assert refused.json["error"]["details"]["reason"] == "MEETING_FINALIZED"
    assert final["quorum"] == {"present": 1, "members": 1}
    assert read(meeting).data == final


def test_minutes_that_are_written_while_the_meeting_is_finalized_are_final(meeting: MeetingScenario) -> None:
    assert meeting.patch(status="completed").status == 200
    with meanwhile(lambda: put(meeting, items=[{"text": "In time"}])):
        assert meeting.patch(status="finalized").status == 200
    assert (read(meeting).data["status"], read(meeting).data["items"][0]["text"]) == ("final", "In time")


def test_deleted_minutes_are_gone(meeting: MeetingScenario) -> None:
    owner = meeting.board.owner.client
    assert owner.delete(f"{meeting.path}/minutes").status == 404
    assert put(meeting).status == 200
    assert owner.delete(f"{meeting.path}/minutes").data == {"deleted": True}
    assert read(meeting).status == 404


# -- who writes them, and how they come back


def test_a_member_who_neither_runs_the_meeting_nor_wrote_the_minutes_reads_them(meeting: MeetingScenario) -> None:
    ada = meeting.board.member("ada")
    before = put(meeting, items=[{"text": "Kept"}]).data
    assert put(meeting, ada.client, items=[]).failure == (403, "FORBIDDEN")
    assert ada.client.delete(f"{meeting.path}/minutes").failure == (403, "FORBIDDEN")
    assert read(meeting, ada.client).data == before


@pytest.mark.parametrize("position", ["company secretary", "executive assistant", "board chair"])
def test_a_secretary_and_the_chair_write_minutes_and_run_the_meeting(meeting: MeetingScenario, position: str) -> None:
    ada = meeting.board.member("ada")
    assert ada.client.patch(meeting.path, {"status": "completed"}).failure == (403, "FORBIDDEN")
    meeting.board.owner.client.patch(meeting.board.member_path(ada), {"boardPositions": [position]})
    assert put(meeting, ada.client, items=[{"text": "Said"}]).status == 200
    assert ada.client.patch(meeting.path, {"status": "completed"}).status == 200
    meeting.board.owner.client.patch(meeting.board.member_path(ada), {"boardPositions": []})
    assert put(meeting, ada.client, items=[{"text": "More"}]).status == 200, "they wrote them first"
    assert ada.client.patch(meeting.path, {"status": "finalized"}).failure == (403, "FORBIDDEN")


def test_deleted_minutes_come_back_as_they_were(meeting: MeetingScenario) -> None:
    owner, ada = meeting.board.owner.client, meeting.board.member("ada").client
    restoration = f"{meeting.path}/minutes/restoration"
    assert owner.post(restoration).failure == (404, "RESOURCE_NOT_FOUND")
    before = put(meeting, items=[{"text": "Long work"}]).data
    assert owner.delete(f"{meeting.path}/minutes").status == 200
    assert ada.post(restoration).failure == (403, "FORBIDDEN")
    back = owner.post(restoration)
    assert back.status == 200, back.text
    assert {**back.data, "updatedAt": before["updatedAt"]} == before
    assert read(meeting).data == back.data
    assert owner.post(restoration).failure == (404, "RESOURCE_NOT_FOUND")
    assert len(stored_events(meeting.board, "minutes.restored")) == 1


def test_a_restoration_is_allowed_only_while_there_is_something_to_restore(meeting: MeetingScenario) -> None:
    owner, path = meeting.board.owner.client, f"{meeting.path}/minutes"
    asked = {"action": {"name": "restoreMinutes"}, "resource": {"type": "route", "id": f"{path}/restoration"}}
    allowed = []
    for act in (lambda: None, lambda: put(meeting, items=[]), lambda: owner.delete(path)):
        act()
        if read(meeting).status == 404:
            allowed.append(owner.post("/api/v1/access/evaluation", asked).json["decision"])
    assert allowed == [False, True]


def test_deleted_minutes_do_not_replace_new_ones(meeting: MeetingScenario) -> None:
    owner = meeting.board.owner.client
    put(meeting, items=[{"text": "Old"}])
    owner.delete(f"{meeting.path}/minutes")
    new = put(meeting, items=[{"text": "New"}]).data
    refused = owner.post(f"{meeting.path}/minutes/restoration")
    assert (refused.status, refused.json["error"]["details"]["reason"]) == (409, "MINUTES_EXIST")
    assert read(meeting).data == new


def test_minutes_written_at_the_same_moment_win_over_a_restoration(meeting: MeetingScenario) -> None:
    owner = meeting.board.owner.client
    put(meeting, items=[{"text": "Old"}])
    owner.delete(f"{meeting.path}/minutes")
    with meanwhile(lambda: put(meeting, items=[{"text": "New"}])):
        refused = owner.post(f"{meeting.path}/minutes/restoration")
    assert refused.status == 409
    assert read(meeting).data["items"][0]["text"] == "New"
