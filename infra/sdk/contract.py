"""The operations of openapi.json as the clients offer them."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from infra.openapi.document import FILE

Schema = dict[str, Any]
Place = Literal["query", "header", "body"]
IDEMPOTENCY_KEY = "Idempotency-Key"
_METHODS = ("get", "put", "post", "patch", "delete")
_LEFT_OUT = ("If-None-Match",)  # 304 brings no value
_SECRETS = ("token", "unsubscribeToken", "inviteCode")


@dataclass(frozen=True)
class Argument:
    """What a caller gives by keyword: the member or parameter `name` at its place in the request."""

    keyword: str
    place: Place
    name: str
    schema: Schema
    required: bool


@dataclass(frozen=True)
class Operation:
    """An operation: `path` has the parameters in braces.

    `value` is the schema of what a call returns, or of a list's items; `member` leads to it in the answer.
    """

    id: str
    tag: str
    method: str
    path: str
    parameters: tuple[str, ...]
    arguments: tuple[Argument, ...]
    summary: str
    description: str
    value: Schema
    needs_body: bool
    member: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the method of a client."""
        return snake(self.id)

    @property
    def type_name(self) -> str:
        """How the types that belong to the operation begin."""
        return f"{self.id[0].upper()}{self.id[1:]}"

    @property
    def is_list(self) -> bool:
        """Whether it answers a page of items."""
        return _is_list(self.id)

    @property
    def takes_key(self) -> bool:
        """Whether a repeat of a request with the same key changes nothing."""
        return any(argument.name == IDEMPOTENCY_KEY for argument in self.arguments)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The parameters of the path that no log may show."""
        return tuple(name for name in self.parameters if name in _SECRETS)


def snake(name: str) -> str:
    """Returns a name of the API as Python writes it: `sha256` stays, `Idempotency-Key` is `idempotency_key`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def document(file: Path = FILE) -> Schema:
    """Returns openapi.json, or that of a release."""
    parsed: Schema = json.loads(file.read_text(encoding="utf-8"))
    return parsed


def operations(document: Schema) -> list[Operation]:
    """Returns all operations in the order of the document; raises ValueError if two arguments have one keyword."""
    return [
        _operation(document, method, path, item)
        for path, item in document["paths"].items()
        for method in _METHODS
        if method in item
    ]


def _operation(document: Schema, method: str, path: str, item: Schema) -> Operation:
    declared: Schema = item[method]
    given = [_resolved(document, one) for one in (*item.get("parameters", ()), *declared.get("parameters", ()))]
    arguments = (*_parameters(given), *_members(document, declared))
    if len({argument.keyword for argument in arguments}) < len(arguments):
        raise ValueError(f"Two arguments of {declared['operationId']} have one keyword.")
    value, member = _value(document, declared)
    return Operation(
        id=declared["operationId"],
        tag=declared["tags"][0],
        method=method.upper(),
        path=path,
        parameters=tuple(one["name"] for one in given if one["in"] == "path"),
        arguments=arguments,
        summary=declared["summary"],
        description=declared["description"],
        value=value,
        needs_body=bool(declared.get("requestBody", {}).get("required")),
        member=member,
    )


def _is_list(operation_id: str) -> bool:
    return operation_id.startswith("list")


def _resolved(document: Schema, node: Schema) -> Schema:
    while "$ref" in node:
        target: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def _parameters(given: list[Schema]) -> Iterator[Argument]:
    for one in given:
        if one["in"] != "path" and one["name"] not in _LEFT_OUT:
            schema = {"description": one["description"], **one["schema"]}
            yield Argument(_keyword(one["name"]), one["in"], one["name"], schema, one.get("required", False))


def _members(document: Schema, declared: Schema) -> Iterator[Argument]:
    if "requestBody" in declared:
        body = _resolved(document, declared["requestBody"]["content"]["application/json"]["schema"])
        for name, schema in body["properties"].items():
            yield Argument(_keyword(name), "body", name, schema, name in body.get("required", ()))


def _keyword(name: str) -> str:
    word = snake(name)
    return f"{word}_" if keyword.iskeyword(word) else word


def _value(document: Schema, declared: Schema) -> tuple[Schema, tuple[str, ...]]:
    """Returns the schema of what a call returns, or of a list's items, and the member of the answer that holds it."""
    success = next(response for status, response in declared["responses"].items() if status.startswith("2"))
    schema: Schema = success["content"]["application/json"]["schema"]
    members = _resolved(document, schema).get("properties", {})
    is_list = _is_list(declared["operationId"])
    arrays = [name for name, member in members.items() if is_list and "items" in member]
    path = tuple(arrays or [name for name in members if name == "data"])
    value = members[path[0]] if path else schema
    return (_item(_resolved(document, value)) if is_list else value), path


def _item(shape: Schema) -> Schema:
    """Returns the schema of the items of an array, or of the arrays that are an object's values."""
    found: Schema = shape["items"] if "items" in shape else _item(shape["additionalProperties"])
    return found
