"""Minutes are circulated as versions that nothing changes, which every member reads (ADR minutes)."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
import rfc8785

from governance.store.schema.minutes import MINUTES
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.fault_injection import meanwhile
from tests.harness.history import event_items
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario, stored_events
from tests.harness.outbox import Outbox, text_of
from tests.harness.people import add
from tests.harness.stream import deliver, event_records, process_records


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    """Returns a completed meeting that has minutes."""
    completed = new_meeting_scenario(scenario)
    assert completed.patch(status="completed").status == 200
    assert put(completed, items=[{"text": "Budget approved."}]).status == 200
    return completed


def put(meeting: MeetingScenario, **members: Any) -> Response:
    return meeting.board.owner.client.put(f"{meeting.path}/minutes", members)


def circulate(meeting: MeetingScenario, client: Client | None = None, **members: Any) -> Response:
    return (client or meeting.board.owner.client).post(f"{meeting.path}/minutes/circulation", members)


def approval(meeting: MeetingScenario, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).get(f"{meeting.path}/minutes/approval")


def version(meeting: MeetingScenario, number: int | str = 1, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).get(f"{meeting.path}/minutes/versions/{number}")


def versions(meeting: MeetingScenario, client: Client | None = None, **query: Any) -> list[dict[str, Any]]:
    listed = (client or meeting.board.owner.client).get(f"{meeting.path}/minutes/versions", **query)
    assert listed.status == 200, listed.text
    data: list[dict[str, Any]] = listed.data
    return data


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.json["error"]["details"]["reason"]


# -- what a version is


def test_a_circulation_fixes_what_was_written(meeting: MeetingScenario) -> None:
    written = meeting.board.owner.client.get(f"{meeting.path}/minutes").data
    until = from_now(days=3)
    circulated = circulate(meeting, remarksUntil=until)
    assert circulated.status == 201, circulated.text
    fixed = version(meeting).data
    assert fixed == {
        "object": "minutes_version",
        "meetingId": written["meetingId"],
        "version": 1,
        "sha256": fixed["sha256"],
        "circulatedAt": fixed["circulatedAt"],
        "circulatedByUserId": meeting.board.owner.id,
        "attendance": [],
        "items": [{name: item[name] for name in item.keys() - {"audience", "withheld"}} for item in written["items"]],
        "inCamera": [],
        "createdAt": written["createdAt"],
    }
    assert circulated.data == {
        "object": "minutes_approval",
        "meetingId": written["meetingId"],
        "status": "circulated",
        "version": 1,
        "sha256": fixed["sha256"],
        "circulatedAt": fixed["circulatedAt"],
        "remarksUntil": until,
        "approvedAt": None,
        "approvedByUserId": None,
        "inMeetingId": None,
        "resolutionId": None,
        "manner": None,
        "number": None,
        "supersedesVersion": None,
        "supersededByVersion": None,
        "signatures": [],
        "createdAt": fixed["circulatedAt"],
        "updatedAt": fixed["circulatedAt"],
    }
    assert approval(meeting).data == circulated.data


def test_anybody_recomputes_the_hash_from_the_version(meeting: MeetingScenario) -> None:
    anna = add(meeting.board)["id"]
    attendance = [
        {"userId": meeting.board.owner.id, "present": "remote"},
        {"unregisteredUserId": anna, "present": "in_person"},
        {"name": "Zoë 😀", "present": "absent"},
    ]
    assert put(meeting, attendance=attendance, items=[{"text": 'A "quoted"\nline'}]).status == 200
    circulate(meeting)
    fixed = version(meeting).data
    hashed = {name: fixed[name] for name in ("attendance", "createdAt", "items", "meetingId")}
    assert hashlib.sha256(rfc8785.dumps(hashed)).hexdigest() == fixed["sha256"]


def test_items_keep_their_ids_and_a_client_invents_none(meeting: MeetingScenario) -> None:
    (first,) = meeting.board.owner.client.get(f"{meeting.path}/minutes").data["items"]
    changed = put(meeting, items=[{"text": "New"}, {"id": first["id"], "text": "Kept"}]).data["items"]
    assert [entry["id"] == first["id"] for entry in changed] == [False, True]
    twice, unknown = {"id": first["id"], "text": "T"}, {"id": "0" * 24, "text": "T"}
    refused = put(meeting, items=[twice, twice, unknown])
    assert refused.fields.keys() == {"items.1.id", "items.2.id"}


def test_items_of_earlier_releases_have_the_same_ids_at_each_reading(meeting: MeetingScenario) -> None:
    board_id, meeting_id = meeting.board.board_id, meeting.path.rpartition("/")[2]
    key = MINUTES.key_for(boardId=board_id, meetingId=meeting_id)
    entry: dict[str, Any] = {
        "agendaItemId": None,
        "text": "Old",
        "decision": None,
        "resolutionId": None,
        "actionItemIds": [],
    }
    transact([Put({**(read_one(key) or {}), "items": [entry, entry]})])
    read = meeting.board.owner.client.get(f"{meeting.path}/minutes").data["items"]
    circulate(meeting)
    ids = [each["id"] for each in read]
    assert [each["id"] for each in version(meeting).data["items"]] == ids
    assert len(set(ids)) == 2
    assert put(meeting, items=[{"id": ids[1], "text": "Kept"}]).data["items"][0]["id"] == ids[1]


# -- what follows from a change


def test_a_changed_draft_leaves_the_version_and_the_status(meeting: MeetingScenario) -> None:
    circulate(meeting)
    before, told = version(meeting).data, approval(meeting).data
    assert put(meeting, items=[{"text": "Budget rejected."}]).status == 200
    assert (version(meeting).data, approval(meeting).data) == (before, told)
    assert circulate(meeting).data["version"] == 2
    assert [each["items"][0]["text"] for each in versions(meeting)] == ["Budget rejected.", "Budget approved."]
    assert [each["version"] for each in versions(meeting, order="asc")] == [1, 2]
    assert version(meeting).data == before


def test_the_versions_are_paged(meeting: MeetingScenario) -> None:
    for number in range(3):
        put(meeting, items=[{"text": str(number)}])
        circulate(meeting)
    path = f"{meeting.path}/minutes/versions"
    first = meeting.board.owner.client.get(path, limit=2).json
    rest = meeting.board.owner.client.get(path, limit=2, cursor=first["meta"]["nextCursor"]).json
    assert [[each["version"] for each in page["data"]] for page in (first, rest)] == [[3, 2], [1]]
    assert not rest["meta"]["hasMore"]


def test_circulating_again_without_a_change_makes_no_version(meeting: MeetingScenario) -> None:
    first = circulate(meeting).data
    assert circulate(meeting).data == first
    assert len(stored_events(meeting.board, "minutes.circulated")) == 1
    until = from_now(days=1)
    extended = circulate(meeting, remarksUntil=until).data
    assert extended == {**first, "remarksUntil": until, "updatedAt": extended["updatedAt"]}
    assert len(versions(meeting)) == 1
    assert len(stored_events(meeting.board, "minutes.circulated")) == 2


def test_what_is_written_at_the_same_moment_is_in_the_version(meeting: MeetingScenario) -> None:
    with meanwhile(lambda: put(meeting, items=[{"text": "In time"}])):
        assert circulate(meeting).status == 201
    assert version(meeting).data["items"][0]["text"] == "In time"


def test_two_circulations_at_the_same_moment_make_one_version(meeting: MeetingScenario) -> None:
    with meanwhile(lambda: circulate(meeting)):
        assert circulate(meeting).data["version"] == 1
    assert len(versions(meeting)) == 1


def test_final_minutes_are_circulated_too_and_finalizing_makes_no_version(meeting: MeetingScenario) -> None:
    first = circulate(meeting).data
    assert meeting.patch(status="finalized").status == 200
    assert circulate(meeting).data == first


# -- what is refused


def test_only_what_is_over_is_circulated(scenario: BoardScenario) -> None:
    running = new_meeting_scenario(scenario)
    assert circulate(running).failure == (404, "RESOURCE_NOT_FOUND")
    assert approval(running).failure == (404, "RESOURCE_NOT_FOUND")
    running.patch(status="in_progress")
    put(running, items=[{"text": "T"}])
    assert reason(circulate(running)) == (409, "INVALID_TRANSITION")
    assert approval(running).data["status"] == "draft"
    assert approval(running).data["version"] is None


def test_remarks_end_in_the_future(meeting: MeetingScenario) -> None:
    assert circulate(meeting, remarksUntil="2020-01-01T00:00:00Z").fields.keys() == {"remarksUntil"}


def test_collaborators_and_tokens_circulate_nothing(meeting: MeetingScenario) -> None:
    for client in (meeting.board.member("ada").client, meeting.board.token()):
        assert circulate(meeting, client).failure == (403, "FORBIDDEN")
    assert versions(meeting) == []


def test_what_was_circulated_is_not_deleted_nor_its_meeting(meeting: MeetingScenario) -> None:
    circulate(meeting)
    owner = meeting.board.owner.client
    assert reason(owner.delete(f"{meeting.path}/minutes")) == (409, "IN_USE")
    assert reason(owner.delete(meeting.path)) == (409, "IN_USE")
    assert approval(meeting).status == 200


@pytest.mark.parametrize("suffix", ["", "/minutes"])
def test_what_is_circulated_at_the_same_moment_is_not_deleted(meeting: MeetingScenario, suffix: str) -> None:
    with meanwhile(lambda: circulate(meeting)):
        assert reason(meeting.board.owner.client.delete(f"{meeting.path}{suffix}")) == (409, "IN_USE")
    assert version(meeting).status == 200


@pytest.mark.parametrize("number", ["0", "2", "01", "-1", "x", "1.0", "99999", "\u0661"])
def test_a_version_that_does_not_exist_is_not_found(meeting: MeetingScenario, number: str) -> None:
    circulate(meeting)
    assert version(meeting, number).failure == (404, "RESOURCE_NOT_FOUND")


# -- who reads and hears of it


def test_guests_read_what_was_circulated_and_not_the_draft(meeting: MeetingScenario) -> None:
    gwen = meeting.board.member("gwen", access_type="guest").client
    assert approval(meeting, gwen).status == 404
    assert versions(meeting, gwen) == []
    circulate(meeting)
    put(meeting, items=[{"text": "Later"}])
    assert version(meeting, 1, gwen).data["items"][0]["text"] == "Budget approved."
    assert versions(meeting, gwen) == [version(meeting).data]
    assert approval(meeting, gwen).data == approval(meeting).data
    assert gwen.get(f"{meeting.path}/minutes").status == 404


def test_the_event_has_ids_and_the_version_alone_and_is_logged(meeting: MeetingScenario) -> None:
    circulate(meeting, remarksUntil=from_now(days=1))
    (event,) = stored_events(meeting.board, "minutes.circulated")
    assert (event.refs, event.details) == ({"meetingId": meeting.path.rpartition("/")[2]}, {"version": 1})
    proof = meeting.board.owner.client.get(f"{meeting.board.path}/audit/{event.id}/proof")
    assert (proof.status, proof.data["entryId"]) == (200, event.id)


def test_the_members_are_told_what_to_do_and_until_when(meeting: MeetingScenario, outbox: Outbox) -> None:
    gwen = meeting.board.member("gwen", access_type="guest")
    circulate(meeting, remarksUntil="2099-05-04T10:00:00Z")
    assert process_records(event_records(meeting.board.board_id)) == []
    (told,) = [each for each in gwen.client.get("/api/notification/").json if each["type"] == "minutes_circulated"]
    assert "asks you to read the minutes of the meeting “Spring”. Remarks are welcome until" in told["message"]
    assert told["meetingLink"] == f"/boards/{meeting.board.board_id}/meetings/{meeting.path.rpartition('/')[2]}"
    (mail,) = [text_of(mail) for mail in outbox.mails if gwen.email in str(mail["To"]) and "minutes" in text_of(mail)]
    assert "Read the minutes" in mail
    own = meeting.board.owner.client.get("/api/notification/").json
    assert "minutes_circulated" not in [each["type"] for each in own]


def test_a_board_that_is_deleted_leaves_no_event_of_its_minutes_that_does_not_expire(meeting: MeetingScenario) -> None:
    circulate(meeting)
    board_id = meeting.board.board_id
    assert [event["type"] for event in event_items(board_id) if "ttl" not in event] == ["minutes.circulated"]
    assert meeting.board.owner.client.delete(meeting.board.path).status == 200
    deliver(*stored_events(meeting.board, "board.deleted"))
    assert [event["type"] for event in event_items(board_id) if "ttl" not in event] == []
