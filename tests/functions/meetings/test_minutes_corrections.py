"""Corrections of approved minutes: what was approved stays, and is superseded when the correction is (ADR minutes)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.people import add
from tests.harness.stream import event_records, process_records

ITEMS: list[dict[str, Any]] = [{"text": "Budget approved."}]
CORRECTED: list[dict[str, Any]] = [{"text": "Budget approved, with one vote against."}]
SPRING, SUMMER = "2030-03-05T09:00:00.000Z", "2030-06-04T09:00:00.000Z"


@pytest.fixture
def summer(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting in progress."""
    meeting = new_meeting_scenario(scenario)
    assert meeting.patch(startTime=SUMMER).status == 200
    assert meeting.patch(status="in_progress").status == 200
    return meeting


@pytest.fixture
def spring(scenario: BoardScenario, summer: MeetingScenario) -> MeetingScenario:
    """Returns an earlier meeting, which is completed and whose minutes the later one approved."""
    meeting = new_meeting_scenario(scenario)
    assert meeting.patch(startTime=SPRING).status == 200
    assert meeting.patch(status="completed").status == 200
    attendance = [{"userId": scenario.owner.id, "present": "remote"}]
    body = {"items": ITEMS, "attendance": attendance}
    assert scenario.owner.client.put(f"{meeting.path}/minutes", body).status == 200
    assert circulate(meeting).status == 201
    assert approve(meeting, summer).status == 200
    return meeting


def id_of(meeting: MeetingScenario) -> str:
    return meeting.path.rpartition("/")[2]


def minutes(meeting: MeetingScenario, client: Client | None = None) -> dict[str, Any]:
    data: dict[str, Any] = (client or meeting.board.owner.client).get(f"{meeting.path}/minutes").data
    return data


def correct(
    meeting: MeetingScenario, items: list[dict[str, Any]] = CORRECTED, client: Client | None = None, **members: Any
) -> Response:
    body = {"items": items, "attendance": minutes(meeting)["attendance"], **members}
    body["attendance"] = [{"userId": each["userId"], "present": each["present"]} for each in body["attendance"]]
    return (client or meeting.board.owner.client).post(f"{meeting.path}/minutes/corrections", body)


def correction(meeting: MeetingScenario, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).get(f"{meeting.path}/minutes/corrections")


def circulate(meeting: MeetingScenario) -> Response:
    return meeting.board.owner.client.post(f"{meeting.path}/minutes/circulation")


def approve(meeting: MeetingScenario, by: MeetingScenario, **members: Any) -> Response:
    body = {"manner": "as_presented", "inMeetingId": id_of(by), **members}
    return meeting.board.owner.client.post(f"{meeting.path}/minutes/approval", body)


def approval(meeting: MeetingScenario, client: Client | None = None, **query: Any) -> Response:
    return (client or meeting.board.owner.client).get(f"{meeting.path}/minutes/approval", **query)


def version(meeting: MeetingScenario, number: int) -> dict[str, Any]:
    data: dict[str, Any] = meeting.board.owner.client.get(f"{meeting.path}/minutes/versions/{number}").data
    return data


def approve_correction(
    meeting: MeetingScenario, by: MeetingScenario, items: list[dict[str, Any]] = CORRECTED
) -> dict[str, Any]:
    assert correct(meeting, items).status == 201
    assert circulate(meeting).status == 201
    approved = approve(meeting, by)
    assert approved.status == 200, approved.text
    data: dict[str, Any] = approved.data
    return data


def merge(meeting: MeetingScenario, person_id: str) -> Response:
    """Merges a person without an account into the owner."""
    (member,) = meeting.board.owner.client.all(f"{meeting.board.path}/members")
    path = f"{meeting.board.path}/unregistered-users/{person_id}/merge"
    return meeting.board.owner.client.post(path, {"memberId": member["id"]})


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.json["error"]["details"]["reason"]


# -- while a correction is open


def test_a_correction_is_a_draft_that_names_what_it_corrects(spring: MeetingScenario) -> None:
    before, approved = minutes(spring), approval(spring).data
    opened = correct(spring)
    assert opened.status == 201, opened.text
    named = ("status", "version", "sha256", "number", "supersedesVersion")
    assert [opened.data[name] for name in named] == ["draft", None, None, None, 1]
    assert approval(spring).data == opened.data
    draft = correction(spring).data
    assert draft == {**before, "status": "draft", "items": draft["items"], "updatedAt": opened.data["updatedAt"]}
    assert [item["text"] for item in draft["items"]] == [CORRECTED[0]["text"]]
    assert minutes(spring) == before
    assert approval(spring, version=1).data == approved


def test_a_later_correction_replaces_the_open_one_and_keeps_items_of_both(spring: MeetingScenario) -> None:
    (first,) = minutes(spring)["items"]
    correct(spring)
    (second,) = correction(spring).data["items"]
    assert correct(spring, [{"id": first["id"], "text": "One"}, {"id": second["id"], "text": "Two"}]).status == 201
    assert [item["id"] for item in correction(spring).data["items"]] == [first["id"], second["id"]]
    unknown = correct(spring, [{"id": "0" * 24, "text": "T"}])
    assert unknown.fields.keys() == {"items.0.id"}


def test_the_approved_minutes_change_by_no_other_way(spring: MeetingScenario) -> None:
    correct(spring)
    for _ in range(2):
        assert reason(spring.board.owner.client.put(f"{spring.path}/minutes", {})) == (409, "MINUTES_APPROVED")
        assert reason(spring.board.owner.client.delete(f"{spring.path}/minutes")) == (409, "IN_USE")
        other = new_meeting_scenario(spring.board)
        other.patch(startTime="2030-01-01T09:00:00Z")
        other.patch(status="completed")
        other.board.owner.client.put(f"{other.path}/minutes", {"items": ITEMS})
        circulate(other)
        assert reason(approve(other, spring)) == (409, "MINUTES_APPROVED")
        circulate(spring)


def test_members_who_see_no_drafts_see_a_correction_from_its_circulation_on(spring: MeetingScenario) -> None:
    gwen, ada = spring.board.member("gwen", access_type="guest").client, spring.board.member("ada").client
    approved = approval(spring).data
    correct(spring)
    assert correction(spring, gwen).failure == (404, "RESOURCE_NOT_FOUND")
    assert correction(spring, ada).data == correction(spring, spring.board.token()).data == correction(spring).data
    assert approval(spring, gwen).data == approved
    assert approval(spring, ada).data["status"] == "draft"
    circulate(spring)
    assert correction(spring, gwen).status == 404
    assert (approval(spring, gwen).data["status"], approval(spring, gwen).data["supersedesVersion"]) == (
        "circulated",
        1,
    )
    assert minutes(spring, gwen)["items"][0]["text"] == ITEMS[0]["text"]


def test_a_circulated_correction_takes_remarks_and_changes_until_it_is_approved(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    owner, remarks = spring.board.owner.client, f"{spring.path}/minutes/remarks"
    correct(spring)
    assert reason(owner.post(remarks, {"version": 1, "text": "Early"})) == (409, "REMARKS_CLOSED")
    assert reason(approve(spring, summer)) == (409, "NOT_CIRCULATED")
    first = circulate(spring).data
    assert (first["status"], first["version"], first["supersedesVersion"]) == ("circulated", 2, 1)
    approved = approval(spring, version=1).data
    assert (approved["status"], approved["supersededByVersion"]) == ("approved", None)
    owner.post(remarks, {"version": 2, "text": "Two votes", "itemIndex": 0, "quote": "one vote"})
    assert reason(approve(spring, summer)) == (409, "REMARKS_OPEN")
    assert correct(spring, [{"text": "Two votes against."}]).data == approval(spring).data == first
    assert reason(approve(spring, summer, force=True)) == (409, "MINUTES_CHANGED")
    assert circulate(spring).data["version"] == 3
    assert approve(spring, summer).data["supersedesVersion"] == 1
    assert approval(spring, version=2).failure == (404, "RESOURCE_NOT_FOUND")


# -- when it is approved


def test_an_approved_correction_takes_the_place_and_the_next_number(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    first, text = approval(spring).data, version(spring, 1)
    approved = approve_correction(spring, summer)
    assert approved == {
        **first,
        "version": 2,
        "sha256": version(spring, 2)["sha256"],
        "circulatedAt": approved["circulatedAt"],
        "approvedAt": approved["approvedAt"],
        "number": "2030-2",
        "supersedesVersion": 1,
        "updatedAt": approved["approvedAt"],
    }
    assert approval(spring).data == approval(spring, version=2).data == approved
    assert approval(spring, version=1).data == {**first, "status": "corrected", "supersededByVersion": 2}
    assert version(spring, 1) == text
    now = minutes(spring)
    assert (now["status"], [item["text"] for item in now["items"]]) == ("final", [CORRECTED[0]["text"]])
    assert correction(spring).failure == (404, "RESOURCE_NOT_FOUND")
    assert reason(circulate(spring)) == (409, "MINUTES_APPROVED")
    assert reason(approve(spring, summer)) == (409, "MINUTES_APPROVED")
    entries = [item["text"] for item in minutes(summer)["items"]]
    assert entries[1] == "Correction of the minutes of “Spring” (Tuesday, 5 March 2030) approved as presented"


def test_a_correction_is_corrected_too(spring: MeetingScenario, summer: MeetingScenario) -> None:
    approve_correction(spring, summer)
    approve_correction(spring, summer, [{"text": "Third"}])
    chain = [approval(spring, version=number).data for number in (1, 2, 3)]
    assert [each["status"] for each in chain] == ["corrected", "corrected", "approved"]
    assert [each["supersededByVersion"] for each in chain] == [2, 3, None]
    assert [each["supersedesVersion"] for each in chain] == [None, 1, 2]
    assert [each["number"] for each in chain] == ["2030-1", "2030-2", "2030-3"]
    assert [version(spring, number)["sha256"] for number in (1, 2, 3)] == [each["sha256"] for each in chain]


def test_the_quorum_stays_unless_the_attendance_changes(spring: MeetingScenario, summer: MeetingScenario) -> None:
    ada = spring.board.member("ada")
    assert minutes(spring)["quorum"] == {"present": 1, "members": 1}
    approve_correction(spring, summer)
    assert minutes(spring)["quorum"] == {"present": 1, "members": 1}
    assert correct(spring, attendance=[{"userId": ada.id, "present": "remote"}]).status == 201
    circulate(spring)
    approve(spring, summer)
    assert minutes(spring)["quorum"] == {"present": 1, "members": 2}


def test_an_entry_about_other_minutes_stays_in_a_correction(spring: MeetingScenario, summer: MeetingScenario) -> None:
    autumn = new_meeting_scenario(spring.board)
    autumn.patch(startTime="2030-09-03T09:00:00Z")
    autumn.patch(status="in_progress")
    summer.patch(status="completed")
    circulate(summer)
    assert approve(summer, autumn).status == 200
    (entry,) = minutes(summer)["items"]
    approve_correction(summer, autumn, [{"text": "Opened"}])
    assert minutes(summer)["items"][0] == entry
    assert reason(spring.board.owner.client.delete(summer.path)) == (409, "IN_USE")


# -- what is refused


def test_only_what_is_approved_is_corrected(scenario: BoardScenario) -> None:
    meeting = new_meeting_scenario(scenario)
    path = f"{meeting.path}/minutes/corrections"
    meeting.patch(status="completed")
    assert scenario.owner.client.post(path, {"items": CORRECTED}).failure == (404, "RESOURCE_NOT_FOUND")
    scenario.owner.client.put(f"{meeting.path}/minutes", {"items": ITEMS})
    assert reason(scenario.owner.client.post(path, {"items": CORRECTED})) == (409, "NOT_APPROVED")
    circulate(meeting)
    assert reason(scenario.owner.client.post(path, {"items": CORRECTED})) == (409, "NOT_APPROVED")
    assert correction(meeting).failure == (404, "RESOURCE_NOT_FOUND")


def test_a_correction_says_something_else(spring: MeetingScenario) -> None:
    approved = minutes(spring)["items"]
    assert correct(spring, approved).fields.keys() == {"items"}
    assert correct(spring, approved, attendance=[]).status == 201


def test_collaborators_and_tokens_correct_nothing(spring: MeetingScenario) -> None:
    for client in (spring.board.member("ada").client, spring.board.token()):
        assert correct(spring, CORRECTED, client).failure == (403, "FORBIDDEN")
    assert correction(spring).status == 404


@pytest.mark.parametrize("number", ["0", "51", "x", "1.0"])
def test_a_version_is_a_number_of_the_limit(spring: MeetingScenario, number: str) -> None:
    assert approval(spring, version=number).fields.keys() == {"version"}


# -- at the same moment


def test_what_is_corrected_at_the_moment_of_the_approval_corrects_the_approved(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    correct(spring)
    circulate(spring)
    with meanwhile(lambda: approve(spring, summer)):
        assert correct(spring, [{"text": "Late"}]).data["supersedesVersion"] == 2
    assert minutes(spring)["items"][0]["text"] == CORRECTED[0]["text"]
    assert correction(spring).data["items"][0]["text"] == "Late"


def test_a_correction_that_changes_at_the_moment_of_the_approval_is_not_approved(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    correct(spring)
    circulate(spring)
    with meanwhile(lambda: correct(spring, [{"text": "Late"}])):
        assert reason(approve(spring, summer)) == (409, "MINUTES_CHANGED")
    with meanwhile(lambda: correct(spring, [{"text": "Later"}])):
        assert circulate(spring).data["version"] == 3
    assert version(spring, 3)["items"][0]["text"] == "Later"


def test_a_correction_at_the_moment_of_the_circulation_waits_for_the_next(spring: MeetingScenario) -> None:
    correct(spring)
    with meanwhile(lambda: circulate(spring)):
        assert correct(spring, [{"text": "Late"}]).data["version"] == 2
    assert version(spring, 2)["items"][0]["text"] == CORRECTED[0]["text"]


def test_a_person_who_is_merged_at_the_same_moment_is_named_no_more(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    anna = add(spring.board)
    body = {"items": ITEMS, "attendance": [{"unregisteredUserId": anna["id"], "present": "remote"}]}
    owner, path = spring.board.owner.client, f"{spring.path}/minutes/corrections"
    assert owner.post(path, body).status == 201
    circulate(spring)
    approve(spring, summer)
    with meanwhile(lambda: merge(spring, anna["id"])):
        refused = owner.post(path, {**body, "items": CORRECTED})
    assert refused.fields.keys() == {"attendance.0.unregisteredUserId"}


# -- who hears of it, and what else knows of it


def test_the_event_has_the_hash_and_is_logged(spring: MeetingScenario, summer: MeetingScenario) -> None:
    sha256 = approve_correction(spring, summer)["sha256"]
    (event,) = stored_events(spring.board, "minutes.corrected")
    assert event.refs == {"meetingId": id_of(spring)}
    assert event.details == {"version": 2, "sha256": sha256, "supersedesVersion": 1}
    proof = spring.board.owner.client.get(f"{spring.board.path}/audit/{event.id}/proof")
    assert (proof.status, proof.data["entryId"]) == (200, event.id)
    assert len(stored_events(spring.board, "minutes.approved")) == 1


@pytest.mark.usefixtures("outbox")
def test_the_members_are_told_of_the_number(spring: MeetingScenario, summer: MeetingScenario) -> None:
    gwen = spring.board.member("gwen", access_type="guest")
    approve_correction(spring, summer)
    assert process_records(event_records(spring.board.board_id)) == []
    told = [each["message"] for each in gwen.client.get("/api/notification/").json]
    assert any("a correction of the minutes of the meeting “Spring”. Its number is 2030-2." in each for each in told)


def test_a_merge_moves_the_attendance_in_an_open_correction(spring: MeetingScenario) -> None:
    anna = add(spring.board)
    body = {"items": CORRECTED, "attendance": [{"unregisteredUserId": anna["id"], "present": "remote"}]}
    assert spring.board.owner.client.post(f"{spring.path}/minutes/corrections", body).status == 201
    assert correction(spring).data["attendance"][0]["name"] == "Anna"
    assert merge(spring, anna["id"]).status == 200
    assert [entry["userId"] for entry in correction(spring).data["attendance"]] == [spring.board.owner.id]


def test_an_item_that_a_correction_names_stays_on_the_agenda(spring: MeetingScenario) -> None:
    owner = spring.board.owner.client
    item = owner.put(f"{spring.path}/agenda", {"items": [{"title": "Budget"}]}).data["items"][0]["id"]
    assert correct(spring, [{"text": "Approved.", "agendaItemId": item}]).status == 201
    postponed = owner.post(f"{spring.path}/agenda/items/{item}/postpone", {"to": "backlog"})
    assert reason(postponed) == (409, "IN_MINUTES")
