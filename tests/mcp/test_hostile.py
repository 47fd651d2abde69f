"""Hostile messages: whatever is sent, the answer is JSON-RPC or the envelope, and never a 500."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from governance.mcp.server import METHODS
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.mcp.agent import META, PATH, SPECS

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
_JSON = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner))
_TOOLS = [spec["listing"] for spec in SPECS]
_HARMLESS = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def _calls(draw: st.DrawFn) -> Any:
    """A call of a real tool with arguments of any kind under names that it may have."""
    tool = draw(st.sampled_from(_TOOLS))
    names = [*tool["inputSchema"].get("properties", {}), "other"]
    arguments = draw(st.dictionaries(st.sampled_from(names), _JSON, max_size=len(names)))
    return {"name": tool["name"], "arguments": arguments, "_meta": draw(_meta())}


def _meta() -> st.SearchStrategy[Any]:
    return st.just(META) | st.fixed_dictionaries({}, optional={"idempotencyKey": _SCALARS}) | _JSON


def _messages() -> st.SearchStrategy[Any]:
    params = _JSON | _calls() | st.fixed_dictionaries({"_meta": _meta()}, optional={"uri": _JSON, "name": _JSON})
    known = {"jsonrpc": st.just("2.0"), "method": st.sampled_from([*METHODS]) | st.text(max_size=12)}
    whole = st.fixed_dictionaries(known, optional={"id": _SCALARS, "params": params})
    return whole | _JSON | st.lists(whole, max_size=2)


_HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "mcp-protocol-version": st.sampled_from(["2026-07-28", "2025-11-25", "1", ""]),
        "mcp-method": st.sampled_from([*METHODS, ""]),
        "mcp-name": st.sampled_from([*(tool["name"] for tool in _TOOLS), "=?base64?=?=", "=?base64?w6k?="]),
    },
)


def check(response: Response) -> None:
    assert response.status < 500, response.text
    if response.status == 202:
        assert response.text == ""
        return
    answer = json.loads(response.text)
    if answer.get("jsonrpc") == "2.0":
        assert ("result" in answer) != ("error" in answer)
        assert "id" in answer
    else:
        assert response.status in {403, 404, 405, 413, 415, 429}
        assert answer["error"]["code"]


@_HARMLESS
@given(message=_messages(), headers=_HEADERS)
def test_any_message_is_answered(message: Any, headers: dict[str, str], scenario: BoardScenario) -> None:
    check(scenario.owner.client.call("POST", PATH, message, headers=headers))


@_HARMLESS
@given(body=st.text(max_size=200))
def test_any_text_is_answered(body: str, scenario: BoardScenario) -> None:
    check(Client(scenario.owner.client.bearer).call("POST", PATH, raw=body))


@_HARMLESS
@given(call=_calls())
def test_any_arguments_are_answered(call: Any, scenario: BoardScenario) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": call["name"]}
    check(scenario.owner.client.call("POST", PATH, body, headers=headers))
