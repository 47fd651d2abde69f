"""The routes of meetings."""

from __future__ import annotations

from tests.harness.board_scenario import BoardScenario


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
