"""The protocol: revisions, headers, errors, what is not a message."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.mcp.agent import META, PATH, Agent, modern_headers

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "preview_invite", "arguments": {}}}
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}


@pytest.fixture
def client(scenario: BoardScenario) -> Client:
    return scenario.owner.client


def post(client: Client, body: Any, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.call("POST", PATH, body, headers=named)


def error(response: Response) -> tuple[int, int]:
    return response.status, response.json["error"]["code"]


def test_a_handshake_of_the_older_revision_is_answered(client: Client) -> None:
    answers = {revision: revision for revision in ("2025-11-25", "2025-06-18", "2025-03-26")}
    for asked, answered in {**answers, "2024-11-05": "2025-11-25", "2099-01-01": "2025-11-25"}.items():
        params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        response = post(client, {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params})
        assert response.json["id"] == "a"
        assert response.json["result"]["protocolVersion"] == answered
        assert response.json["result"]["capabilities"] == {"tools": {}, "resources": {}}
        assert "mcp-session-id" not in response.headers
        assert "resultType" not in response.json["result"]


@pytest.mark.parametrize("modern", [True, False])
def test_a_method_is_answered_without_arguments(modern: bool, client: Client) -> None:
    agent = Agent(client, modern)
    (template,) = agent.ask("resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "kpi://{rogueId}"


def test_results_of_the_newer_revision_say_what_they_are_and_who_may_keep_them(client: Client) -> None:
    agent = Agent(client)
    discovered = agent.ask("server/discover")
    assert discovered["supportedVersions"] == ["2026-07-28", "2025-11-25"]
    assert (discovered["resultType"], discovered["cacheScope"]) == ("complete", "public")
    assert agent.ask("tools/list")["cacheScope"] == "private"
    for method in ("server/discover", "tools/list", "resources/list", "resources/templates/list"):
        assert agent.ask(method)["ttlMs"] > 0
    assert "cacheScope" not in Agent(client, modern=False).ask("tools/list")


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/unknown"])
def test_a_notification_is_accepted(method: str, client: Client) -> None:
    response = post(client, {"jsonrpc": "2.0", "method": method})
    assert (response.status, response.text) == (202, "")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", -32700),
        ('{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}', -32700),
        ("[" * 100 + "]" * 100, -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}', -32700),
        ("[]", -32600),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        ("null", -32600),
        ('{"id":1,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":1,"result":{}}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":5}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}', -32602),
    ],
)
def test_what_is_no_message_is_a_400(body: str, code: int, client: Client) -> None:
    assert error(client.call("POST", PATH, raw=body)) == (400, code)


def test_an_unknown_method_is_404_in_the_newer_revision_only(client: Client) -> None:
    for method in ("prompts/list", "subscriptions/listen", "x"):
        assert error(Agent(client).send(method)) == (404, -32601)
        assert error(Agent(client, modern=False).send(method)) == (200, -32601)


def test_what_belongs_to_a_handshake_is_of_the_older_revision(client: Client) -> None:
    assert Agent(client, modern=False).ask("ping") == {}
    for method in ("initialize", "ping"):
        assert error(Agent(client).send(method)) == (404, -32601)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"mcp-protocol-version": None}, -32020),
        ({"mcp-protocol-version": "2025-11-25"}, -32020),
        ({"mcp-method": None}, -32020),
        ({"mcp-method": "ping"}, -32020),
        ({"mcp-name": None}, -32020),
        ({"mcp-name": "list_boards"}, -32020),
        ({"mcp-name": "=?base64?!!?="}, -32020),
    ],
)
def test_headers_that_contradict_the_message_are_refused(
    change: dict[str, str | None], code: int, client: Client
) -> None:
    params = {"name": "get_me", "arguments": {}, "_meta": META}
    headers = {**modern_headers("tools/call", params), **change}
    sent = {name: value for name, value in headers.items() if value is not None}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    response = client.call("POST", PATH, body, headers=sent)
    assert error(response) == (400, code)
    assert response.json["id"] == 7


def test_a_name_may_be_encoded(client: Client) -> None:
    params = {"name": "get_me", "_meta": META}
    encoded = f"=?base64?{base64.b64encode(b'get_me').decode()}?="
    headers = {**modern_headers("tools/call", params), "mcp-name": encoded}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    assert client.call("POST", PATH, body, headers=headers).json["result"]["structuredContent"]


@pytest.mark.parametrize("stated", ["2025-11-25", "2025-06-18", "2025-03-26", None])
def test_a_message_of_an_earlier_revision_is_answered_and_a_batch_is_not(stated: str | None, client: Client) -> None:
    headers = {"mcp_protocol_version": stated} if stated else {}
    ping = {"jsonrpc": "2.0", "id": 1.0, "method": "ping"}
    assert post(client, ping, **headers).json == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert error(post(client, [ping], **headers)) == (400, -32600)
    for cursor in ("", None):
        listed = post(client, {**ping, "method": "tools/list", "params": {"cursor": cursor}}, **headers)
        assert listed.json["result"]["tools"]


def test_a_byte_order_mark_is_named(client: Client) -> None:
    refused = client.call("POST", PATH, raw="\ufeff" + json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
    assert error(refused) == (400, -32700)
    assert "byte-order mark" in refused.json["error"]["message"]


@pytest.mark.parametrize("stated", ["2024-11-05", "1900-01-01", "x"])
def test_another_revision_is_told_which_there_are(stated: str, client: Client) -> None:
    meta = {**META, "io.modelcontextprotocol/protocolVersion": stated}
    modern = post(
        client,
        {**DISCOVER, "params": {"_meta": meta}},
        mcp_protocol_version=stated,
        mcp_method="server/discover",
    )
    legacy = post(client, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, mcp_protocol_version=stated)
    for response in (modern, legacy):
        assert error(response) == (400, -32022)
        assert response.json["error"]["data"] == {"supported": ["2026-07-28", "2025-11-25"], "requested": stated}


def test_metadata_that_the_revision_requires_are_named(client: Client) -> None:
    for meta in ({}, {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}):
        body = {**DISCOVER, "params": {"_meta": meta}}
        response = post(client, body, mcp_protocol_version="2026-07-28", mcp_method="server/discover")
        assert error(response) == (400, -32602)
        assert "clientCapabilities" in response.json["error"]["message"]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_there_is_no_stream_and_no_session(method: str, client: Client) -> None:
    response = client.call(method, PATH)
    assert response.failure == (405, "METHOD_NOT_ALLOWED")
    assert response.headers["Allow"] == "POST"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://governance.example.com",
        "https://governance.example.com:8443",
        "https://[",
        "",
    ],
)
def test_a_page_of_another_origin_is_refused_and_one_of_the_service_served(origin: str, client: Client) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert post(client, body, origin=origin).failure == (403, "FORBIDDEN")
    assert post(client, body, origin="https://governance.example.com").status == 200


@pytest.mark.parametrize(
    "body", [DISCOVER, CALL, {**CALL, "params": {"name": "get_me"}}, {"jsonrpc": "2.0", "method": "x"}, {}, []]
)
def test_without_a_credential_nothing_is_answered(body: Any, scenario: BoardScenario) -> None:
    del scenario
    for bearer, code in ((None, "UNAUTHENTICATED"), ("svc_pat_broken", "INVALID_API_TOKEN")):
        response = Client(bearer).call("POST", PATH, body)
        assert response.failure == (401, code)
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_limits_of_bodies_hold(client: Client) -> None:
    long = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x" * 300_000}})
    assert client.call("POST", PATH, raw=long).failure == (413, "PAYLOAD_TOO_LARGE")
    plain = client.call("POST", PATH, raw="{}", headers={"content-type": "text/plain"})
    assert plain.failure == (415, "UNSUPPORTED_MEDIA_TYPE")
