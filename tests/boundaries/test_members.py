"""Every member of every request body ends exactly where the API reference says, and has the type that it says."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from governance.errors import ApiError
from governance.http import validation
from governance.http.request import Request
from governance.http.route import Route
from governance.instants import now
from infra.openapi.document import FILE
from infra.openapi.links import operation_id
from tests.harness.client import ROUTES

_DOCUMENT = json.loads(FILE.read_text(encoding="utf-8"))
_BODIES = {operation_id(route): route for route in ROUTES if route.body is not None}
_SCHEMAS: Mapping[str, Any] = {
    operation["operationId"]: operation["requestBody"]["content"]["application/json"]["schema"]
    for item in _DOCUMENT["paths"].values()
    for operation in item.values()
    if isinstance(operation, dict) and operation.get("operationId") in _BODIES
}
_WRONG: Mapping[str, list[Any]] = {
    "string": [1, True, [], {}],
    "integer": ["1", 1.5, True, 10**400, []],
    "number": ["1", True, 10**400, []],
    "boolean": ["true", 1, 0, []],
    "array": ["x", {}, 1],
    "object": [[], "x", 1],
}
_FORMED = {"avatarUrl", "fileName", "rule", "start", "url"}
"""Texts with a form that the reference describes in words; their own tests have examples."""
_PROSE = {
    "comment",
    "csv",
    "description",
    "hypothesis",
    "instructions",
    "message",
    "narrative",
    "note",
    "notes",
    "quote",
    "reason",
    "reply",
    "text",
}
"""Texts that name nothing: who reads one sees that somebody else wrote it."""
_STANDARD = {"evaluateAccess", "evaluateAccessBatch"}
"""Operations whose body has the form of a standard; nobody reads what it says."""
_ITEM = 0


class Member(NamedTuple):
    """A member of a body, by its path from the body; an item of an array is `_ITEM`."""

    path: tuple[str | int, ...]
    schema: Mapping[str, Any]

    @property
    def name(self) -> str:
        return ".".join(str(part) for part in self.path)


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a schema without its reference and without `null`, which is noted as `nullable`."""
    if "$ref" in schema:
        schema = _DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        others = [choice for choice in schema["anyOf"] if choice.get("type") != "null"]
        nullable = len(others) < len(schema["anyOf"])
        return {**resolved(others[0]), "nullable": nullable} if len(others) == 1 else {"nullable": nullable}
    if isinstance(schema.get("type"), list):
        kinds = [kind for kind in schema["type"] if kind != "null"]
        return {**schema, "type": kinds[0] if len(kinds) == 1 else None, "nullable": "null" in schema["type"]}
    return schema


def members(schema: Mapping[str, Any], path: tuple[str | int, ...] = ()) -> Iterator[Member]:
    """Yields the members of an object, and those of the objects and arrays in it."""
    form = resolved(schema)
    if path:
        yield Member(path, form)
    for name, member in form.get("properties", {}).items():
        yield from members(member, (*path, name))
    if "items" in form:
        yield from members(form["items"], (*path, _ITEM))


def example(schema: Mapping[str, Any]) -> Any:
    """Returns a value of the schema's type; it need not be valid."""
    form = resolved(schema)
    if "enum" in form:
        return form["enum"][0]
    if form.get("type") == "object":
        return {name: example(form["properties"][name]) for name in form.get("required", ())}
    plain: Mapping[str | None, Any] = {"array": [], "string": "x", "boolean": True}
    return copy.copy(plain.get(form.get("type"), form.get("minimum", 1)))


def body_with(schema: Mapping[str, Any], path: tuple[str | int, ...], value: Any) -> Any:
    """Returns a body of which the member at the path has the value; the others are there if they are required."""
    if not path:
        return value
    form = resolved(schema)
    if path[0] == _ITEM:
        return [body_with(form["items"], path[1:], value)]
    inner = body_with(form["properties"][str(path[0])], path[1:], value)
    return {**example(form), str(path[0]): inner}


def errors(route: Route, body: Any) -> Mapping[str, str]:
    """Returns what a request with this body is told, by the path of the member."""
    assert route.body is not None
    content = json.dumps(body)
    request = Request("POST", "/", {"content-type": "application/json"}, "", "", {"body": content})
    try:
        validation.body(request, route.body, now())
    except ApiError as error:
        return dict((error.details or {})["fields"])
    return {}


def outside(schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yields values just outside of what a schema allows, and values of other types."""
    yield from _WRONG.get(str(schema.get("type")), ())
    if not schema.get("nullable") and "type" in schema:
        yield None
    if "enum" in schema:
        yield from {"unheard_of", str(schema["enum"][0]).swapcase()} - set(schema["enum"])
    given = {keyword for keyword in _BEYOND if keyword in schema} - {
        keyword for keyword in ("minLength", "minItems") if not schema.get(keyword)
    }
    yield from (_BEYOND[keyword](schema) for keyword in sorted(given))


def inside(member: Member) -> Iterator[Any]:
    """Yields values just inside; none of a text that has a form of its own, such as an address or an instant."""
    schema = member.schema
    if schema.get("nullable"):
        yield None
    yield from schema.get("enum", ())
    if "maxLength" in schema and not schema.keys() & {"format", "pattern"} and member.path[-1] not in _FORMED:
        yield from ("x" * schema["maxLength"], "\U0001f600" * schema["maxLength"])
    yield from (schema[end] for end in ("minimum", "maximum") if end in schema)


_BEYOND: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "maxLength": lambda schema: "x" * (schema["maxLength"] + 1),
    "minLength": lambda schema: "x" * (schema["minLength"] - 1),
    "minimum": lambda schema: schema["minimum"] - 1,
    "maximum": lambda schema: schema["maximum"] + 1,
    "maxItems": lambda schema: [example(schema["items"])] * (schema["maxItems"] + 1),
    "minItems": lambda schema: [example(schema["items"])] * (schema["minItems"] - 1),
}


def body_without(schema: Mapping[str, Any], path: tuple[str | int, ...]) -> Any:
    """Returns a body that leaves out the member at the path, and has what is required besides."""
    body = inner = body_with(schema, path, None)
    for part in path[:-1]:
        inner = inner[part]
    inner.pop(path[-1])
    return body


def is_named(paths: Mapping[str, str], name: str) -> bool:
    """Returns whether errors name the member, or one in it."""
    return any(path == name or path.startswith(f"{name}.") for path in paths)


def refuses(route: Route, schema: Mapping[str, Any], member: Member, value: Any) -> bool:
    """Returns whether a value of a member is refused; null is not, where the member is missed as well without it."""
    if not is_named(errors(route, body_with(schema, member.path, value)), member.name):
        return False
    is_missed = value is None and is_named(errors(route, body_without(schema, member.path)), member.name)
    return not (is_missed and member.schema.get("nullable"))


@pytest.mark.parametrize("operation", sorted(_BODIES))
def test_a_member_ends_where_the_reference_says(operation: str) -> None:
    route, schema = _BODIES[operation], _SCHEMAS[operation]
    tried = [
        (member.name, value, is_valid, refuses(route, schema, member, value))
        for member in members(schema)
        for is_valid, values in ((False, outside(member.schema)), (True, inside(member)))
        for value in values
    ]
    assert [(name, str(value)[:40]) for name, value, is_valid, named in tried if named and is_valid] == [], "refused"
    assert [(name, str(value)[:40]) for name, value, is_valid, named in tried if not named and not is_valid] == []


def _names(member: Member) -> bool:
    """Returns whether a member is a text that names something, without a form that says which letters it has."""
    formed = {"format", "pattern", "enum", "const"} & member.schema.keys()
    return member.schema.get("type") == "string" and not formed and member.path[-1] not in _PROSE


@pytest.mark.parametrize("sign", ["\u202a", "\u202e", "\u2066", "\u2069"])
def test_no_text_that_names_something_changes_the_direction_of_text(sign: str) -> None:
    accepted = [
        (operation, member.name)
        for operation in sorted(_BODIES.keys() - _STANDARD)
        for member in members(_SCHEMAS[operation])
        if _names(member) and member.path[0] != "events"  # known words; any other is refused when it is stored
        for body in [body_with(_SCHEMAS[operation], member.path, f"Pay {sign}1")]
        if not is_named(errors(_BODIES[operation], body), member.name)
    ]
    assert accepted == []


@pytest.mark.parametrize("operation", sorted(_BODIES))
def test_required_members_are_required_and_unknown_ones_refused(operation: str) -> None:
    route, schema = _BODIES[operation], _SCHEMAS[operation]
    objects = [member for member in members(schema) if member.schema.get("type") == "object"]
    for path, form in [((), resolved(schema)), *((member.path, member.schema) for member in objects)]:
        if form.get("additionalProperties") is not False:
            continue
        whole = example(form)
        prefix = "".join(f"{part}." for part in path)
        for name in form.get("required", ()):
            less = {given: value for given, value in whole.items() if given != name}
            assert is_named(errors(route, body_with(schema, path, less)), f"{prefix}{name}")
        assert errors(route, body_with(schema, path, {**whole, "unheardOf": 1})).get(f"{prefix}unheardOf")


def test_null_for_an_optional_member_is_the_same_as_leaving_it_out_except_in_a_patch() -> None:
    refused = set()
    for operation, route in _BODIES.items():
        schema = _SCHEMAS[operation]
        objects = [Member((), resolved(schema)), *members(schema)] if route.method != "PATCH" else []
        for member in objects:
            for name in member.schema.get("properties", {}).keys() - set(member.schema.get("required", ())):
                optional = Member((*member.path, name), {"nullable": True})
                if refuses(route, schema, optional, None):
                    refused.add((operation, name))
    assert refused == {("createSlot", "durationInMinutes")}
