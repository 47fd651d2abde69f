"""The audit log."""

from __future__ import annotations

import json

import pytest

from governance.http import json_array_stream
from governance.models.page import JsonArrayStream
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response


def log(scenario: BoardScenario, **query: object) -> Response:
    return scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}", **query)


def test_an_entry_has_exactly_the_specified_fields(scenario: BoardScenario) -> None:
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Spring"}).data
    (entry,) = log(scenario, anything="goes").json
    assert entry == {
        "_id": entry["_id"],
        "boardId": scenario.board_id,
        "actorUser": scenario.owner.id,
        "action": "meetingCreate",
        "details": {"id": meeting["id"], "title": "Spring"},
        "createdVia": "web",
        "createdAt": meeting["createdAt"],
        "updatedAt": meeting["createdAt"],
    }


def test_a_token_acts_as_agent_and_a_board_token_without_a_user(scenario: BoardScenario) -> None:
    scenario.personal_token(scenario.owner).post(f"{scenario.path}/meetings", {"title": "By token"})
    scenario.token().post(f"{scenario.path}/meetings", {"title": "By board token"})
    by_person, by_board = log(scenario).json
    assert (by_person["actorUser"], by_person["createdVia"]) == (scenario.owner.id, "agent")
    assert (by_board["actorUser"], by_board["createdVia"]) == (None, "agent")


def test_an_invalid_limit_and_a_forged_cursor_are_refused(scenario: BoardScenario) -> None:
    for query in ({"limit": "0"}, {"cursor": "forged"}):
        assert log(scenario, **query).failure == (400, "INVALID_QUERY_PARAMETER")


@pytest.mark.parametrize("compressed", [False, True])
def test_a_hundred_thousand_entries_fit_into_a_lambda_response(compressed: bool) -> None:
    text = json.dumps({"_id": "5" * 24, "details": {"title": '\u00fc"quoted"'}})
    entries = ((f"{n:06}", text.replace("5" * 24, f"{n * 7919:024x}")) for n in range(100_000))
    packed = json_array_stream.pack(JsonArrayStream(entries), compressed=compressed)
    assert len(json.dumps({"body": packed.body})) < 6 * 1024 * 1024
    assert (packed.position is None) == compressed


def test_gzip_is_sent_only_if_accepted() -> None:
    assert not any(
        json_array_stream.accepts_gzip(header) for header in ("", "br", "gzip;q=0", "gzip;q=0.0, *", "identity")
    )
    assert all(json_array_stream.accepts_gzip(header) for header in ("gzip", "br, GZIP", "gzip; q=0.1", "*"))
