"""Writes the module `lib/openapi.js` of the pages from the OpenAPI document: the operations that they call, and limits.

So no path and no limit of the API stands in the pages too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from infra.openapi.document import FILE

NAME = "lib/openapi.js"
_QUOTED = re.compile(r"'(\w+)'")
_METHODS = {"get", "post", "put", "patch", "delete"}


def api_module(sources: Iterable[str]) -> bytes:
    """Returns the module for scripts that name operations by their quoted ids.

    `OPERATIONS` has `[method, path]` of each; `LIMITS` the greatest length of each text and list of its request
    body, by its path.
    """
    document = json.loads(FILE.read_text(encoding="utf-8"))
    named = {name for source in sources for name in _QUOTED.findall(source)}
    operations: dict[str, list[str]] = {}
    limits: dict[str, dict[str, int]] = {}
    for name, method, path, operation in _operations(document):
        if name in named:
            operations[name] = [method.upper(), path]
            limits[name] = dict(_lengths(document, operation))
    given = {name: lengths for name, lengths in limits.items() if lengths}
    return f"export const OPERATIONS = {json.dumps(operations)};\nexport const LIMITS = {json.dumps(given)};\n".encode()


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    for path, item in document["paths"].items():
        for method in sorted(_METHODS & item.keys()):
            yield item[method]["operationId"], method, path, item[method]


def _lengths(document: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    yield from _lengths_of(document, body, "")


def _lengths_of(document: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, int]]:
    """Yields the greatest length of each text and list in a schema, by its path: `items.title` is in its entries."""
    for name, field in _resolved(document, schema).get("properties", {}).items():
        for shape in [_resolved(document, each) for each in field.get("anyOf", [field])]:
            if most := shape.get("maxLength", shape.get("maxItems")):
                yield path + name, most
            yield from _lengths_of(document, shape.get("items", shape), f"{path}{name}.")


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref", "")
    return document["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema
