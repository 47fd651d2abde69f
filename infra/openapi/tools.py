"""The tools of the MCP server, drawn from the OpenAPI document: the description of each for agents, and its call.

An agent pays for every word, so schemas are compact: references are inlined, and of an answer only the names of the
members that are always there are given (ADR agents).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from governance.http.api import Api
from governance.http.route import Access, Route
from infra.openapi.envelopes import envelope
from infra.openapi.links import operation_id
from infra.openapi.schemas import Schema

FILE = Path(__file__).resolve().parents[2] / "functions/mcp/tools.json"
_REPLACING_POSTS = {"confirmSlot", "openGuestLink", "rotateWebhookSecret", "transferBoardOwnership"}
_READING_POSTS = {"evaluateAccess", "evaluateAccessBatch"}
_LEFT_OUT_KEYWORDS = {"description", "additionalProperties", "minProperties"}
_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z`])")
_DESCRIPTION_CHARACTERS = 240
_TELLING_CHARACTERS = 55
"""A shorter sentence about a member says little more than its name."""
_PARAMETER = re.compile(r"\{(\w+)\}")


def text(apis: Mapping[str, Api], document: Schema) -> str:
    """Returns the tools as they are committed, one a line, by their names, and the groups of all operations."""
    drawn = sorted(_Tools(apis, document).drawn(), key=lambda tool: str(tool["listing"]["name"]))
    lines = ",\n".join(json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in drawn)
    return f'{{"groups": {json.dumps(sorted(apis))}, "tools": [\n{lines}\n]}}\n'


def tool_name(operation: str) -> str:
    """Returns the name of an operation's tool: its `operationId` in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


class _Tools:
    """The tools of some routes."""

    def __init__(self, apis: Mapping[str, Api], document: Schema) -> None:
        self._routes = [(group, route) for group, api in apis.items() for route in api.routes]
        self._paths: Schema = document["paths"]
        self._components: Schema = document["components"]

    def drawn(self) -> Iterator[Schema]:
        """Yields what the server has to know of each tool."""
        for group, route in self._routes:
            if route.agents:
                yield self._tool(group, route)

    def _tool(self, group: str, route: Route) -> Schema:
        operation = self._paths[route.path][route.method.lower()]
        query, body = self._query(operation), self._body(operation)
        path: Schema = {name: {"type": "string"} for name in _PARAMETER.findall(route.path)}
        members: Schema = {**path, **query, **body.get("properties", {})}
        if len(members) != len(path) + len(query) + len(body.get("properties", {})):
            raise ValueError(f"{route.path}: two arguments have one name")
        scope = route.admission.scope.name if isinstance(route.admission.scope, Access) else route.admission.scope.value
        return {
            "group": group,
            "method": route.method,
            "path": route.path,
            "query": [*query],
            "body": route.body is not None,
            "scope": scope,
            "audience": route.admission.audience.name,
            "shape": route.shape,
            "listing": {
                "name": tool_name(operation["operationId"]),
                "description": _leading_sentences(operation["description"].rpartition("\n\n")[0]),
                "inputSchema": _object(members, [*path, *body.get("required", [])]),
                "outputSchema": self._answer(route),
                "annotations": _annotations(route),
            },
        }

    def _query(self, operation: Schema) -> Schema:
        """Returns the schemas of the query parameters; those that mean the same everywhere are not explained again."""
        schemas: Schema = {}
        for given in operation.get("parameters", []):
            parameter = self._resolved(given)
            if parameter["in"] == "query":
                about = {} if "$ref" in given else _about(parameter["description"])
                schemas[parameter["name"]] = {**self._inlined(parameter["schema"]), **about}
        return schemas

    def _body(self, operation: Schema) -> Schema:
        """Returns the schema of a body; its own members are explained, what is inside them is not."""
        if "requestBody" not in operation:
            return {}
        body = self._resolved(operation["requestBody"]["content"]["application/json"]["schema"])
        members = {
            name: {**self._inlined(part), **_about(part["description"])} for name, part in body["properties"].items()
        }
        return {"properties": members, "required": body.get("required", [])}

    def _answer(self, route: Route) -> Schema:
        """Returns the schema of an answer, which is always an object: a bare array is in its `items`.

        Its members are named where reading it is the point; a change returns what the tool that reads it returns.
        """
        answer = self._components["schemas"][envelope(route)] if route.method == "GET" else {}
        if route.shape == "array":
            return _holding("items", {"type": "array", "items": _outline(answer)})
        if route.shape == "bare":
            return _outline(answer)
        inner = _outline(self._resolved(self._element(answer["properties"]["data"])) if answer else {})
        return _holding("data", {"type": "array", "items": inner} if route.shape == "collection" else inner)

    def _element(self, schema: Schema) -> Schema:
        element: Schema = schema["items"] if schema.get("type") == "array" else schema
        return element

    def _resolved(self, schema: Schema) -> Schema:
        if "$ref" not in schema:
            return schema
        *_, kind, name = schema["$ref"].split("/")
        component: Schema = self._components[kind][name]
        return component

    def _inlined(self, schema: Any) -> Any:
        """Returns a schema without references and without descriptions."""
        if isinstance(schema, list):
            return [self._inlined(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            own = {key: value for key, value in schema.items() if key != "$ref"}
            return self._inlined({**self._resolved(schema), **own})
        return {
            key: {name: self._inlined(part) for name, part in value.items()}
            if key == "properties"
            else self._inlined(value)
            for key, value in schema.items()
            if key not in _LEFT_OUT_KEYWORDS and not (key == "minLength" and value < 2)
        }


def _about(text: str) -> Schema:
    """Returns the first sentence about a member as its description, if it says more than the name."""
    sentence = _SENTENCE_END.split(text)[0]
    return {"description": sentence} if len(sentence) > _TELLING_CHARACTERS else {}


def _leading_sentences(text: str) -> str:
    """Returns the sentences that fit the characters of a description: what matters is said first."""
    kept = ""
    for sentence in _SENTENCE_END.split(text):
        if kept and len(kept) + len(sentence) >= _DESCRIPTION_CHARACTERS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept


def _object(members: Schema, required: list[str]) -> Schema:
    """Returns the schema of arguments. Some clients refuse a tool without `properties`, so that it may be empty."""
    return {"type": "object", "properties": members, **({"required": required} if required else {})}


def _holding(name: str, schema: Schema) -> Schema:
    return {"type": "object", "properties": {name: schema}, "required": [name]}


def _outline(schema: Schema) -> Schema:
    """Returns an object's schema with no more than the names of the members that are always there."""
    outline: Schema = {"type": "object"}
    names = [name for name in schema.get("required", []) if name != "object"]
    return {**outline, "required": names} if names else outline


def _annotations(route: Route) -> Schema:
    """Returns the hints of a tool: a change that replaces or removes something counts as destructive."""
    operation = operation_id(route)
    if route.method == "GET" or operation in _READING_POSTS:
        return {"readOnlyHint": True}
    replaces = route.method != "POST" or operation in _REPLACING_POSTS
    hints = {"destructiveHint": replaces}
    return {**hints, "idempotentHint": True} if route.method in {"PUT", "DELETE"} else hints
