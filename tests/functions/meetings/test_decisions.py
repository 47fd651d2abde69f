"""What meetings decided: the decisions of final minutes, by meeting (ADR meetings)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.usecases import byte_pages
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.harness.store_calls import InlinePool, count_store_calls

RENT = {"text": "The office is rented.", "result": "carried"}
REPORT = {"text": "The report is noted.", "result": "noted"}


def begun(scenario: BoardScenario, title: str = "Spring", start: str | None = None) -> MeetingScenario:
    meeting = new_meeting_scenario(scenario, title=title)
    assert meeting.patch(status="in_progress", **({"startTime": start} if start else {})).status == 200
    return meeting


def note(meeting: MeetingScenario, *items: dict[str, Any]) -> None:
    written = meeting.board.owner.client.put(
        f"{meeting.path}/minutes", {"items": [{"text": "", **item} for item in items]}
    )
    assert written.status == 200, written.text


def listed(scenario: BoardScenario, client: Client | None = None, **query: Any) -> list[dict[str, Any]]:
    response = (client or scenario.owner.client).get(f"{scenario.path}/decisions", **query)
    assert response.status == 200, response.text
    found: list[dict[str, Any]] = response.data
    return found


def texts(found: list[dict[str, Any]]) -> list[list[str]]:
    return [[decision["text"] for decision in meeting["decisions"]] for meeting in found]


def test_decisions_of_final_minutes_are_listed_with_their_meeting_and_item(scenario: BoardScenario) -> None:
    meeting = begun(scenario, start="2098-03-02T09:00:00.000Z")
    agenda = scenario.owner.client.put(f"{meeting.path}/agenda", {"items": [{"title": "Office"}]})
    item = agenda.data["items"][0]["id"]
    note(meeting, {"agendaItemId": item, "decision": RENT}, {"text": "Only talk."}, {"decision": REPORT})
    meeting.finalize()
    assert listed(scenario) == [
        {
            "object": "meeting_decisions",
            "meetingId": meeting.path.rpartition("/")[2],
            "title": "Spring",
            "startTime": "2098-03-02T09:00:00.000Z",
            "decisions": [
                {**RENT, "agendaItemId": item, "agendaItemTitle": "Office"},
                {**REPORT, "agendaItemId": None, "agendaItemTitle": None},
            ],
        }
    ]


def test_what_is_drafted_stands_in_no_list_before_the_meeting_is_final(scenario: BoardScenario) -> None:
    meeting = begun(scenario)
    note(meeting, {"decision": RENT})
    assert listed(scenario) == []
    meeting.finalize()
    assert texts(listed(scenario)) == [[RENT["text"]]]


def test_a_guest_of_the_board_and_its_token_see_what_was_decided(scenario: BoardScenario) -> None:
    meeting = begun(scenario)
    note(meeting, {"decision": RENT})
    meeting.finalize()
    for client in (scenario.member("guest", access_type="guest").client, scenario.token("read_only")):
        assert texts(listed(scenario, client)) == [[RENT["text"]]]


def test_meetings_come_by_their_start_page_by_page_also_without_decisions(scenario: BoardScenario) -> None:
    for month in ("01", "02", "03"):
        meeting = begun(scenario, month, f"2098-{month}-02T09:00:00.000Z")
        if month != "02":
            note(meeting, {"decision": {**RENT, "text": month}})
        meeting.finalize()
    assert texts(listed(scenario)) == [["03"], [], ["01"]]
    assert texts(listed(scenario, order="asc")) == [["01"], [], ["03"]]
    first = scenario.owner.client.get(f"{scenario.path}/decisions", limit=2)
    assert texts(first.data) == [["03"], []]
    assert texts(listed(scenario, limit=2, cursor=first.json["meta"]["nextCursor"])) == [["01"]]


def test_a_page_takes_as_many_round_trips_for_many_meetings_as_for_one(
    scenario: BoardScenario, pool: InlinePool
) -> None:
    trips = []
    for month in ("01", "02", "03"):
        begun(scenario, month, f"2098-{month}-02T09:00:00.000Z").finalize()
        with count_store_calls(pool) as calls:
            listed(scenario)
        trips.append(len(calls.sequential))
    assert trips[0] <= 3
    assert {*trips} == {trips[0]}


def test_a_page_ends_early_where_its_decisions_would_outgrow_a_response(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(byte_pages, "PAGE_BYTES", 10)
    for month in ("01", "02"):
        begun(scenario, month, f"2098-{month}-02T09:00:00.000Z").finalize()
    first = scenario.owner.client.get(f"{scenario.path}/decisions")
    assert [meeting["title"] for meeting in first.data] == ["02"]
    [second] = listed(scenario, cursor=first.json["meta"]["nextCursor"])
    assert second["title"] == "01"
