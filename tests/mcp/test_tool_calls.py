"""Calls of tools: each is a request of the API, with its answers, errors, limits and log line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from governance.http.rate_limit import flood_charge
from governance.mcp import server
from governance.sizes import sent_bytes
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Client
from tests.harness.logs import CurrentStdout
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.mcp.agent import LEGACY_HEADERS, PATH, Agent

REQUIRED, UNKNOWN = "is required", "is not an argument of this tool"
BLANK = "must not be only white space"


# -- answers


def test_an_answer_is_structured_and_the_same_as_text(agent: Agent, scenario: BoardScenario) -> None:
    result = agent.call("get_board", boardId=scenario.board_id)
    assert result["structuredContent"] == json.loads(result["content"][0]["text"])
    assert result["structuredContent"]["data"] == scenario.owner.client.get(scenario.path).data
    assert "isError" not in result


def test_a_list_inside_an_object_says_how_to_go_on(agent: Agent, scenario: BoardScenario) -> None:
    meeting = _meeting(agent, scenario)
    for title in ("One", "Other"):
        scenario.owner.client.post(f"{scenario.path}/meetings/{meeting}/action-items", {"title": title})
    first = agent.call("list_board_action_items", boardId=scenario.board_id, limit=1)
    cursor = first["content"][1]["text"].partition("`cursor`: ")[2]
    rest = agent.call("list_board_action_items", boardId=scenario.board_id, limit=1, cursor=cursor)
    assert [result["structuredContent"]["actionItems"][0]["title"] for result in (first, rest)] == ["One", "Other"]
    assert len(rest["content"]) == 1


def test_a_bare_array_is_in_items(agent: Agent, scenario: BoardScenario) -> None:
    scenario.owner.client.delete(f"{scenario.path}/meetings/{_meeting(agent, scenario)}")
    result = agent.call("list_audit_entries", boardId=scenario.board_id, limit=1)["structuredContent"]
    assert len(result["items"]) == 1
    rest = agent.call("list_audit_entries", boardId=scenario.board_id, limit=1, cursor=result["nextCursor"])
    assert rest["structuredContent"]["items"] != result["items"]


def _meeting(agent: Agent, scenario: BoardScenario, **more: Any) -> str:
    arguments = {"boardId": scenario.board_id, "title": "Plan", "status": "scheduled", **more}
    return str(agent.call("create_meeting", **arguments)["structuredContent"]["data"]["id"])


def test_a_filter_takes_a_list_as_its_schema_says(agent: Agent, scenario: BoardScenario) -> None:
    path = f"{scenario.path}/meetings/{_meeting(agent, scenario)}/action-items"
    for status in ("in_progress", "completed", "cancelled"):
        scenario.owner.client.post(path, {"title": "Send", "assigneeUserId": scenario.owner.id, "status": status})
    wanted = ["completed", "cancelled"]
    schema = agent.tools()["list_my_action_items"]["inputSchema"]
    assert jsonschema_rs.is_valid(schema, {"status": wanted})
    items = agent.call("list_my_action_items", status=wanted)["structuredContent"]["actionItems"]
    assert {item["status"] for item in items} == {*wanted}


def test_bad_arguments_of_path_and_body_are_named_together(agent: Agent, scenario: BoardScenario) -> None:
    def offences(**arguments: Any) -> set[str]:
        return set(
            agent.send("tools/call", {"name": "create_meeting", "arguments": arguments}).json["error"]["data"]["fields"]
        )

    assert offences(boardId=1, title=2, status="x", nonsense=True) == {"boardId", "title", "status", "nonsense"}
    assert offences(boardId=scenario.board_id, title="", location=1) == {"title", "location"}


def test_an_error_of_the_api_is_a_result_with_its_envelope(scenario: BoardScenario) -> None:
    guest = scenario.member("gwen", access_type="guest")
    result = Agent(guest.client).call("create_meeting", boardId=scenario.board_id, title="Plan")
    assert result["isError"] is True
    assert "structuredContent" not in result
    envelope = json.loads(result["content"][0]["text"])["error"]
    assert (envelope["status"], envelope["code"]) == (403, "FORBIDDEN")


def test_an_answer_that_is_too_large_says_whether_the_change_was_made(
    agent: Agent, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ANSWER_BYTES", 200)
    asked = agent.call("get_board", boardId=scenario.board_id)
    made = agent.call("create_meeting", boardId=scenario.board_id, title="Plan")
    assert [result["isError"] for result in (asked, made)] == [True, True]
    assert "ask for less" in asked["content"][0]["text"]
    assert "The change was made" in made["content"][0]["text"]
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings")) == 1


def test_an_answer_is_shown_up_to_the_very_size_that_lambda_returns(
    agent: Agent, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = {"name": "get_board", "arguments": {"boardId": scenario.board_id}}
    size = sent_bytes(agent.send("tools/call", call).text)
    for largest, is_refused in ((size, False), (size - 1, True)):
        monkeypatch.setattr(server, "ANSWER_BYTES", largest)
        assert agent.send("tools/call", call).json["result"].get("isError", False) is is_refused


def test_a_malformed_idempotency_key_is_named_as_the_call_has_it(agent: Agent, scenario: BoardScenario) -> None:
    arguments = {"boardId": scenario.board_id, "title": "Plan"}
    call = {"name": "create_meeting", "arguments": arguments, "_meta": {"idempotencyKey": "x" * 256}}
    assert agent.send("tools/call", call).json["error"]["data"]["fields"].keys() == {"_meta.idempotencyKey"}


def test_the_request_id_of_an_error_is_that_of_the_response(agent: Agent, scenario: BoardScenario) -> None:
    params = {"name": "get_meeting", "arguments": {"boardId": scenario.board_id, "meetingId": "x"}}
    response = agent.send("tools/call", params)
    text = json.loads(response.json["result"]["content"][0]["text"])
    assert text["error"]["requestId"] == response.headers["x-request-id"]


@pytest.mark.parametrize(
    ("tool", "arguments", "fields"),
    [
        ("get_board", {}, {"boardId": REQUIRED}),
        ("get_board", {"boardId": 5, "x": 1}, {"boardId": "must be a string", "x": UNKNOWN}),
        (
            "list_boards",
            {"limit": "many", "order": "up"},
            {"limit": "must be an integer from 1 to 100", "order": "must be 'asc' or 'desc'"},
        ),
        ("list_boards", {"limit": [1]}, {"limit": "must be one value"}),
        ("list_my_action_items", {"status": [[]]}, {"status": "must be a list of values"}),
        ("list_my_action_items", {"status": {}}, {"status": "must be a list of values"}),
        (
            "list_my_action_items",
            {"status": ["nonsense"]},
            {"status": "must be 'in_progress', 'completed' or 'cancelled'"},
        ),
        ("create_board", {"name": " ", "description": 5}, {"name": BLANK, "description": "must be a string"}),
        ("create_board", {"title": "x"}, {"title": UNKNOWN, "name": REQUIRED}),
    ],
)
def test_bad_arguments_are_an_error_that_says_what_each_must_be(
    tool: str, arguments: dict[str, Any], fields: dict[str, str], agent: Agent
) -> None:
    error = agent.send("tools/call", {"name": tool, "arguments": arguments}).json["error"]
    assert error["code"] == -32602
    assert error["data"]["fields"] == fields
    named = "; ".join(f"{name} {why}" for name, why in error["data"]["fields"].items())
    assert error["message"] == f"Bad arguments: {named}."


def test_an_unknown_tool_is_an_error(agent: Agent) -> None:
    legacy = Agent(agent.client, modern=False)
    for name in ("nothing", "create_my_token", "getBoard", None, 5):
        assert legacy.send("tools/call", {"name": name}).json["error"]["code"] == -32602


@pytest.mark.parametrize("value", ["a/b", "..", "a%2fb", "", "?x=1", "{boardId}", "\n"])
def test_an_id_never_leads_to_another_route(value: str, agent: Agent) -> None:
    assert agent.refusal("get_board", boardId=value) == "RESOURCE_NOT_FOUND"


def test_a_number_keeps_the_decimals_that_were_written(scenario: BoardScenario) -> None:
    owner = scenario.owner.client
    report = owner.post(f"/api/v1/boards/{scenario.board_id}/reports", {"title": "Report"}).data["id"]
    field = {"fieldId": "f", "isStub": False, "label": "Profit", "displayOrder": 1, "value": "VALUE"}
    arguments = {"boardId": scenario.board_id, "reportId": report, "dashboardType": "uniform"}
    call = {"name": "create_dashboard", "arguments": {**arguments, "uniform": {"fields": [field]}}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    answer = owner.call("POST", PATH, raw=message.replace('"VALUE"', "12.50"), headers=LEGACY_HEADERS)
    assert '"value":12.50' in owner.get(f"/api/v1/boards/{scenario.board_id}/reports/{report}/dashboards").text
    assert '"value":12.50' in answer.json["result"]["content"][0]["text"]


def test_a_repeated_create_with_one_key_creates_once(agent: Agent, scenario: BoardScenario) -> None:
    arguments = {"boardId": scenario.board_id, "title": "Plan", "status": "scheduled"}
    first, second = (agent.call("create_meeting", "key-1", **arguments) for _ in range(2))
    assert first["structuredContent"] == second["structuredContent"]
    assert agent.refusal("create_meeting", "key-1", **{**arguments, "title": "Other"}) == "IDEMPOTENCY_CONFLICT"
    assert len(scenario.owner.client.all(f"{scenario.path}/meetings")) == 1


def test_a_public_tool_needs_a_credential_and_no_scope(scenario: BoardScenario) -> None:
    agent, code = Agent(scenario.token("read_only")), "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"
    assert agent.refusal("preview_invite", inviteCode=code) == "RESOURCE_NOT_FOUND"


def test_a_call_of_a_public_tool_counts_for_the_address_of_its_client(scenario: BoardScenario) -> None:
    bearer, code = scenario.token("read_only").bearer, "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"
    for address, calls in (("198.51.100.9", 2), ("198.51.100.10", 1)):
        for _ in range(calls):
            Agent(Client(bearer, address=address)).call("preview_invite", inviteCode=code)
        assert flood_charge(address).lease.spent == calls


def test_a_session_only_route_refuses_a_token_as_a_result(scenario: BoardScenario) -> None:
    assert Agent(scenario.personal_token(scenario.owner)).refusal("list_my_sent_invites") == "UNAUTHENTICATED"


def test_a_call_is_audited_as_that_of_an_agent(scenario: BoardScenario) -> None:
    agent = Agent(scenario.personal_token(scenario.owner))
    meeting = _meeting(agent, scenario)
    assert agent.call("delete_meeting", boardId=scenario.board_id, meetingId=meeting)
    entries = scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json
    assert [(entry["action"], entry["createdVia"]) for entry in entries][-1] == ("meetingDelete", "agent")


def test_a_call_reads_the_store_no_more_than_its_route(scenario: BoardScenario, pool: InlinePool) -> None:
    agent = Agent(scenario.owner.client)
    with count_store_calls(pool) as direct:
        scenario.owner.client.get(scenario.path)
    with count_store_calls(pool) as called:
        agent.call("get_board", boardId=scenario.board_id)
    assert called.sequential == direct.sequential


# -- limits and logs


@pytest.fixture
def limited(pool: InlinePool) -> Iterator[BoardScenario]:
    del pool
    with engine.fresh_table(RATE_LIMIT_PRINCIPAL="40"):
        yield new_board_scenario()


def test_a_message_counts_as_one_request_whatever_becomes_of_it(limited: BoardScenario) -> None:
    agent, client = Agent(limited.owner.client), limited.owner.client

    def left() -> int:
        return int(client.get("/api/v1/me").headers["RateLimit-Remaining"])

    before = left()
    for method, params in (
        ("resources/list", {}),
        ("tools/list", {}),
        ("x", {}),
        ("tools/call", {"name": "get_me"}),
        ("tools/call", {"name": "nothing"}),
        ("tools/call", {"name": "get_board", "arguments": {"boardId": "a/b"}}),
        ("tools/call", {"name": "get_board", "arguments": {}}),
    ):
        agent.send(method, params)
        assert left() == before - 2, method
        before -= 2


def test_a_call_of_a_public_tool_states_the_window_of_its_caller(limited: BoardScenario) -> None:
    call = {"name": "preview_invite", "arguments": {"inviteCode": "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c"}}
    assert Agent(limited.owner.client).send("tools/call", call).headers["RateLimit-Limit"] == "40"


def test_an_exhausted_window_refuses_messages_and_calls(limited: BoardScenario) -> None:
    agent = Agent(limited.owner.client)
    while limited.owner.client.get("/api/v1/me").status == 200:
        pass
    assert agent.send("tools/list").failure == (429, "RATE_LIMITED")
    called = agent.send("tools/call", {"name": "get_me"})
    assert json.loads(called.json["result"]["content"][0]["text"])["error"]["code"] == "RATE_LIMITED"
    assert int(called.headers["Retry-After"]) > 0


def test_the_log_names_the_tool_and_never_what_it_is_called_with(
    agent: Agent, scenario: BoardScenario, capsys: pytest.CaptureFixture[str]
) -> None:
    from governance import telemetry

    telemetry.logger().setLevel("INFO")
    setattr(telemetry.logger().registered_handler, "stream", CurrentStdout())  # noqa: B010 - of a handler of streams
    _meeting(agent, scenario, title="Very secret title")
    agent.send("tools/call", {"name": "Very secret tool"})
    agent.send("Very secret method")
    agent.ask("resources/read", {"uri": "kpi://finance.ebitda"})
    printed = capsys.readouterr().out
    routes = [json.loads(line)["route"] for line in printed.splitlines() if '"route"' in line]
    assert routes[:3] == ["/mcp create_meeting", "/mcp tools/call", "/mcp"]
    assert "secret" not in printed
