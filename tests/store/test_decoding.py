"""A row that cannot be read, or does not fit the rows that were written with it, costs itself only."""

from __future__ import annotations

import re
from typing import Any

import boto3
import pytest

from governance.models.history.event import Event
from governance.models.meetings.meeting import StoredMeeting
from governance.settings import settings
from governance.store.attributes import marshal, unmarshal
from governance.store.decoding import check_settled, decode_all
from governance.store.schema.entities import ACTION_ITEM, BOARD, DOCUMENT, MEETING, USER
from governance.store.schema.keys import Entity, Item, Key
from governance.store.table import read_one
from governance.store.writes import StaleRead
from tests.calendars.calendar_invitation_mails import schedule
from tests.calendars.feeds import fetch, subscribe
from tests.harness import logs
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.stream import deliver, new_event
from tests.harness.table_snapshot import TableSnapshot
from tests.store.stored_items import BOARD as BOARD_ID
from tests.store.stored_items import ONE

FIELD = {"fieldId": "arr", "isStub": False, "label": "ARR", "displayOrder": 1, "value": 5}
ACTIONS, DASHBOARDS = "meetings/{meeting}/action-items", "reports/{report}/dashboards"


class _Board:
    """A board with two resources of each kind that is listed."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.client, self.path = scenario.owner.client, scenario.path
        scenario.member("ben")
        self.meeting = self.report = ""
        for n in "12":
            self.meeting = self._create("meetings", {"title": f"m{n}", "status": "scheduled"})
            self.report = self._create("reports", {"title": f"r{n}"})
        for n in "12":
            self._create("documents", {"title": f"d{n}", "meetingIds": [self.meeting]})
            self._create("committees", {"name": f"c{n}", "memberIds": []})
            self._create("tokens", {"name": f"t{n}", "preset": "read_only", "expiresInDays": 30})
            self._create(ACTIONS, {"title": f"a{n}", "notes": {"type": "doc"}})
            self._create(DASHBOARDS, {"dashboardType": "uniform", "uniform": {"fields": [FIELD]}})

    def filled(self, path: str) -> str:
        return path.format(meeting=self.meeting, report=self.report)

    def _create(self, path: str, body: dict[str, Any]) -> str:
        response = self.client.post(f"{self.path}/{self.filled(path)}", body)
        assert response.status == 201, response.text
        return str(response.json.get("data", response.json).get("id") or response.json["data"]["_id"])

    def number(self, path: str) -> int:
        address, _, query = self.filled(path).partition("?meetingId=")
        return len(self.client.all(f"{self.path}/{address}", **({"meetingId": query} if query else {})))


def _first(sort_key: str) -> Item:
    """Returns an item whose sort key is this prefix and an id."""
    stored = sorted(TableSnapshot().items.items())
    return next(item for (_, sk), item in stored if re.fullmatch(f"{sort_key}[0-9a-f]{{24}}", sk))


def _put(item: Item) -> None:
    boto3.client("dynamodb").put_item(TableName=settings().table_name, Item=marshal(item))


SPOILED = {
    "meetings": "MEETING#",
    "members": "MEMBER#",
    "documents": "DOCUMENT#",
    "documents?meetingId={meeting}": "DOCUMENT#",
    "committees": "COMMITTEE#",
    "tokens": "TOKEN#",
    "reports": "REPORT#",
    ACTIONS: "ACTION#",
    DASHBOARDS: "REPORT#{report}#DASHBOARD#",
}


def test_a_list_leaves_out_an_item_that_it_cannot_read_and_counts_it(
    scenario: BoardScenario, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    board = _Board(scenario)
    for path, sort_key in SPOILED.items():
        assert board.number(path) == 2, path
        sound = _first(board.filled(sort_key))
        _put({**sound, "createdAt": 5})
        capfd.readouterr()
        assert board.number(path) == 1, path
        assert any("ItemsUnreadable" in metric for metric in logs.metrics(capfd.readouterr().out)), path
        _put(sound)


@pytest.mark.usefixtures("store")
def test_the_log_says_where_an_item_is_that_cannot_be_read(capfd: pytest.CaptureFixture[str]) -> None:
    item = {"PK": f"BOARD#{BOARD_ID}", "SK": f"MEETING#{ONE}", "title": "Secret"}
    assert decode_all(StoredMeeting, [item]) == []
    (line,) = logs.lines(capfd.readouterr().out)
    assert (line["message"], line["partition"], line["kind"]) == ("item unreadable", item["PK"], "MEETING")
    assert "Secret" not in str(line)


@pytest.mark.usefixtures("store")
def test_rows_that_do_not_fit_together_are_reported_unless_one_of_them_has_changed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    row: Item = {"PK": f"BOARD#{BOARD_ID}", "SK": f"MEETING#{ONE}", "version": 1}
    other = Key(row["PK"], f"REPORT#{ONE}")
    _put(row)
    check_settled([row], [other])
    (line,) = logs.lines(capfd.readouterr().out)
    assert (line["message"], line["partition"], line["kind"]) == ("item unreadable", row["PK"], "MEETING")
    _put({**row, "SK": other.sk})
    for outdated, absent in (([{**row, "version": 2}], []), ([{**row, "SK": f"BET#{ONE}"}], []), ([row], [other])):
        with pytest.raises(StaleRead):
            check_settled(outdated, absent)
    assert logs.lines(capfd.readouterr().out) == []


def _spoil(key: Key) -> None:
    item = read_one(key)
    assert item is not None
    _put({**item, "createdAt": 5})


@pytest.mark.parametrize("torn", [ACTION_ITEM, MEETING, BOARD])
def test_an_assigned_item_that_cannot_be_read_with_its_meeting_and_board_costs_itself_only(
    torn: Entity, scenario: BoardScenario
) -> None:
    client, boards = scenario.owner.client, [scenario, new_board_scenario(name="Another")]
    for board in boards:
        meeting_id = client.post(f"{board.path}/meetings", {"title": "m", "status": "scheduled"}).data["id"]
        body = {"title": board.board_id, "assigneeUserId": scenario.owner.id}
        item_id = client.post(f"{board.path}/meetings/{meeting_id}/action-items", body).data["_id"]
    _spoil(torn.key_for(boardId=board.board_id, meetingId=meeting_id, actionItemId=item_id))
    listed = client.get("/api/action-items/my").json["actionItems"]
    assert [item["title"] for item in listed] == [scenario.board_id]


def test_an_invite_to_a_board_that_cannot_be_read_costs_itself_only(scenario: BoardScenario) -> None:
    another, ann = new_board_scenario(name="Another"), person("ann")
    for board in (scenario, another):
        board.owner.client.post(f"/api/invite/{board.board_id}", {"inviteeEmail": ann.email})
    _spoil(BOARD.key_for(boardId=another.board_id))
    assert [invite["boardName"] for invite in ann.client.all("/api/v1/me/invites")] == ["Board"]


def test_a_feed_of_all_boards_leaves_out_one_that_cannot_be_read(scenario: BoardScenario) -> None:
    another = new_board_scenario(name="Another")
    for board in (scenario, another):
        schedule(board, title=board.board_id)
    url = subscribe(scenario.owner)
    _spoil(BOARD.key_for(boardId=another.board_id))
    assert [str(event["summary"]) for event in fetch(url).events.values()] == [scenario.board_id]


@pytest.mark.usefixtures("outbox")
def test_a_notification_about_a_meeting_that_cannot_be_read_is_left_out_and_one_by_such_a_user_has_no_name(
    scenario: BoardScenario,
) -> None:
    ben, meeting_id = scenario.member("ben"), schedule(scenario).path.rpartition("/")[2]
    of_meeting = {"refs": {"meetingId": meeting_id}, "delivery_data": {"title": "m", "told": "meeting_scheduled"}}
    deliver(new_event(scenario.board_id, Event.MEETING_CREATED, scenario.owner.id, **of_meeting))
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id))
    assert len(ben.client.get("/api/notification/").json) == 2
    _spoil(MEETING.key_for(boardId=scenario.board_id, meetingId=meeting_id))
    _spoil(USER.key_for(userId=scenario.owner.id))
    (left,) = ben.client.get("/api/notification/").json
    assert left["triggeringUserId"] == {"_id": scenario.owner.id, "firstName": None, "lastName": None}


def test_an_agenda_leaves_out_a_paper_that_cannot_be_read(scenario: BoardScenario) -> None:
    board = _Board(scenario)
    papers = [paper["id"] for paper in board.client.all(f"{board.path}/documents")]
    path = f"{board.path}/meetings/{board.meeting}/agenda"
    assert board.client.put(path, {"items": [{"title": "Papers", "documentIds": papers}]}).status == 200
    _spoil(DOCUMENT.key_for(boardId=scenario.board_id, documentId=papers[0]))
    assert board.client.get(path).data["items"][0]["documentIds"] == papers[1:]


def test_an_attribute_of_a_type_that_this_release_does_not_write_is_written_back() -> None:
    item = {"fraction": {"N": "1.5"}, "bytes": {"B": b"x"}, "list": {"L": [{"NS": ["1"]}]}}
    assert marshal(unmarshal(item)) == item
