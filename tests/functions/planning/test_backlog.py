"""The backlog: items that wait, and that stand in one place only (ADR planning)."""

from __future__ import annotations

from typing import Any

import pytest

from governance import agenda_limits
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.table_snapshot import TableSnapshot

ABSENT = "0" * 24


@pytest.fixture
def meeting(scenario: BoardScenario) -> MeetingScenario:
    return new_meeting_scenario(scenario)


def add(board: BoardScenario, by: Person | None = None, **members: Any) -> Any:
    created = (by or board.owner).client.post(f"{board.path}/backlog", {"title": "Waits", **members})
    assert created.status == 201, created.text
    return created.data


def waiting(board: BoardScenario, client: Client | None = None) -> list[str]:
    return [item["id"] for item in (client or board.owner.client).all(f"{board.path}/backlog")]


def agenda(meeting: MeetingScenario, *items: dict[str, Any]) -> list[dict[str, Any]]:
    response = meeting.board.owner.client.put(f"{meeting.path}/agenda", {"items": list(items)})
    assert response.status == 200, response.text
    placed: list[dict[str, Any]] = response.data["items"]
    return placed


def on_agenda(meeting: MeetingScenario) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = meeting.board.owner.client.get(f"{meeting.path}/agenda").data["items"]
    return items


def postpone(meeting: MeetingScenario, item_id: str, to: str, client: Client | None = None) -> Response:
    path = f"{meeting.path}/agenda/items/{item_id}/postpone"
    return (client or meeting.board.owner.client).post(path, {"to": to})


def id_of(meeting: MeetingScenario) -> str:
    return meeting.path.rpartition("/")[2]


def place(meeting: MeetingScenario, item_id: str, client: Client | None = None) -> Response:
    path = f"{meeting.board.path}/backlog/{item_id}/place"
    return (client or meeting.board.owner.client).post(path, {"meetingId": id_of(meeting)})


def document(board: BoardScenario, **members: Any) -> str:
    return str(board.owner.client.post(f"{board.path}/documents", {"title": "P", **members}).data["id"])


def test_an_item_is_added_changed_listed_and_deleted(scenario: BoardScenario) -> None:
    client, paper = scenario.owner.client, document(scenario)
    first, second = add(scenario, documentIds=[paper], minutes=5, kind="decision"), add(scenario, title="Second")
    assert first["documentIds"] == [paper]
    assert client.all(f"{scenario.path}/backlog") == [second, first]
    path = f"{scenario.path}/backlog/{first['id']}"
    changed = client.patch(path, {"minutes": None, "notes": "N"})
    assert (changed.status, changed.data["minutes"], changed.data["notes"]) == (200, None, "N")
    assert changed.data["documentIds"] == [paper]
    assert client.patch(path, {"notes": "N"}).data == changed.data
    assert client.delete(path).status == 200
    assert (waiting(scenario), client.delete(path).status) == ([second["id"]], 404)
    events = [len(stored_events(scenario, f"backlog_item.{what}")) for what in ("created", "updated", "deleted")]
    assert events == [2, 1, 1]


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"title": " "}, "title"),
        ({"minutes": 0}, "minutes"),
        ({"presenterUserId": ABSENT}, "presenterUserId"),
        ({"documentIds": [ABSENT]}, "documentIds.0"),
        ({"committeeId": ABSENT}, "committeeId"),
        ({"seriesId": ABSENT}, "seriesId"),
        ({"id": ABSENT}, "id"),
    ],
)
def test_what_an_item_may_not_have_is_named_and_nothing_changes(
    scenario: BoardScenario, members: dict[str, Any], named: str
) -> None:
    item, client = add(scenario), scenario.owner.client
    before = TableSnapshot()
    for refused in (
        client.post(f"{scenario.path}/backlog", {"title": "T", **members}),
        client.patch(f"{scenario.path}/backlog/{item['id']}", members),
    ):
        assert refused.failure == (400, "INVALID_REQUEST_BODY")
        assert refused.fields.keys() == {named}
    assert "BACKLOG" not in str(before.changes())


def test_an_item_of_a_committee_is_its_members_alone(meeting: MeetingScenario) -> None:
    board = meeting.board
    ada, ben = board.member("ada"), board.member("ben")
    item = add(board, by=ada, committeeId=board.committee(ada))
    assert waiting(board, ada.client) == [item["id"]]
    assert waiting(board, ben.client) == waiting(board) == []
    path = f"{board.path}/backlog/{item['id']}"
    for refused in (
        ben.client.patch(path, {"title": "X"}),
        board.owner.client.delete(path),
        place(meeting, item["id"]),
    ):
        assert refused.status == 404
    assert {event.committee_id for event in stored_events(board, "backlog_item.created")} == {item["committeeId"]}
    committee = f"{board.path}/committees/{item['committeeId']}"
    assert board.owner.client.delete(committee).details == {"reason": "COMMITTEE_IN_USE"}
    assert place(meeting, item["id"], ada.client).status == 200
    assert board.owner.client.delete(committee).status == 200


# -- moving


def test_an_item_moves_with_its_id_and_its_papers_and_back(meeting: MeetingScenario) -> None:
    board, paper = meeting.board, document(meeting.board)
    kept, moved = agenda(meeting, {"title": "Kept"}, {"title": "Moved", "minutes": 7, "documentIds": [paper]})
    left = postpone(meeting, moved["id"], "backlog")
    assert (left.status, [item["id"] for item in left.data["items"]]) == (200, [kept["id"]])
    (item,) = board.owner.client.all(f"{board.path}/backlog")
    assert {name: item[name] for name in ("id", "title", "minutes", "documentIds", "committeeId", "seriesId")} == {
        "id": moved["id"],
        "title": "Moved",
        "minutes": 7,
        "documentIds": [paper],
        "committeeId": None,
        "seriesId": None,
    }
    other = new_meeting_scenario(board, title="Other")
    placed = place(other, moved["id"])
    assert placed.status == 200, placed.text
    assert (placed.data["meetingId"], [entry["id"] for entry in placed.data["items"]]) == (id_of(other), [moved["id"]])
    assert (waiting(board), place(other, moved["id"]).status) == ([], 404)
    assert postpone(other, moved["id"], id_of(meeting)).data["items"] == []
    assert [entry["id"] for entry in on_agenda(meeting)] == [kept["id"], moved["id"]]


def test_papers_that_the_mover_does_not_see_move_too(meeting: MeetingScenario) -> None:
    ada, board = meeting.board.member("ada"), meeting.board
    secret = document(board, committeeId=board.committee(board.owner))
    (item,) = agenda(meeting, {"title": "A", "documentIds": [secret]})
    assert postpone(meeting, item["id"], "backlog", ada.client).status == 200
    assert ada.client.all(f"{board.path}/backlog")[0]["documentIds"] == []
    assert board.owner.client.all(f"{board.path}/backlog")[0]["documentIds"] == [secret]
    assert ada.client.patch(f"{board.path}/backlog/{item['id']}", {"documentIds": []}).status == 200
    assert place(meeting, item["id"], ada.client).data["items"][0]["documentIds"] == []
    assert on_agenda(meeting)[0]["documentIds"] == [secret]


def test_where_an_item_cannot_go_it_stays(meeting: MeetingScenario) -> None:
    (item,) = agenda(meeting, {"title": "A"})
    before = TableSnapshot()
    for to in (id_of(meeting), ABSENT):
        assert postpone(meeting, item["id"], to).fields.keys() == {"to"}
    assert postpone(meeting, item["id"], "somewhere").fields.keys() == {"to"}
    assert postpone(meeting, item["id"], "next").details == {"reason": "NO_SERIES"}
    assert postpone(meeting, ABSENT, "backlog").status == 404
    assert "AGENDA" not in str(before.changes())
    full = new_meeting_scenario(meeting.board, title="Full")
    agenda(full, *[{"title": "T"}] * agenda_limits.AGENDA_ITEMS)
    assert postpone(meeting, item["id"], id_of(full)).details == {"reason": "LIMIT_REACHED"}
    full.finalize()
    assert postpone(meeting, item["id"], id_of(full)).details == {"reason": "MEETING_FINALIZED"}
    assert place(full, add(meeting.board)["id"]).details == {"reason": "MEETING_FINALIZED"}
    assert on_agenda(meeting) == [item]


def test_a_draft_of_others_takes_no_item(meeting: MeetingScenario) -> None:
    ben = meeting.board.member("ben")
    draft = meeting.board.owner.client.post(f"{meeting.board.path}/meetings", {"title": "Draft"}).data["id"]
    (item,) = agenda(meeting, {"title": "A"})
    assert postpone(meeting, item["id"], draft, ben.client).fields.keys() == {"to"}
    path = f"{meeting.board.path}/backlog/{add(meeting.board)['id']}/place"
    assert ben.client.post(path, {"meetingId": draft}).fields.keys() == {"meetingId"}


def test_what_the_minutes_have_is_not_postponed(meeting: MeetingScenario) -> None:
    recorded, other = agenda(meeting, {"title": "Recorded"}, {"title": "Other"})
    assert meeting.patch(status="completed").status == 200
    minutes = {"items": [{"agendaItemId": recorded["id"], "text": "Said"}]}
    assert meeting.board.owner.client.put(f"{meeting.path}/minutes", minutes).status == 200
    assert postpone(meeting, recorded["id"], "backlog").details == {"reason": "IN_MINUTES"}
    assert postpone(meeting, other["id"], "backlog").status == 200
    assert meeting.patch(status="finalized").status == 200
    assert postpone(meeting, recorded["id"], "backlog").details == {"reason": "MEETING_FINALIZED"}


def test_what_is_voted_on_is_not_postponed(meeting: MeetingScenario) -> None:
    (item,) = agenda(meeting, {"title": "Voted on"})
    votes = ResolutionScenario(meeting.board)
    votes.opened(meetingId=id_of(meeting), agendaItemId=item["id"])
    assert postpone(meeting, item["id"], "backlog").details == {"reason": "IN_USE"}
    assert on_agenda(meeting)[0]["id"] == item["id"]


def test_a_repeat_of_a_move_with_its_key_answers_the_same(meeting: MeetingScenario) -> None:
    (item,) = agenda(meeting, {"title": "A"})
    path = f"{meeting.path}/agenda/items/{item['id']}/postpone"
    client = meeting.board.owner.client
    first, again = (client.post(path, {"to": "backlog"}, idempotency_key="key-1") for _ in range(2))
    assert (first.status, again.status, again.data) == (200, 200, first.data)
    assert waiting(meeting.board) == [item["id"]]
