"""The routes of meetings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.table_snapshot import TableSnapshot


def test_a_draft_is_a_404_except_for_its_creator(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Secret"}).data
    path = f"{scenario.path}/meetings/{draft['id']}"
    assert scenario.owner.client.get(path).status == 200
    for caller in (ben.client, scenario.token(), scenario.personal_token(ben)):
        assert caller.get(path).failure == (404, "RESOURCE_NOT_FOUND")
        assert caller.all(f"{scenario.path}/meetings") == []
        assert caller.all(f"{scenario.path}/meetings", status="draft") == []
        assert caller.patch(path, {"title": "Seen"}).failure[0] in {403, 404}


_VALUES = {"title": "Spring", "status": "scheduled", "startTime": "2040-01-01T09:00:00Z", "endTime": None}


@pytest.mark.parametrize(
    ("members", "is_change"),
    [
        (_VALUES, False),
        ({"status": "scheduled"}, False),
        ({"startTime": "2040-01-01T10:00:00+01:00"}, False),
        ({**_VALUES, "title": "Autumn"}, True),
        ({"status": "completed"}, True),
    ],
)
def test_setting_the_same_values_changes_nothing(
    scenario: BoardScenario, members: dict[str, Any], *, is_change: bool
) -> None:
    created = scenario.owner.client.post(f"{scenario.path}/meetings", _VALUES).data
    path, before = f"{scenario.path}/meetings/{created['id']}", TableSnapshot()
    response = scenario.owner.client.patch(path, members)
    assert (response.status, response.data != created, bool(before.changes())) == (200, is_change, is_change)
