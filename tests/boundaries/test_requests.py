"""Query strings and bodies that no route takes: a 400, 413 or 415, never a 500."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client

BAD_QUERIES = [
    "limit=0", "limit=101", "limit=1.0", "limit=", "limit", "limit=01", "limit=%2B5", "limit=-1", "limit=%EF%BC%91",
    "limit=1&limit=1", "sort=title", "sort=", "order=up", "order=ASC", "cursor=", "cursor=zzz", "cursor=%FF", "foo=1",
    "%00=1", "=1", "&".join(f"a{n}=1" for n in range(101)),
]  # fmt: skip
LISTS = ["boards", "members", "meetings", "documents", "reports", "tokens", "committees"]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_refuses_unknown_and_invalid_parameters(scenario: BoardScenario, name: str) -> None:
    path = "/api/v1/boards" if name == "boards" else f"{scenario.path}/{name}"
    responses = {query: scenario.owner.client.call("GET", path, query=query) for query in BAD_QUERIES}
    assert {query: response.status for query, response in responses.items() if response.status != 400} == {}
    assert {response.code for response in responses.values()} == {"INVALID_QUERY_PARAMETER"}
    assert scenario.owner.client.call("GET", path, query="&&limit=100&").status == 200


def test_the_size_is_checked_before_the_content_type_and_that_before_the_json(scenario: BoardScenario) -> None:
    client, path = scenario.owner.client, f"{scenario.path}/meetings"
    for kind in ("", "text/plain", "application/jsonp", "json"):
        assert client.call("POST", path, raw="{", headers={"content-type": kind}).status == 415
        assert client.call("POST", path, raw="x" * 262_145, headers={"content-type": kind}).status == 413


def test_legacy_routes_ignore_parameters_that_they_do_not_define(scenario: BoardScenario) -> None:
    for path in ("/api/notification/", f"/api/board/{scenario.board_id}/action-items", "/api/invite/sent"):
        assert scenario.owner.client.call("GET", path, query="other=zzz&a=%FF&a=1&b%00=%00").status == 200
    assert Client().call("GET", "/api/v1/invite/status/x", query="a=%FF&b=%00&i=1&i=2").json == {"pending": False}
