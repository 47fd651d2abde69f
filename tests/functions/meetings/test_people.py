"""Who of the people without an account is invited to a meeting: what routes answer, keep and record."""

from __future__ import annotations

from typing import Any

import pytest

from governance.limits import UNREGISTERED_USERS_PER_BOARD
from governance.models.history.event import Event
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.merge_scenario import new_merge_scenario, rows_naming
from tests.harness.people import act, add
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    return new_meeting_scenario(scenario)


@pytest.fixture
def ids(scenario: BoardScenario) -> list[str]:
    """Two people, by when they were added."""
    return [add(scenario, firstName=name)["id"] for name in ("Anna", "Bela")]


def choose(meeting: MeetingScenario, person_ids: list[str] | None) -> Response:
    return meeting.board.owner.client.put(f"{meeting.path}/people", {"unregisteredUserIds": person_ids})


def shown(meeting: MeetingScenario) -> dict[str, Any]:
    response = meeting.board.owner.client.get(f"{meeting.path}/people")
    assert response.status == 200, response.text
    data: dict[str, Any] = response.data
    return data


def test_all_are_invited_until_some_are_chosen_and_again_by_null(meeting: MeetingScenario, ids: list[str]) -> None:
    meeting_id = meeting.path.rpartition("/")[2]
    none = {"object": "meeting_people", "meetingId": meeting_id, "unregisteredUserIds": None, "updatedAt": None}
    assert shown(meeting) == none
    answer = choose(meeting, ids[1:])
    assert answer.status == 200, answer.text
    assert (
        answer.data == shown(meeting) == {**none, "unregisteredUserIds": ids[1:], "updatedAt": answer.data["updatedAt"]}
    )
    assert answer.data["updatedAt"] is not None
    assert choose(meeting, []).data["unregisteredUserIds"] == []
    assert choose(meeting, None).data["unregisteredUserIds"] is None
    assert shown(meeting)["updatedAt"] is not None


def test_a_choice_is_an_update_of_the_meeting_and_names_nobody(meeting: MeetingScenario, ids: list[str]) -> None:
    assert choose(meeting, ids[:1]).status == 200
    owner = meeting.board.owner.client
    (event,) = stored_events(meeting.board, Event.MEETING_UPDATED)
    assert (event.refs, event.details) == ({"meetingId": shown(meeting)["meetingId"]}, {"fields": ["people"]})
    entry = owner.get(f"/api/auditlog/{meeting.board.board_id}").json[-1]
    assert (entry["action"], entry["details"]) == ("meetingUpdate", {"fields": ["people"]})


def test_the_same_choice_again_changes_nothing(meeting: MeetingScenario, ids: list[str]) -> None:
    first = choose(meeting, ids)
    before = TableSnapshot()
    again = choose(meeting, [*reversed(ids), ids[0]])
    assert (again.status, again.data) == (200, first.data)
    assert TableSnapshot().items == before.items


@pytest.mark.parametrize("ending", ["archive", "scrub", "unknown", "of another board"])
def test_an_id_that_is_not_active_on_the_board_is_a_400(meeting: MeetingScenario, ids: list[str], ending: str) -> None:
    named = ids[1]
    if ending == "unknown":
        named = "0" * 24
    elif ending == "of another board":
        named = add(new_board_scenario("peter"))["id"]
    else:
        act(meeting.board, named, ending)
    answer = choose(meeting, [ids[0], named])
    assert (answer.status, [*answer.details["fields"]]) == (400, ["unregisteredUserIds.1"])
    assert shown(meeting)["unregisteredUserIds"] is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"unregisteredUserIds": "all"},
        {"unregisteredUserIds": [None]},
        {"unregisteredUserIds": ["x"]},
        {"unregisteredUserIds": [f"{number:024x}" for number in range(UNREGISTERED_USERS_PER_BOARD + 1)]},
    ],
)
def test_a_body_that_chooses_nobody_known_is_a_400(meeting: MeetingScenario, body: dict[str, Any]) -> None:
    assert meeting.board.owner.client.put(f"{meeting.path}/people", body).status == 400


def test_who_is_archived_is_not_shown_and_invited_again_once_active(meeting: MeetingScenario, ids: list[str]) -> None:
    choose(meeting, ids)
    act(meeting.board, ids[0], "archive")
    assert shown(meeting)["unregisteredUserIds"] == ids[1:]
    before = TableSnapshot()
    assert choose(meeting, ids[1:]).status == 200
    assert TableSnapshot().items == before.items, "what is shown is the same"
    act(meeting.board, ids[0], "unarchive")
    assert shown(meeting)["unregisteredUserIds"] == ids


def test_a_meeting_without_anybody_left_invites_nobody(meeting: MeetingScenario, ids: list[str]) -> None:
    choose(meeting, ids[:1])
    act(meeting.board, ids[0], "scrub")
    assert shown(meeting)["unregisteredUserIds"] == []


def test_a_finalized_meetings_choice_is_read_only(meeting: MeetingScenario, ids: list[str]) -> None:
    meeting.finalize()
    answer = choose(meeting, ids)
    assert (answer.status, answer.details["reason"]) == (409, "MEETING_FINALIZED")
    assert shown(meeting)["unregisteredUserIds"] is None


def test_a_merged_person_stands_in_no_choice(scenario: BoardScenario) -> None:
    merge = new_merge_scenario(scenario)
    other = add(scenario, firstName="Bela")["id"]
    choose(merge.ahead, [merge.anna, other])
    choose(merge.running, [merge.anna])
    assert merge.merge().status == 200
    assert rows_naming(merge.anna) == []
    assert shown(merge.ahead)["unregisteredUserIds"] == [other]
    assert shown(merge.running)["unregisteredUserIds"] == [], "nobody, and not everybody"


def test_a_deleted_meeting_leaves_no_choice_behind(meeting: MeetingScenario, ids: list[str]) -> None:
    choose(meeting, ids)
    assert meeting.board.owner.client.delete(meeting.path).status == 200
    assert meeting.board.owner.client.get(f"{meeting.path}/people").status == 404
    assert process_records(event_records(meeting.board.board_id)) == []
    assert [row for row in rows_naming(ids[0]) if "MEETING#" in row[1]] == []
