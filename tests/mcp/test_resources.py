"""The resources: the definitions of the newest release of the KPI catalog."""

from __future__ import annotations

import json

import pytest

from infra.catalog.releases import load
from tests.harness.board_scenario import BoardScenario
from tests.mcp.agent import Agent


@pytest.mark.parametrize("modern", [True, False])
def test_every_definition_is_a_resource(modern: bool, scenario: BoardScenario) -> None:
    agent, released = Agent(scenario.owner.client, modern), load()[0].kpis
    listed = {resource["uri"]: resource for resource in agent.ask("resources/list")["resources"]}
    assert listed.keys() == {f"kpi://{name}" for name in released}
    uri = next(iter(listed))
    (read,) = agent.ask("resources/read", {"uri": uri})["contents"]
    assert (read["uri"], read["mimeType"]) == (uri, "application/json")
    assert json.loads(read["text"]) == released[uri.removeprefix("kpi://")]


@pytest.mark.parametrize("uri", ["kpi://nothing", "kpi://", "finance.ebitda", "file:///etc/passwd", "", None, 5, []])
@pytest.mark.parametrize(("modern", "code"), [(True, -32602), (False, -32002)])
def test_an_unknown_resource_is_an_error(uri: object, modern: bool, code: int, scenario: BoardScenario) -> None:
    if modern and not isinstance(uri, str):
        return  # the header cannot repeat it
    error = Agent(scenario.owner.client, modern).send("resources/read", {"uri": uri}).json["error"]
    assert error["code"] in {code, -32020}
    if isinstance(uri, str) and uri:
        assert error["data"] == {"uri": uri}
