"""The audit log."""

from __future__ import annotations

import json

import pytest

from governance.http import json_array_stream
from governance.models.page import JsonArrayStream
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import Client, Response
from tests.harness.clock import Clock
from tests.harness.store_calls import InlinePool, count_store_calls

MEMBERS = {"_id", "boardId", "actorUser", "action", "details", "createdVia", "createdAt", "updatedAt"}


def log(scenario: BoardScenario, client: Client | None = None, **query: object) -> Response:
    return (client or scenario.owner.client).get(f"/api/auditlog/{scenario.board_id}", **query)


def create_meeting(scenario: BoardScenario, count: int = 1) -> list[str]:
    path = f"{scenario.path}/meetings"
    return [scenario.owner.client.post(path, {"title": f"Meeting {n}"}).data["id"] for n in range(count)]


def test_an_entry_has_exactly_the_specified_fields(scenario: BoardScenario) -> None:
    (meeting,) = create_meeting(scenario)
    (entry,) = log(scenario).json
    assert set(entry) == MEMBERS
    assert entry["boardId"] == scenario.board_id
    assert entry["actorUser"] == scenario.owner.id
    assert (entry["action"], entry["createdVia"]) == ("meetingCreate", "web")
    assert entry["details"] == {"id": meeting, "title": "Meeting 0"}


def test_a_token_acts_as_agent_and_a_board_token_without_a_user(scenario: BoardScenario) -> None:
    scenario.personal_token(scenario.owner).post(f"{scenario.path}/meetings", {"title": "By token"})
    scenario.token().post(f"{scenario.path}/meetings", {"title": "By board token"})
    by_person, by_board = log(scenario).json
    assert (by_person["actorUser"], by_person["createdVia"]) == (scenario.owner.id, "agent")
    assert (by_board["actorUser"], by_board["createdVia"]) == (None, "agent")


def test_a_patch_of_status_and_title_writes_two_entries(scenario: BoardScenario) -> None:
    (meeting,) = create_meeting(scenario)
    scenario.owner.client.patch(f"{scenario.path}/meetings/{meeting}", {"status": "scheduled", "title": "Renamed"})
    details = {entry["action"]: entry["details"] for entry in log(scenario).json}
    assert details["meetingStatusChange"] == {"from": "draft", "to": "scheduled"}
    assert details["meetingUpdate"] == {"fields": ["title"]}


def test_an_entry_about_a_member_names_the_member_and_the_change(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    members = scenario.owner.client.get(f"{scenario.path}/members").data
    path = next(f"{scenario.path}/members/{member['id']}" for member in members if member["userId"] == ben.id)
    scenario.owner.client.patch(path, {"boardPositions": ["Chair"]})
    scenario.owner.client.delete(path)
    changed, removed = log(scenario).json
    assert changed["details"] == {"memberEmail": ben.email, "positions": ["Chair"], "fields": ["boardPositions"]}
    assert removed["action"] == "memberDelete"


def test_the_log_is_sorted_by_time_and_id(scenario: BoardScenario) -> None:
    create_meeting(scenario, 5)
    order = [(entry["createdAt"], entry["_id"]) for entry in log(scenario).json]
    assert order == sorted(order)
    assert len(order) == 5


def test_an_entry_expires_after_one_year(scenario: BoardScenario, clock: Clock) -> None:
    create_meeting(scenario)
    clock.advance(days=365, minutes=-1)
    assert len(log(scenario).json) == 1
    clock.advance(days=365)
    assert log(scenario).json == []


def test_only_admins_and_board_tokens_read_the_log(scenario: BoardScenario) -> None:
    create_meeting(scenario)
    for name, role in (("ann", "admin"), ("max", "member")):
        user = scenario.member(name, access_type="manager", admin_role="admin" if role == "admin" else "member")
        assert log(scenario, user.client).status == (200 if role == "admin" else 403)
    assert log(scenario, person("stranger").client).failure == (403, "FORBIDDEN")
    assert log(scenario, scenario.token("read_only")).status == 200
    assert log(scenario, Client()).failure == (401, "UNAUTHENTICATED")


def test_a_foreign_board_and_an_absent_one_are_the_same_404(scenario: BoardScenario) -> None:
    token = scenario.token("read_only")
    other = scenario.owner.client.post("/api/v1/boards", {"name": "Other"}).data["id"]
    for board in (other, "0" * 24, "nonsense"):
        assert token.get(f"/api/auditlog/{board}").failure == (404, "RESOURCE_NOT_FOUND")


def test_unknown_parameters_are_ignored_but_an_invalid_limit_is_refused(scenario: BoardScenario) -> None:
    create_meeting(scenario)
    assert len(log(scenario, anything="goes").json) == 1
    assert log(scenario, limit="0").failure == (400, "INVALID_QUERY_PARAMETER")
    assert log(scenario, cursor="forged").failure == (400, "INVALID_QUERY_PARAMETER")


def test_a_limit_pages_the_log_with_links(scenario: BoardScenario) -> None:
    create_meeting(scenario, 5)
    answers = scenario.owner.client.linked(f"/api/auditlog/{scenario.board_id}", "limit=2")
    seen = [entry["_id"] for answer in answers for entry in answer.json]
    assert seen == [entry["_id"] for entry in log(scenario).json]


@pytest.mark.parametrize("encoding", ["", "gzip", "br, gzip;q=0.5", "*"])
def test_a_large_log_is_cut_after_a_whole_entry_with_a_link(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    create_meeting(scenario, 30)
    monkeypatch.setattr(json_array_stream, "ANSWER_BYTES", 3000)
    monkeypatch.setattr(json_array_stream, "_CHUNK", 100)
    path, query, seen = f"/api/auditlog/{scenario.board_id}", "", []
    while True:
        response = scenario.owner.client.call("GET", path, query=query, headers={"accept-encoding": encoding})
        assert response.json
        seen += response.json
        if "link" not in response.headers:
            break
        query = response.headers["link"].partition("?")[2].partition(">")[0]
    assert ("content-encoding" in response.headers) == bool(encoding)
    assert len({entry["_id"] for entry in seen}) == len(seen) == 30


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


def test_reading_the_log_costs_one_read_and_the_query(scenario: BoardScenario, pool: InlinePool) -> None:
    create_meeting(scenario)
    with count_store_calls(pool) as calls:
        log(scenario)
    assert calls.sequential == ["BatchGetItem", "Query"]


def test_an_audit_entry_costs_no_extra_call(scenario: BoardScenario, pool: InlinePool) -> None:
    (meeting,) = create_meeting(scenario)
    with count_store_calls(pool) as calls:
        scenario.owner.client.patch(f"{scenario.path}/meetings/{meeting}", {"title": "Renamed"})
    assert calls.sequential == ["BatchGetItem", "TransactWriteItems"]
