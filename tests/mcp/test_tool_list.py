"""The list of tools: it follows from the routes, says what an agent needs, and names what its credential permits."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema_rs
import pytest

from infra.catalog import agents
from infra.openapi import tools as drawn
from infra.openapi.document import ROOT, apis, document
from infra.openapi.links import operation_id
from infra.operator.demo import AGENT_GROUPS
from tests.harness.actors import Actors, new_actors
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME
from tests.mcp.agent import SPECS, Agent

LEFT_OUT = {
    *("create_live_ticket", "create_calendar_feed", "get_mail_subscription", "unsubscribe_from_mails"),
    *("create_board_export", "list_board_exports", "get_board_export"),
    *("create_my_export", "list_my_exports", "get_my_export"),
    *("create_my_token", "list_my_tokens", "revoke_my_token"),
    *("create_board_token", "list_board_tokens", "revoke_board_token"),
    *("get_guest_meeting", "vote_on_slot_as_guest", "get_invite_status"),
    *(
        "open_resolution",
        "put_ballot",
        "delete_ballot",
        "put_resolution_proxy",
        "delete_resolution_proxy",
        "put_resolution_recusal",
        "delete_resolution_recusal",
    ),
    *("close_resolution", "withdraw_resolution"),
    *("preview_removal", "list_invite_names", "publish_meeting_pack"),
    *("get_meeting_people", "put_meeting_people"),
    *("list_series", "create_series", "get_series", "update_series", "delete_series", "get_meeting_series"),
    *("list_series_occurrences", "put_series_occurrence", "delete_series_occurrence", "open_series_occurrence"),
    *("list_agenda_templates", "create_agenda_template", "get_agenda_template", "update_agenda_template"),
    *("delete_agenda_template", "apply_agenda_template"),
    *("list_backlog_items", "create_backlog_item", "update_backlog_item", "delete_backlog_item", "place_backlog_item"),
    *("postpone_agenda_item", "list_plan_items", "create_plan_item", "get_plan_item", "update_plan_item"),
    *("delete_plan_item", "get_plan_year", "place_plan_item"),
    *("list_paper_requests", "create_paper_request", "get_paper_request", "update_paper_request"),
    *("delete_paper_request", "deliver_paper_request", "decide_paper_request", "remind_paper_request"),
    *("create_paper_version", "complete_paper_version"),
    *("circulate_minutes", "get_minutes_approval", "list_minutes_versions", "get_minutes_version"),
    *("get_minutes_signers", "put_minutes_signers", "sign_minutes", "add_agenda_approvals"),
    *("approve_minutes", "correct_minutes", "get_minutes_correction", "get_minute_book"),
    *("create_minutes_document", "create_minute_book_document", "create_signed_minutes", "complete_signed_minutes"),
    *("list_minutes_remarks", "create_minutes_remark", "dispose_minutes_remark", "delete_minutes_remark"),
    *("get_paper_slot", "create_paper_slot_version", "complete_paper_slot_version"),
}
"""Credentials, large files, what people without an account do, votes, which are a person's own, what the pages ask
before a removal and show beside addresses, that all are told to read, who is invited without an account, what a
secretary plans, papers that people are asked for, and minutes on their way to approval."""
READ_ONLY_BYTES, SESSION_BYTES = 36_000, 124_000
"""Of some fifty tools that read, each of some 700 bytes, and of all; `groups` gives an agent fewer."""


@pytest.fixture
def actors(store: str) -> Actors:
    del store
    return new_actors()


def test_the_tools_are_those_that_the_routes_draw() -> None:
    assert drawn.FILE.read_text(encoding="utf-8") == drawn.text(apis(), document()), "run `make openapi`"
    assert agents.FILE.read_text(encoding="utf-8") == agents.text(), "run `make openapi`"


def test_every_operation_is_a_tool_but_those_left_out() -> None:
    every = {drawn.tool_name(operation_id(route)) for route in ROUTES_BY_NAME.values()}
    assert {spec["listing"]["name"] for spec in SPECS} == every - LEFT_OUT
    assert every >= LEFT_OUT


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["listing"]["name"])
def test_a_tool_says_what_an_agent_needs(spec: dict[str, Any]) -> None:
    tool = spec["listing"]
    assert re.fullmatch(r"[a-z][a-z_]{1,63}", tool["name"])
    assert 40 <= len(tool["description"]) <= 700
    for schema in (tool["inputSchema"], tool["outputSchema"]):
        jsonschema_rs.meta.validate(schema)
        assert schema["type"] == "object"
        assert "$ref" not in json.dumps(schema)
    assert isinstance(tool["inputSchema"]["properties"], dict)
    assert tool["annotations"].get("readOnlyHint", False) == (spec["method"] == "GET" or "evaluate" in tool["name"])


def test_deleting_and_replacing_are_destructive_and_creating_is_not() -> None:
    hints = {spec["listing"]["name"]: spec["listing"]["annotations"] for spec in SPECS}
    assert hints["delete_board"] == {"destructiveHint": True, "idempotentHint": True}
    for replacing in ("transfer_board_ownership", "open_guest_link", "rotate_webhook_secret"):
        assert hints[replacing] == {"destructiveHint": True}
    assert hints["create_meeting"] == {"destructiveHint": False}
    assert hints["list_boards"] == {"readOnlyHint": True}


@pytest.mark.parametrize("column", ["owner", "outsider", "pat_read", "pat_full", "bat_read", "bat_write"])
def test_the_list_names_what_the_kind_and_the_scopes_of_the_credential_permit(column: str, actors: Actors) -> None:
    """A listed tool is never refused for the credential, and one that is not listed always is."""
    listed = Agent(actors.clients[column]).tools()
    for spec in SPECS:
        path = re.sub(r"\{boardId\}", actors.board.board_id, spec["path"])
        path = re.sub(r"\{\w+\}", "0" * 24, path)
        operation = next(
            operation_id(ROUTES_BY_NAME[name]) for name in ROUTE_NAMES if name == f"{spec['method']} {spec['path']}"
        )
        body = {"action": {"name": operation}, "resource": {"type": "route", "id": path}}
        refusal = actors.clients[column].post("/api/v1/access/evaluation", body).json["context"] or {}
        message = refusal.get("message", "")
        by_credential = "requiredScope" in refusal or "token" in message or refusal.get("status") == 401
        assert (spec["listing"]["name"] in listed) != by_credential, (spec["path"], refusal)


@pytest.mark.parametrize(("column", "most"), [("bat_read", READ_ONLY_BYTES), ("owner", SESSION_BYTES)])
def test_the_list_is_short_enough_to_be_read_by_a_model(column: str, most: int, actors: Actors) -> None:
    response = Agent(actors.clients[column]).send("tools/list")
    assert len(response.text.encode()) < most


def test_an_address_offers_the_tools_of_the_groups_that_it_names(agent: Agent) -> None:
    agent.query = "groups=meetings,documents"
    groups = {spec["listing"]["name"]: spec["group"] for spec in SPECS}
    assert agent.tools().keys() == {name for name, group in groups.items() if group in {"meetings", "documents"}}
    assert agent.send("tools/call", {"name": "get_me", "arguments": {}}).json["error"]["code"] == -32602
    agent.query = "groups=exports,guests"
    assert agent.tools() == {}
    agent.query = "groups=account"
    assert agent.call("get_me")["structuredContent"]


@pytest.mark.parametrize("groups", ["nothing", "", "meetings,", "meetings,nothing", "Meetings"])
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "resources/list", "server/discover"])
def test_an_address_with_an_unknown_group_is_a_400_for_every_method(groups: str, method: str, agent: Agent) -> None:
    agent.query = f"groups={groups}"
    refused = agent.send(method, {"name": "get_me"} if method == "tools/call" else {})
    assert refused.failure == (400, "INVALID_QUERY_PARAMETER")
    assert refused.fields.keys() == {"groups"}


def test_the_address_that_is_shown_to_agents_offers_fewer_tools_than_clients_take(agent: Agent) -> None:
    agent.query = f"groups={','.join(AGENT_GROUPS)}"
    assert 50 < len(agent.tools()) <= 100
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f'"url": "http://127.0.0.1:8000/mcp?{agent.query}"' in readme


def test_the_list_has_one_order_and_one_page(agent: Agent) -> None:
    assert list(agent.tools()) == sorted(agent.tools())
    refused = agent.send("tools/list", {"cursor": "x"})
    assert refused.json["error"]["code"] == -32602
