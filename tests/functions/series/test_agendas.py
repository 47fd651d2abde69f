"""The agenda of an occurrence: template, work plan, backlog, and what the one before left open, in this order."""

from __future__ import annotations

from typing import Any

from tests.functions.series.conftest import series_path
from tests.harness.board_scenario import BoardScenario, Person

FIRST, SECOND, THIRD = "2098-01-07T09:00", "2098-02-04T09:00", "2098-03-04T09:00"


def made(person: Person, path: str, body: dict[str, Any]) -> str:
    created = person.client.post(path, body)
    assert created.status == 201, created.text
    return str(created.data["id"])


def opened(manager: Person, series: str, key: str = FIRST) -> str:
    return made(manager, f"{series}/occurrences/{key}/open", {})


def titles(scenario: BoardScenario, manager: Person, meeting_id: str) -> list[str]:
    agenda = manager.client.get(f"{scenario.path}/meetings/{meeting_id}/agenda").data
    return [item["title"] for item in agenda["items"]]


def backlog(scenario: BoardScenario, person: Person) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = person.client.get(f"{scenario.path}/backlog").data
    return listed


def test_an_occurrence_begins_with_template_plan_backlog_and_what_was_left_open(
    scenario: BoardScenario, manager: Person
) -> None:
    items = [{"title": "Of each"}, {"title": "Of February", "months": [2]}]
    template = made(manager, f"{scenario.path}/agenda-templates", {"name": "T", "items": items})
    series = series_path(scenario, manager, templateId=template)
    earlier = opened(manager, series)
    assert titles(scenario, manager, earlier) == ["Of each"]
    for status in ("in_progress", "completed"):
        assert manager.client.patch(f"{scenario.path}/meetings/{earlier}", {"status": status}).status == 200
    made(manager, f"{scenario.path}/plan", {"title": "Due in February", "months": [2]})
    made(manager, f"{scenario.path}/plan", {"title": "Due in March", "months": [3]})
    made(manager, f"{scenario.path}/backlog", {"title": "Waiting"})
    later = opened(manager, series, SECOND)
    expected = ["Of each", "Of February", "Due in February", "Waiting", "Of each"]
    assert titles(scenario, manager, later) == expected
    assert backlog(scenario, manager) == []
    (matter, _) = manager.client.get(f"{scenario.path}/plan/years/2098").data["matters"]
    assert [(month["status"], month["meetingId"]) for month in matter["months"]] == [("on_agenda", later)]


def test_what_waits_for_another_series_or_a_committee_stays(scenario: BoardScenario, manager: Person) -> None:
    series, other = series_path(scenario, manager), series_path(scenario, manager, title="Other")
    own = {"title": "Of this series", "seriesId": series.rpartition("/")[2]}
    made(manager, f"{scenario.path}/backlog", own)
    made(manager, f"{scenario.path}/backlog", {"title": "Of another", "seriesId": other.rpartition("/")[2]})
    committee = scenario.committee(manager)
    made(manager, f"{scenario.path}/backlog", {"title": "Of the committee", "committeeId": committee})
    assert titles(scenario, manager, opened(manager, series)) == ["Of this series"]
    assert {item["title"] for item in backlog(scenario, manager)} == {"Of another", "Of the committee"}
    audit = series_path(scenario, manager, title="Audit", committeeId=committee)
    assert titles(scenario, manager, opened(manager, audit)) == ["Of the committee"]


def test_what_has_no_room_on_the_agenda_waits_for_the_next_occurrence(scenario: BoardScenario, manager: Person) -> None:
    items = [{"title": f"Item {number}"} for number in range(100)]
    template = made(manager, f"{scenario.path}/agenda-templates", {"name": "Full", "items": items})
    series = series_path(scenario, manager, templateId=template)
    made(manager, f"{scenario.path}/plan", {"title": "Due in January", "months": [1]})
    made(manager, f"{scenario.path}/backlog", {"title": "Waiting"})
    assert len(titles(scenario, manager, opened(manager, series))) == 100
    waiting = {item["title"]: item["seriesId"] for item in backlog(scenario, manager)}
    assert waiting == {"Due in January": series.rpartition("/")[2], "Waiting": None}


def test_next_is_the_occurrence_that_is_opened_or_the_backlog_of_the_series(
    scenario: BoardScenario, manager: Person
) -> None:
    series = series_path(scenario, manager, count=2)
    meeting = opened(manager, series)
    agenda = f"{scenario.path}/meetings/{meeting}/agenda"
    items = manager.client.put(agenda, {"items": [{"title": "A"}, {"title": "B"}]}).data["items"]
    first, second = (f"{agenda}/items/{item['id']}/postpone" for item in items)
    assert manager.client.post(first, {"to": "next"}).status == 200
    assert [(item["title"], item["seriesId"]) for item in backlog(scenario, manager)] == [
        ("A", series.rpartition("/")[2])
    ]
    later = opened(manager, series, SECOND)
    assert manager.client.post(second, {"to": "next"}).status == 200
    assert titles(scenario, manager, later) == ["A", "B"]
    of_later = f"{scenario.path}/meetings/{later}/agenda/items/{items[0]['id']}/postpone"
    refused = manager.client.post(of_later, {"to": "next"})
    assert (refused.status, refused.json["error"]["details"]) == (409, {"reason": "NO_SERIES"})


def test_a_deleted_template_leaves_its_series_without_one(scenario: BoardScenario, manager: Person) -> None:
    template = made(manager, f"{scenario.path}/agenda-templates", {"name": "T", "items": [{"title": "A"}]})
    series = series_path(scenario, manager, templateId=template)
    assert manager.client.delete(f"{scenario.path}/agenda-templates/{template}").status == 200
    assert manager.client.get(series).data["templateId"] is None
    assert titles(scenario, manager, opened(manager, series)) == []


def test_what_follows_and_has_begun_is_passed_over(scenario: BoardScenario, manager: Person) -> None:
    series = series_path(scenario, manager)
    first, second, third = (opened(manager, series, key) for key in (FIRST, SECOND, THIRD))
    path = f"{scenario.path}/meetings"
    items = manager.client.put(f"{path}/{first}/agenda", {"items": [{"title": "A"}, {"title": "B"}]}).data["items"]
    assert manager.client.patch(f"{path}/{second}", {"status": "in_progress"}).status == 200
    postponed = manager.client.post(f"{path}/{first}/agenda/items/{items[0]['id']}/postpone", {"to": "next"})
    assert postponed.status == 200
    assert manager.client.patch(f"{path}/{first}", {"status": "completed"}).status == 200
    assert [titles(scenario, manager, each) for each in (second, third)] == [[], ["A", "B"]]


def test_what_is_left_open_when_all_that_follow_have_begun_waits_for_the_next_one(
    scenario: BoardScenario, manager: Person
) -> None:
    series = series_path(scenario, manager)
    first, second = (opened(manager, series, key) for key in (FIRST, SECOND))
    path = f"{scenario.path}/meetings"
    assert manager.client.put(f"{path}/{first}/agenda", {"items": [{"title": "A"}]}).status == 200
    for meeting, status in ((second, "in_progress"), (first, "completed"), (first, "scheduled"), (first, "completed")):
        assert manager.client.patch(f"{path}/{meeting}", {"status": status}).status == 200
    waiting = [(item["title"], item["seriesId"]) for item in backlog(scenario, manager)]
    assert waiting == [("A", series.rpartition("/")[2])]
    assert titles(scenario, manager, opened(manager, series, THIRD)) == ["A"]
    assert backlog(scenario, manager) == []


def test_a_meeting_of_a_deleted_committees_series_is_completed_and_leaves_nothing_to_wait(
    scenario: BoardScenario, manager: Person
) -> None:
    committee = scenario.committee(manager)
    series = series_path(scenario, manager, committeeId=committee)
    first, second = (opened(manager, series, key) for key in (FIRST, SECOND))
    path = f"{scenario.path}/meetings"
    assert manager.client.put(f"{path}/{first}/agenda", {"items": [{"title": "A"}]}).status == 200
    assert manager.client.patch(f"{path}/{second}", {"status": "in_progress"}).status == 200
    assert scenario.owner.client.delete(f"{scenario.path}/committees/{committee}").status == 200
    assert manager.client.patch(f"{path}/{first}", {"status": "completed"}).status == 200
    assert backlog(scenario, manager) == []


def test_what_waits_for_a_series_is_of_its_committee(scenario: BoardScenario, manager: Person) -> None:
    committee = scenario.committee(manager)
    board = series_path(scenario, manager).rpartition("/")[2]
    audit = series_path(scenario, manager, title="Audit", committeeId=committee).rpartition("/")[2]
    path = f"{scenario.path}/backlog"
    for refused in ({"seriesId": audit}, {"seriesId": board, "committeeId": committee}):
        assert manager.client.post(path, {"title": "A", **refused}).fields.keys() == {"seriesId"}
    item = made(manager, path, {"title": "A", "seriesId": audit, "committeeId": committee})
    assert manager.client.patch(f"{path}/{item}", {"seriesId": board}).fields.keys() == {"seriesId"}
    assert manager.client.patch(f"{path}/{item}", {"committeeId": None}).fields.keys() == {"seriesId"}
    assert manager.client.patch(f"{path}/{item}", {"committeeId": None, "seriesId": board}).status == 200
    assert manager.client.patch(f"{path}/{item}", {"title": "B"}).status == 200


def test_the_next_occurrence_begins_with_the_minutes_that_wait_for_their_approval(
    scenario: BoardScenario, manager: Person
) -> None:
    series, other = series_path(scenario, manager), series_path(scenario, manager, title="Other")
    first = opened(manager, series)
    path = f"{scenario.path}/meetings/{first}"
    assert manager.client.patch(path, {"status": "completed"}).status == 200
    assert manager.client.put(f"{path}/minutes", {"items": [{"text": "Said"}]}).status == 200
    assert manager.client.post(f"{path}/minutes/circulation").status == 201
    assert titles(scenario, manager, opened(manager, other, SECOND)) == []
    title = "Approval of the minutes of “Board meeting” (Tuesday, 7 January 2098)"
    assert titles(scenario, manager, opened(manager, series, SECOND)) == [title]
    assert titles(scenario, manager, opened(manager, series, THIRD)) == []
