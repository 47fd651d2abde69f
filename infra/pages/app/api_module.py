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
_BOUNDS = ("minimum", "maximum", "default", "enum")


def api_module(sources: Iterable[str]) -> bytes:
    """Returns the module for scripts that name operations by their quoted ids.

    `OPERATIONS` has `[method, path]` of each. Of the fields of its request body, by their paths, `LIMITS` has the
    greatest length of each text and list, `NUMBERS` the `minimum`, `maximum`, `default` and `enum` of each number, and
    `VALUES` the words that a text, or a text of a list, is chosen from. `LINKS` has the paths of each
    type of notifications, of which the first leads whose fields the notification has.
    """
    document = json.loads(FILE.read_text(encoding="utf-8"))
    named = {name for source in sources for name in _QUOTED.findall(source)}
    operations: dict[str, list[str]] = {}
    limits: dict[str, dict[str, int]] = {}
    numbers: dict[str, dict[str, Any]] = {}
    words: dict[str, dict[str, list[str]]] = {}
    for name, method, path, operation in _operations(document):
        if name in named:
            operations[name] = [method.upper(), path]
            fields = list(_fields(document, _body_of(operation), ""))
            limits[name] = {field: most for field, shape in fields if (most := _longest(shape))}
            numbers[name] = {field: bounds for field, shape in fields if (bounds := _bounds(shape))}
            words[name] = {field: chosen for field, shape in fields if (chosen := _words(document, shape))}
    links = document["components"]["schemas"]["NotificationType"]["x-links"]
    values = {
        "OPERATIONS": operations,
        "LIMITS": _given(limits),
        "NUMBERS": _given(numbers),
        "VALUES": _given(words),
        "LINKS": links,
    }
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in values.items()).encode()


def _given(by_operation: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {name: fields for name, fields in by_operation.items() if fields}


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    for path, item in document["paths"].items():
        for method in sorted(_METHODS & item.keys()):
            yield item[method]["operationId"], method, path, item[method]


def _body_of(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    content: Mapping[str, Any] = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema", {})  # type: ignore[no-any-return]


def _fields(
    document: Mapping[str, Any], schema: Mapping[str, Any], path: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields each field of a schema with its path: `items.title` is a field of the entries of `items`."""
    for name, field in _resolved(document, schema).get("properties", {}).items():
        for shape in [_resolved(document, alternative) for alternative in field.get("anyOf", [field])]:
            yield path + name, shape
            yield from _fields(document, shape.get("items", shape), f"{path}{name}.")


def _longest(shape: Mapping[str, Any]) -> int | None:
    most: int | None = shape.get("maxLength", shape.get("maxItems"))
    return most


def _bounds(shape: Mapping[str, Any]) -> dict[str, Any]:
    types = shape.get("type", ())
    is_number = not {"integer", "number"}.isdisjoint([types] if isinstance(types, str) else types)
    return {key: shape[key] for key in _BOUNDS if key in shape} if is_number else {}


def _words(document: Mapping[str, Any], shape: Mapping[str, Any]) -> list[str]:
    chosen = _resolved(document, shape.get("items", shape)).get("enum", [])
    return [word for word in chosen if isinstance(word, str)]


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref", "")
    return document["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema
