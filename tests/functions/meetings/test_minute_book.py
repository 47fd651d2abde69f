"""The minute book has what was approved and carried, by number, for those who may read it (ADR minutes)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.access.visibility import event_visibility
from governance.store.history import leaves
from governance.store.history.leaves import Mark
from governance.store.meetings import minute_book
from governance.store.schema.history import event_key
from tests.functions.meetings.test_minutes_approval import SPRING, SUMMER, approve, circulated, held, id_of
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, stored_events
from tests.harness.resolution_scenario import ResolutionScenario


def book(scenario: BoardScenario, year: str = "2030", client: Client | None = None, **query: Any) -> dict[str, Any]:
    response = (client or scenario.owner.client).get(f"{scenario.path}/minute-book/{year}", **query)
    assert response.status == 200, response.text
    shown: dict[str, Any] = response.data
    return shown


def numbers(scenario: BoardScenario, year: str = "2030", **query: Any) -> list[str]:
    return [entry["number"] for entry in book(scenario, year, **query)["entries"]]


def correct(meeting: MeetingScenario, by: MeetingScenario) -> None:
    client, path = meeting.board.owner.client, f"{meeting.path}/minutes"
    text = f"Corrected after {len(numbers(meeting.board))} approvals."
    assert client.post(f"{path}/corrections", {"items": [{"text": text}]}).status == 201
    assert client.post(f"{path}/circulation").status == 201
    assert approve(meeting, by).status == 200


def log_events(scenario: BoardScenario, *types: str) -> None:
    """Logs the events of these types, one after the other."""
    found = [event for type_ in types for event in stored_events(scenario, type_)]
    for at, event in enumerate(sorted(found, key=lambda event: event.created_at)):
        key = event_key(event.board_id, event_visibility(event), event.created_at, event.id)
        leaves.mark([Mark(key, together=False, indexes=((0, at),))])


@pytest.fixture
def summer(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting that approves minutes of earlier ones."""
    return held(scenario, SUMMER, "in_progress")


def test_an_entry_says_what_was_approved_and_where_the_log_has_it(
    scenario: BoardScenario, summer: MeetingScenario
) -> None:
    gwen = scenario.member("gwen", access_type="guest")
    spring = circulated(scenario)
    assert book(scenario)["entries"] == []
    approval = approve(spring, summer).data
    assert book(scenario, client=gwen.client) == {
        "object": "minute_book",
        "boardId": scenario.board_id,
        "year": "2030",
        "entries": [
            {
                "number": "2030-1",
                "kind": "minutes",
                "id": id_of(spring),
                "version": 1,
                "title": "Spring",
                "heldAt": SPRING,
                "approvedAt": approval["approvedAt"],
                "sha256": approval["sha256"],
                "logIndex": None,
                "supersededBy": None,
            }
        ],
        "nextCount": None,
    }
    log_events(scenario, "minutes.approved")
    assert [entry["logIndex"] for entry in book(scenario)["entries"]] == [0]


def test_corrected_minutes_stay_and_name_the_number_of_their_successor(
    scenario: BoardScenario, summer: MeetingScenario
) -> None:
    spring = circulated(scenario)
    approve(spring, summer)
    correct(spring, summer)
    approve(circulated(scenario), summer)
    correct(spring, summer)
    log_events(scenario, "minutes.approved", "minutes.corrected")
    entries = book(scenario)["entries"]
    assert [(entry["number"], entry["supersededBy"], entry["logIndex"]) for entry in entries] == [
        ("2030-1", "2030-2", 0),
        ("2030-2", "2030-4", 1),
        ("2030-3", None, 2),
        ("2030-4", None, 3),
    ]
    versions = scenario.owner.client.get(f"{spring.path}/minutes/versions", order="asc").data
    of_spring = [entry for entry in entries if entry["id"] == id_of(spring)]
    assert [(entry["version"], entry["sha256"]) for entry in of_spring] == [
        (version["version"], version["sha256"]) for version in versions
    ]


def test_a_number_is_in_the_book_of_its_year(scenario: BoardScenario, summer: MeetingScenario) -> None:
    for start in (SPRING, "2029-12-31T23:59:59Z", "2029-06-05T09:00:00+02:00"):
        assert approve(circulated(scenario, start), summer).status == 200
    assert (numbers(scenario, "2029"), numbers(scenario)) == (["2029-1", "2029-2"], ["2030-1"])
    assert book(scenario, "2031")["entries"] == []


@pytest.mark.parametrize("year", ["30", "02030", "x030", "٢٠٣٠"])
def test_what_is_no_year_is_refused(scenario: BoardScenario, year: str) -> None:
    response = scenario.owner.client.get(f"{scenario.path}/minute-book/{year}")
    assert response.failure == (404, "RESOURCE_NOT_FOUND")


def decide(voting: ResolutionScenario, choice: str = "for", **members: Any) -> dict[str, Any]:
    """Returns a resolution that is decided by this choice of all voters."""
    path = voting.opened(**members)
    for voter in voting.voters:
        voting.vote(path, voter, choice)
    assert voting.close(path).status == 200
    return voting.get(path, voting.ann)


def test_carried_resolutions_are_entered_with_the_hash_of_their_certificate(scenario: BoardScenario) -> None:
    voting = ResolutionScenario(scenario)
    decide(voting, "against")
    first = decide(voting)
    second = decide(voting, supersedesId=first["id"])
    year = first["number"].partition("-")[0]
    log_events(scenario, "resolution.closed")
    closed = {event.refs["resolutionId"]: event.details for event in stored_events(scenario, "resolution.closed")}
    assert book(scenario, year)["entries"] == [
        {
            "number": f"{year}-{count}",
            "kind": "resolution",
            "id": resolution["id"],
            "version": None,
            "title": "Adopt the budget",
            "heldAt": None,
            "approvedAt": resolution["closedAt"],
            "sha256": closed[resolution["id"]]["certificateSha256"],
            "logIndex": count - 1,
            "supersededBy": successor,
        }
        for count, resolution, successor in ((2, first, f"{year}-3"), (3, second, None))
    ]


def test_only_a_committee_reads_the_entries_of_its_resolutions(scenario: BoardScenario) -> None:
    voting = ResolutionScenario(scenario)
    committee = scenario.committee(voting.manager, *voting.voters)
    of_committee = decide(voting, committeeId=committee)
    of_board = decide(voting)
    year = of_board["number"].partition("-")[0]
    log_events(scenario, "resolution.closed")
    in_committee = book(scenario, year, voting.ann.client)["entries"]
    assert [(entry["number"], entry["logIndex"]) for entry in in_committee] == [
        (of_committee["number"], 0),
        (of_board["number"], 1),
    ]
    assert numbers(scenario, year) == [of_board["number"]]


def test_a_long_book_is_read_from_the_count_that_follows(
    scenario: BoardScenario, summer: MeetingScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minute_book, "MINUTE_BOOK_ENTRIES", 3)
    spring = circulated(scenario)
    approve(spring, summer)
    for _ in range(10):
        correct(spring, summer)
    read: list[str] = []
    following: int | None = 1
    while following is not None:
        page = book(scenario, fromCount=following)
        read += [entry["number"] for entry in page["entries"]]
        following = page["nextCount"]
    assert read == [f"2030-{count}" for count in range(1, 12)]
    assert numbers(scenario, fromCount=10) == ["2030-10", "2030-11"]
