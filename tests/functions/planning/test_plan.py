"""The work plan: matters by months, and how they stand in a year (ADR planning)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from governance.usecases.cleanup import delete_leftovers
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.table_snapshot import TableSnapshot

YEAR, ABSENT = "2098", "0" * 24


def add(board: BoardScenario, by: Person | None = None, **members: Any) -> Any:
    body = {"title": "Accounts", "months": [3], **members}
    created = (by or board.owner).client.post(f"{board.path}/plan", body)
    assert created.status == 201, created.text
    return created.data


def meeting_on(board: BoardScenario, day: str, at: str = "09:00") -> MeetingScenario:
    meeting = new_meeting_scenario(board, title=day)
    assert meeting.patch(startTime=f"{day}T{at}:00.000Z").status == 200
    return meeting


def id_of(meeting: MeetingScenario) -> str:
    return meeting.path.rpartition("/")[2]


def place(board: BoardScenario, matter: Any, meeting: MeetingScenario) -> Response:
    return board.owner.client.post(f"{board.path}/plan/{matter['id']}/place", {"meetingId": id_of(meeting)})


def months(board: BoardScenario, matter: Any, year: str = YEAR, by: Person | None = None) -> list[dict[str, Any]]:
    shown = (by or board.owner).client.get(f"{board.path}/plan/years/{year}")
    assert shown.status == 200, shown.text
    (found,) = [entry["months"] for entry in shown.data["matters"] if entry["planItemId"] == matter["id"]]
    return list(found)


def statuses(board: BoardScenario, matter: Any, year: str = YEAR) -> dict[int, str]:
    return {entry["month"]: entry["status"] for entry in months(board, matter, year)}


def test_a_matter_is_added_read_changed_and_deleted(scenario: BoardScenario) -> None:
    client, ada = scenario.owner.client, scenario.member("ada")
    first = add(scenario, months=[9, 3, 9], ownerUserId=ada.id, source="Bylaws § 12", minutes=45, kind="decision")
    second = add(scenario, title="Budget")
    assert (first["months"], first["ownerUserId"], first["source"]) == ([3, 9], ada.id, "Bylaws § 12")
    assert client.all(f"{scenario.path}/plan") == [second, first]
    path = f"{scenario.path}/plan/{first['id']}"
    changed = client.patch(path, {"months": [4], "ownerUserId": None})
    assert (changed.status, changed.data["months"], changed.data["ownerUserId"]) == (200, [4], None)
    assert client.get(path).data == client.patch(path, {"months": [4]}).data == changed.data
    assert client.delete(path).status == 200
    assert client.get(path).status == client.delete(path).status == 404
    events = [len(stored_events(scenario, f"plan_item.{what}")) for what in ("created", "updated", "deleted")]
    assert events == [2, 1, 1]


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"title": ""}, "title"),
        ({"months": []}, "months"),
        ({"months": [13]}, "months.0"),
        ({"months": [1.5]}, "months.0"),
        ({"ownerUserId": ABSENT}, "ownerUserId"),
        ({"committeeId": ABSENT}, "committeeId"),
        ({"minutes": 601}, "minutes"),
        ({"source": "x" * 201}, "source"),
    ],
)
def test_what_a_matter_may_not_have_is_named_and_nothing_changes(
    scenario: BoardScenario, members: dict[str, Any], named: str
) -> None:
    matter, client = add(scenario), scenario.owner.client
    before = TableSnapshot()
    for refused in (
        client.post(f"{scenario.path}/plan", {"title": "T", "months": [1], **members}),
        client.patch(f"{scenario.path}/plan/{matter['id']}", members),
    ):
        assert refused.failure == (400, "INVALID_REQUEST_BODY")
        assert refused.fields.keys() == {named}
    assert "PLAN" not in str(before.changes())


def test_a_matter_of_a_committee_is_its_members_alone(scenario: BoardScenario) -> None:
    owner, ben = scenario.owner, scenario.member("ben")
    matter = add(scenario, committeeId=scenario.committee(owner))
    assert [entry["id"] for entry in owner.client.all(f"{scenario.path}/plan")] == [matter["id"]]
    assert ben.client.all(f"{scenario.path}/plan") == []
    assert ben.client.get(f"{scenario.path}/plan/{matter['id']}").status == 404
    assert ben.client.get(f"{scenario.path}/plan/years/{YEAR}").data["matters"] == []
    assert {event.committee_id for event in stored_events(scenario, "plan_item.created")} == {matter["committeeId"]}
    refused = scenario.owner.client.delete(f"{scenario.path}/committees/{matter['committeeId']}")
    assert refused.details == {"reason": "COMMITTEE_IN_USE"}


def test_who_leaves_owns_no_matter_and_their_matters_stay(scenario: BoardScenario) -> None:
    ada = scenario.member("ada")
    theirs, other = add(scenario, ownerUserId=ada.id), add(scenario, ownerUserId=scenario.owner.id)
    member = membership_id(scenario.board_id, ada.id)
    assert scenario.owner.client.delete(f"{scenario.path}/members/{member}").status == 200
    (event,) = stored_events(scenario, "member.removed")
    assert delete_leftovers(event)
    owners = {matter["id"]: matter["ownerUserId"] for matter in scenario.owner.client.all(f"{scenario.path}/plan")}
    assert owners == {theirs["id"]: None, other["id"]: scenario.owner.id}


# -- on agendas


def test_a_matter_is_placed_once_on_an_agenda_of_one_of_its_months(scenario: BoardScenario) -> None:
    matter = add(scenario, minutes=45, kind="decision", notes="N")
    march, april = meeting_on(scenario, f"{YEAR}-03-10"), meeting_on(scenario, f"{YEAR}-04-10")
    placed = place(scenario, matter, march)
    assert placed.status == 200, placed.text
    (item,) = placed.data["items"]
    assert [item[name] for name in ("title", "minutes", "kind", "notes")] == ["Accounts", 45, "decision", "N"]
    assert place(scenario, matter, march).data == placed.data
    assert len(stored_events(scenario, "agenda.updated")) == 1
    for other in (april, new_meeting_scenario(scenario, title="Without a start")):
        assert place(scenario, matter, other).fields.keys() == {"meetingId"}
    path = f"{scenario.path}/plan/{matter['id']}/place"
    assert scenario.owner.client.post(path, {"meetingId": ABSENT}).fields.keys() == {"meetingId"}
    march.finalize()
    assert place(scenario, matter, march).details == {"reason": "MEETING_FINALIZED"}


def test_a_matter_is_planned_then_on_an_agenda_then_done(scenario: BoardScenario) -> None:
    matter = add(scenario, months=[3, 9])
    assert statuses(scenario, matter) == {3: "planned", 9: "planned"}
    meeting = meeting_on(scenario, f"{YEAR}-03-10")
    (item,) = place(scenario, matter, meeting).data["items"]
    march, _ = months(scenario, matter)
    shown = {"month": 3, "status": "on_agenda", "meetingId": id_of(meeting), "agendaItemId": item["id"]}
    assert march == shown
    assert meeting.patch(status="in_progress").status == 200
    minutes = {"items": [{"agendaItemId": item["id"], "text": "Approved"}]}
    assert scenario.owner.client.put(f"{meeting.path}/minutes", minutes).status == 200
    assert statuses(scenario, matter)[3] == "on_agenda", "the meeting still runs"
    assert meeting.patch(status="completed").status == 200
    assert statuses(scenario, matter) == {3: "done", 9: "planned"}
    (entry,) = scenario.owner.client.get(f"{meeting.path}/minutes").data["items"]
    for audience, status in (({"userIds": [scenario.owner.id]}, "on_agenda"), (None, "done")):
        minutes = {"items": [{**minutes["items"][0], "id": entry["id"], "audience": audience}]}
        assert scenario.owner.client.put(f"{meeting.path}/minutes", minutes).status == 200
        assert statuses(scenario, matter) == {3: status, 9: "planned"}, "what is in camera says nothing"
    assert statuses(scenario, matter, "2097") == {3: "planned", 9: "planned"}


def test_a_month_that_is_over_without_it_was_missed(scenario: BoardScenario) -> None:
    matter = add(scenario, months=[3, 4])
    meeting = meeting_on(scenario, "2021-03-10")
    assert place(scenario, matter, meeting).status == 200
    march, april = months(scenario, matter, "2021")
    assert (march["status"], march["meetingId"]) == ("missed", id_of(meeting))
    assert (april["status"], april["meetingId"]) == ("missed", None)


def test_the_first_meeting_of_a_month_counts_in_its_own_zone(scenario: BoardScenario) -> None:
    matter = add(scenario, months=[3])
    later, earlier = meeting_on(scenario, f"{YEAR}-03-20"), meeting_on(scenario, f"{YEAR}-03-02")
    for meeting in (later, earlier):
        assert place(scenario, matter, meeting).status == 200
    assert months(scenario, matter)[0]["meetingId"] == id_of(earlier)
    assert earlier.patch(startTime=f"{YEAR}-04-02T09:00:00Z").status == 200
    assert months(scenario, matter)[0]["meetingId"] == id_of(later)
    assert scenario.owner.client.put(f"{later.path}/cancellation", {}).status == 200
    assert months(scenario, matter)[0]["status"] == "planned", "a cancelled meeting treats nothing"
    new_year = new_meeting_scenario(scenario, title="New year")
    slot = new_year.slot(start=f"{int(YEAR) + 1}-01-01T02:00:00Z", timezone="America/New_York")
    assert new_year.confirm(slot).status == 200
    december = add(scenario, title="Closing", months=[12])
    assert place(scenario, december, new_year).status == 200
    assert months(scenario, december)[0]["status"] == "on_agenda"


def test_the_status_of_a_matter_moves_with_its_item(scenario: BoardScenario) -> None:
    matter = add(scenario, months=[3, 4])
    march, april = meeting_on(scenario, f"{YEAR}-03-10"), meeting_on(scenario, f"{YEAR}-04-10")
    (item,) = place(scenario, matter, march).data["items"]
    postpone = f"agenda/items/{item['id']}/postpone"
    assert scenario.owner.client.post(f"{march.path}/{postpone}", {"to": "backlog"}).status == 200
    assert statuses(scenario, matter) == {3: "planned", 4: "planned"}
    body = {"meetingId": id_of(april)}
    assert scenario.owner.client.post(f"{scenario.path}/backlog/{item['id']}/place", body).status == 200
    assert statuses(scenario, matter) == {3: "planned", 4: "on_agenda"}
    renamed = {"items": [{"id": item["id"], "title": "Renamed"}]}
    assert scenario.owner.client.put(f"{april.path}/agenda", renamed).status == 200
    assert statuses(scenario, matter)[4] == "on_agenda"
    assert scenario.owner.client.delete(april.path).status == 200
    assert statuses(scenario, matter)[4] == "planned"


def test_a_matter_on_a_draft_shows_to_its_creator_alone(scenario: BoardScenario) -> None:
    ada, matter = scenario.member("ada"), add(scenario)
    body = {"title": "Draft", "status": "draft", "startTime": f"{YEAR}-03-10T09:00:00Z"}
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", body).data["id"]
    placed = scenario.owner.client.post(f"{scenario.path}/plan/{matter['id']}/place", {"meetingId": draft})
    assert placed.status == 200
    assert months(scenario, matter)[0]["status"] == "on_agenda"
    assert months(scenario, matter, by=ada)[0]["status"] == "planned"


@pytest.mark.parametrize("year", ["0", "98", "3000", "20270", "2o27", "-2027"])
def test_what_is_no_year_is_not_found(scenario: BoardScenario, year: str) -> None:
    assert scenario.owner.client.get(f"{scenario.path}/plan/years/{year}").status == 404


def test_a_meeting_at_the_end_of_the_calendar_is_in_a_month_too(scenario: BoardScenario) -> None:
    meeting, matter = new_meeting_scenario(scenario), add(scenario, months=[12])
    meeting.confirm(meeting.slot("9999-12-31T20:00:00.000Z", timezone="Asia/Tokyo", durationInMinutes=15))
    assert place(scenario, matter, meeting).status == 200
