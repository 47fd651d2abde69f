"""Circulated minutes are approved by a later meeting or by a resolution, get a number and stay (ADR minutes)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario, stored_events
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot

ITEMS: list[dict[str, Any]] = [{"text": "Budget approved."}]
SPRING, SUMMER = "2030-03-05T09:00:00.000Z", "2030-06-04T09:00:00.000Z"
AS_PRESENTED = "Minutes of “Spring” (Tuesday, 5 March 2030) approved as presented"


def held(scenario: BoardScenario, start: str | None = SPRING, status: str = "completed") -> MeetingScenario:
    """Returns a meeting that has begun."""
    meeting = new_meeting_scenario(scenario)
    assert meeting.patch(startTime=start).status == 200
    assert meeting.patch(status=status).status == 200
    return meeting


def circulated(scenario: BoardScenario, start: str | None = SPRING) -> MeetingScenario:
    """Returns a completed meeting whose minutes were circulated."""
    meeting = held(scenario, start)
    put(meeting, ITEMS)
    assert meeting.board.owner.client.post(f"{meeting.path}/minutes/circulation").status == 201
    return meeting


@pytest.fixture
def spring(scenario: BoardScenario) -> MeetingScenario:
    """Returns a completed meeting whose minutes were circulated."""
    return circulated(scenario)


@pytest.fixture
def summer(scenario: BoardScenario) -> MeetingScenario:
    """Returns a later meeting, which is in progress."""
    return held(scenario, SUMMER, "in_progress")


def id_of(meeting: MeetingScenario) -> str:
    return meeting.path.rpartition("/")[2]


def put(meeting: MeetingScenario, items: list[dict[str, Any]]) -> Response:
    return meeting.board.owner.client.put(f"{meeting.path}/minutes", {"items": items})


def items_of(meeting: MeetingScenario) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = meeting.board.owner.client.get(f"{meeting.path}/minutes").data["items"]
    return items


def approve(
    meeting: MeetingScenario, by: MeetingScenario | None = None, client: Client | None = None, **members: Any
) -> Response:
    body = {"manner": "as_presented", **({"inMeetingId": id_of(by)} if by else {}), **members}
    return (client or meeting.board.owner.client).post(f"{meeting.path}/minutes/approval", body)


def reason(response: Response) -> tuple[int, str]:
    return response.status, response.json["error"]["details"]["reason"]


def resolved(scenario: BoardScenario, choice: str = "for") -> str:
    """Returns the id of a resolution on which the owner alone has decided."""
    client, path = scenario.owner.client, f"{scenario.path}/resolutions"
    made = client.post(path, {"title": "Minutes", "text": "Approve them.", "closesAt": from_now(days=3)})
    assert made.status == 201, made.text
    one = f"{path}/{made.data['id']}"
    assert client.post(f"{one}/open").status == 200
    assert client.put(f"{one}/ballot", {"choice": choice}).status == 200
    assert client.post(f"{one}/close").status == 200
    resolution_id: str = made.data["id"]
    return resolution_id


# -- what an approval does


def test_a_later_meeting_approves_minutes_which_are_final_then(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    owner = spring.board.owner
    before = owner.client.get(f"{spring.path}/minutes/approval").data
    answered = approve(spring, summer)
    assert answered.status == 200, answered.text
    assert answered.data == {
        **before,
        "status": "approved",
        "approvedAt": answered.data["approvedAt"],
        "approvedByUserId": owner.id,
        "inMeetingId": id_of(summer),
        "manner": "as_presented",
        "number": "2030-1",
        "updatedAt": answered.data["approvedAt"],
    }
    assert owner.client.get(f"{spring.path}/minutes/approval").data == answered.data
    minutes = owner.client.get(f"{spring.path}/minutes").data
    assert (minutes["status"], minutes["quorum"]) == ("final", {"present": 0, "members": 1})
    assert [item["text"] for item in items_of(summer)] == [AS_PRESENTED]
    assert reason(put(spring, [])) == (409, "MINUTES_APPROVED")
    assert reason(owner.client.post(f"{spring.path}/minutes/circulation")) == (409, "MINUTES_APPROVED")
    assert reason(approve(spring, summer)) == (409, "MINUTES_APPROVED")


def test_finalizing_the_meeting_later_leaves_approved_minutes_as_they_are(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    approve(spring, summer)
    spring.board.member("ada")
    before = spring.board.owner.client.get(f"{spring.path}/minutes").data
    assert spring.patch(status="finalized").status == 200
    assert spring.board.owner.client.get(f"{spring.path}/minutes").data == before
    told = [event.delivery_data.get("told") for event in stored_events(spring.board, "meeting.status_changed")]
    assert "minutes" not in told


def test_the_entry_is_in_the_language_of_who_recorded_it(spring: MeetingScenario, summer: MeetingScenario) -> None:
    assert spring.board.owner.client.patch("/api/v1/me", {"language": "de"}).status == 200
    approve(spring, summer, manner="as_changed")
    assert (
        items_of(summer)[0]["text"]
        == "Protokoll der Sitzung „Spring“ (Dienstag, 5. März 2030) mit Änderungen genehmigt"
    )


def test_an_entry_stays_in_its_place_whatever_a_put_says(spring: MeetingScenario, summer: MeetingScenario) -> None:
    put(summer, [{"text": "First"}])
    approve(spring, summer)
    first, entry = items_of(summer)
    assert [item["text"] for item in put(summer, [{"text": "New"}, {"text": "Last"}]).data["items"]] == [
        "New",
        AS_PRESENTED,
        "Last",
    ]
    moved = put(summer, [{**entry, "text": "Never approved"}, {"text": "After"}]).data["items"]
    assert [(item["id"] == entry["id"], item["text"]) for item in moved] == [(True, AS_PRESENTED), (False, "After")]
    assert put(summer, []).data["items"] == [entry]
    owner = spring.board.owner.client
    assert reason(owner.delete(f"{summer.path}/minutes")) == (409, "IN_USE")
    assert reason(owner.delete(summer.path)) == (409, "IN_USE")
    assert first["text"] == "First"


def test_the_approving_meeting_is_not_deleted_at_the_same_moment(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    with meanwhile(lambda: approve(spring, summer)):
        assert reason(spring.board.owner.client.delete(summer.path)) == (409, "IN_USE")


def test_numbers_have_no_gaps_and_are_of_the_year_of_the_meeting(
    scenario: BoardScenario, summer: MeetingScenario
) -> None:
    in_spring = [circulated(scenario) for _ in range(2)]
    earlier = circulated(scenario, "2029-12-31T23:30:00+01:00")
    with meanwhile(lambda: approve(in_spring[0], summer)):
        assert approve(in_spring[1], summer).data["number"] == "2030-2"
    assert approve(earlier, summer).data["number"] == "2029-1"
    assert len(items_of(summer)) == 3


def test_a_carried_resolution_approves_minutes_of_a_meeting_without_a_start(scenario: BoardScenario) -> None:
    meeting, carried = circulated(scenario, None), resolved(scenario)
    answered = approve(meeting, resolutionId=carried).data
    created = scenario.owner.client.get(meeting.path).data["createdAt"]
    assert (answered["resolutionId"], answered["inMeetingId"]) == (carried, None)
    assert answered["number"] == f"{created[:4]}-1"


def test_two_approvals_at_once_give_one_number(spring: MeetingScenario, summer: MeetingScenario) -> None:
    with meanwhile(lambda: approve(spring, summer)):
        assert reason(approve(spring, summer)) == (409, "MINUTES_APPROVED")
    assert len(items_of(summer)) == 1
    assert len(stored_events(spring.board, "minutes.approved")) == 1


def test_a_refused_approval_changes_nothing(spring: MeetingScenario, summer: MeetingScenario) -> None:
    assert summer.patch(status="scheduled").status == 200
    before = TableSnapshot().items
    assert reason(approve(spring, summer)) == (409, "INVALID_TRANSITION")
    assert TableSnapshot().items == before


# -- what is refused


def test_what_was_written_after_the_circulation_is_not_approved(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    with meanwhile(lambda: put(spring, [{"text": "Late"}])):
        assert reason(approve(spring, summer)) == (409, "MINUTES_CHANGED")
    spring.board.owner.client.post(f"{spring.path}/minutes/circulation")
    assert approve(spring, summer).data["version"] == 2


def test_what_is_written_at_the_moment_of_an_approval_comes_too_late(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    assert spring.patch(status="finalized").status == 200
    with meanwhile(lambda: approve(spring, summer)):
        assert reason(put(spring, [{"text": "Late"}])) == (409, "MINUTES_APPROVED")


def test_only_what_was_circulated_is_approved(scenario: BoardScenario, summer: MeetingScenario) -> None:
    draft = held(scenario)
    assert approve(draft, summer).failure == (404, "RESOURCE_NOT_FOUND")
    put(draft, ITEMS)
    assert reason(approve(draft, summer)) == (409, "NOT_CIRCULATED")


def test_open_remarks_on_the_newest_version_stop_an_approval(spring: MeetingScenario, summer: MeetingScenario) -> None:
    owner, remarks = spring.board.owner.client, f"{spring.path}/minutes/remarks"
    owner.post(remarks, {"version": 1, "text": "On an earlier version"})
    put(spring, [*ITEMS, *ITEMS])
    owner.post(f"{spring.path}/minutes/circulation")
    with meanwhile(lambda: owner.post(remarks, {"version": 2, "text": "Not so"})):
        assert reason(approve(spring, summer)) == (409, "REMARKS_OPEN")
    made = owner.get(remarks).data[-1]["id"]
    owner.put(f"{remarks}/{made}/disposition", {"disposition": "noted"})
    assert approve(spring, summer).status == 200
    assert reason(owner.post(remarks, {"version": 2, "text": "Late"})) == (409, "REMARKS_CLOSED")


def test_a_remark_at_the_moment_of_an_approval_comes_too_late(spring: MeetingScenario, summer: MeetingScenario) -> None:
    owner, remarks = spring.board.owner.client, f"{spring.path}/minutes/remarks"
    owner.post(remarks, {"version": 1, "text": "Open"})
    with meanwhile(lambda: approve(spring, summer, force=True)):
        assert reason(owner.post(remarks, {"version": 1, "text": "Late"})) == (409, "REMARKS_CLOSED")


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({}, "inMeetingId"),
        ({"inMeetingId": "0" * 24, "resolutionId": "0" * 24}, "resolutionId"),
        ({"inMeetingId": "0" * 24}, "inMeetingId"),
    ],
)
def test_an_approval_names_one_meeting_or_resolution(
    spring: MeetingScenario, members: dict[str, str], named: str
) -> None:
    assert approve(spring, None, None, **members).fields.keys() == {named}


@pytest.mark.parametrize("start", [None, SPRING, "2030-03-05T08:59:59Z"])
def test_only_a_later_meeting_approves(scenario: BoardScenario, spring: MeetingScenario, start: str | None) -> None:
    assert approve(spring, held(scenario, start)).fields.keys() == {"inMeetingId"}


def test_minutes_of_a_meeting_without_a_start_have_no_later_one(
    scenario: BoardScenario, summer: MeetingScenario
) -> None:
    assert approve(circulated(scenario, None), summer).fields.keys() == {"inMeetingId"}


def test_a_finalized_meeting_approves_as_long_as_its_minutes_are_not_approved(
    scenario: BoardScenario, spring: MeetingScenario
) -> None:
    without = held(scenario, SUMMER)
    assert without.patch(status="finalized").status == 200
    assert reason(approve(spring, without)) == (409, "MEETING_FINALIZED")
    summer = circulated(scenario, SUMMER)
    assert summer.patch(status="finalized").status == 200
    autumn = held(scenario, "2030-09-03T09:00:00Z")
    other = circulated(scenario)
    assert approve(spring, summer).status == 200
    assert summer.board.owner.client.post(f"{summer.path}/minutes/circulation").data["version"] == 2
    assert approve(summer, autumn).status == 200
    assert reason(approve(other, summer)) == (409, "MINUTES_APPROVED")


def test_circulated_minutes_of_a_finalized_meeting_change_until_they_are_approved(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    assert spring.patch(status="finalized").status == 200
    changed = put(spring, [{"text": "Corrected"}])
    assert (changed.status, changed.data["status"]) == (200, "final")
    spring.board.owner.client.post(f"{spring.path}/minutes/circulation")
    approve(spring, summer)
    assert reason(put(spring, [])) == (409, "MINUTES_APPROVED")


def test_a_resolution_that_is_not_carried_or_not_visible_approves_nothing(spring: MeetingScenario) -> None:
    owner = spring.board.owner.client
    rejected = resolved(spring.board, "against")
    draft = owner.post(f"{spring.board.path}/resolutions", {"title": "T", "text": "T"}).data["id"]
    for resolution_id in (rejected, draft, "0" * 24):
        assert approve(spring, resolutionId=resolution_id).fields.keys() == {"resolutionId"}


def test_collaborators_and_tokens_approve_nothing(spring: MeetingScenario, summer: MeetingScenario) -> None:
    for client in (spring.board.member("ada").client, spring.board.token()):
        assert approve(spring, summer, client).failure == (403, "FORBIDDEN")


# -- who hears of it


def test_the_event_has_the_hash_and_is_logged(spring: MeetingScenario, summer: MeetingScenario) -> None:
    sha256 = approve(spring, summer).data["sha256"]
    (event,) = stored_events(spring.board, "minutes.approved")
    assert (event.refs, event.details) == ({"meetingId": id_of(spring)}, {"version": 1, "sha256": sha256})
    proof = spring.board.owner.client.get(f"{spring.board.path}/audit/{event.id}/proof")
    assert (proof.status, proof.data["entryId"]) == (200, event.id)


def test_the_members_are_told_of_the_number(spring: MeetingScenario, summer: MeetingScenario, outbox: Outbox) -> None:
    gwen = spring.board.member("gwen", access_type="guest")
    approve(spring, summer)
    assert process_records(event_records(spring.board.board_id)) == []
    (told,) = [each for each in gwen.client.get("/api/notification/").json if each["type"] == "minutes_approved"]
    assert "recorded the approval of the minutes of the meeting “Spring”. Their number is 2030-1." in told["message"]
    assert told["meetingLink"] == f"/boards/{spring.board.board_id}/meetings/{id_of(spring)}"
    assert any("2030-1" in text_of(mail) for mail in outbox.mails if gwen.email in str(mail["To"]))


# -- on agendas


def test_one_press_puts_what_waits_for_its_approval_on_an_agenda_once(
    spring: MeetingScenario, summer: MeetingScenario
) -> None:
    owner, agenda = spring.board.owner.client, f"{summer.path}/agenda"
    held(spring.board)
    circulated(spring.board, "2030-09-03T09:00:00Z")
    added = owner.post(f"{agenda}/approvals")
    assert added.status == 200, added.text
    (item,) = added.data["items"]
    assert (item["title"], item["kind"]) == ("Approval of the minutes of “Spring” (Tuesday, 5 March 2030)", "approval")
    assert owner.put(agenda, {"items": [{"id": item["id"], "title": "Last minutes", "kind": "approval"}]}).status == 200
    assert len(owner.post(f"{agenda}/approvals").data["items"]) == 1
    approve(spring, summer)
    assert items_of(summer)[0]["agendaItemId"] == item["id"]
    autumn = held(spring.board, "2031-01-07T09:00:00Z", "scheduled")
    (other,) = owner.post(f"{autumn.path}/agenda/approvals").data["items"]
    assert "3 September 2030" in other["title"]
