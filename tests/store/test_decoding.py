"""A row that cannot be read, or does not fit the rows that were written with it, costs itself only."""

from __future__ import annotations

import re
from typing import Any

import boto3
import pytest

from governance.settings import settings
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.keys import Item
from tests.harness import logs
from tests.harness.board_scenario import BoardScenario
from tests.harness.table_snapshot import TableSnapshot

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


@pytest.mark.parametrize("path", SPOILED)
def test_a_list_leaves_out_an_item_that_it_cannot_read_and_counts_it(
    path: str, scenario: BoardScenario, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    board = _Board(scenario)
    assert board.number(path) == 2
    spoiled = _first(board.filled(SPOILED[path]))
    _put({**spoiled, "createdAt": 5})
    capfd.readouterr()
    assert board.number(path) == 1
    assert any("ItemsUnreadable" in metric for metric in logs.metrics(capfd.readouterr().out))


def test_a_document_that_is_not_where_its_link_says_is_left_out(scenario: BoardScenario) -> None:
    board = _Board(scenario)
    document = _first("DOCUMENT#")
    board.client.patch(f"{board.path}/documents/{document['id']}", {"title": "Newer"})
    _put(document)  # restored without its links
    assert board.number("documents?meetingId={meeting}") == 1
    assert board.number("documents") == 2


def test_a_dashboard_that_is_older_than_its_payload_is_left_out(scenario: BoardScenario) -> None:
    board = _Board(scenario)
    dashboard = _first(board.filled("REPORT#{report}#DASHBOARD#"))
    path = f"{board.path}/{board.filled(DASHBOARDS)}/{dashboard['id']}"
    assert board.client.patch(path, {"uniform": {"narrative": "Newer"}}).status == 200
    _put(dashboard)
    assert board.number(DASHBOARDS) == 1


def test_an_action_item_that_is_older_than_its_notes_is_listed_without_them(scenario: BoardScenario) -> None:
    board = _Board(scenario)
    item = _first("ACTION#")
    path = f"{board.path}/{board.filled(ACTIONS)}/{item['id']}"
    assert board.client.patch(path, {"notes": {"type": "other"}}).status == 200
    _put(item)
    listed = board.client.all(f"{board.path}/{board.filled(ACTIONS)}")
    assert sorted(each["notes"] is None for each in listed) == [False, True]


def test_an_attribute_of_a_type_that_this_release_does_not_write_is_written_back() -> None:
    item = {
        "fraction": {"N": "1.5"},
        "bytes": {"B": b"x"},
        "list": {"L": [{"NS": ["1"]}]},
    }
    assert marshal(unmarshal(item)) == item
