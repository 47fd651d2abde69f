"""An agent for tests: sends JSON-RPC messages to the MCP endpoint, in either revision of the protocol."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.mcp.protocol import LEGACY, MODERN
from infra.openapi import tools as drawn
from tests.harness.client import Client, Response

PATH = "/mcp"
SPECS: list[dict[str, Any]] = json.loads(drawn.FILE.read_text(encoding="utf-8"))["tools"]
"""The tools with their listings and their routes, as `make openapi` writes them."""
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
LEGACY_HEADERS = {"mcp-protocol-version": LEGACY}
_NAMED = {"tools/call": "name", "resources/read": "uri"}
_ids = itertools.count(1)


def modern_headers(method: str, params: Mapping[str, Any]) -> dict[str, str]:
    """Returns the headers that repeat a message of the newer revision."""
    name = params.get(_NAMED.get(method, ""))
    return {"mcp-protocol-version": MODERN, "mcp-method": method} | ({"mcp-name": name} if name else {})


@dataclass
class Agent:
    """A client of the MCP endpoint with a credential."""

    client: Client
    modern: bool = True
    query: str = ""

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> Response:
        """Sends a request and returns the HTTP response."""
        given = dict(params or {})
        headers = LEGACY_HEADERS
        if self.modern:
            given["_meta"] = {**META, **given.get("_meta", {})}
            headers = modern_headers(method, given)
        body = {"jsonrpc": "2.0", "id": next(_ids), "method": method, "params": given}
        return self.client.call("POST", PATH, body, headers=headers, query=self.query)

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Sends a request and returns its result."""
        response = self.send(method, params)
        assert response.status == 200, response.text
        return response.json["result"]

    def call(self, tool: str, key: str | None = None, /, **arguments: Any) -> Any:
        """Calls a tool and returns the result; `key` makes a repeat safe."""
        meta = {"_meta": {"idempotencyKey": key}} if key else {}
        return self.ask("tools/call", {"name": tool, "arguments": arguments, **meta})

    def refusal(self, tool: str, key: str | None = None, /, **arguments: Any) -> Any:
        """Calls a tool that the API refuses; returns the code of the error."""
        return json.loads(self.call(tool, key, **arguments)["content"][0]["text"])["error"]["code"]

    def tools(self) -> dict[str, Any]:
        """Returns the tools that are listed, by name."""
        return {tool["name"]: tool for tool in self.ask("tools/list")["tools"]}
