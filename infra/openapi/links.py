"""The links of the document: what an answer names, and the operations that take it in their path.

A route that makes something at `path` names the `{parameter}` that another route appends to it; what is named
elsewhere is in the table below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic.alias_generators import to_camel

from governance.http.route import Route
from governance.models.base import LenientQuery, Resource
from infra.openapi.schemas import Schema

_PARAMETER = re.compile(r"\{(\w+)\}")
_MEETING = "/api/v1/boards/{boardId}/meetings/{meetingId}"
_NAMED_ELSEWHERE = {
    f"POST {_MEETING}/guest-link": ("token", "/data/token"),
    "GET /api/v1/guest/{token}": ("slotId", "/data/slots/0/id"),
    "GET /api/v1/boards/{boardId}/members": ("memberId", "/data/0/id"),
    "POST /api/invite/{boardId}": ("boardInviteId", "/inviteId"),
    "GET /api/invite/{boardId}/code": ("inviteCode", "/inviteCode"),
    "GET /api/notification/": ("notificationId", "/0/_id"),
}
"""A parameter, and the place in the answer where its value stands."""


def operation_id(route: Route) -> str:
    """The name of a route's operation."""
    return to_camel(route.usecase.__name__)


def links(route: Route, routes: Sequence[Route]) -> Schema:
    """The operations that what this route answers can be followed to; empty where it names nothing."""
    named = _NAMED_ELSEWHERE.get(f"{route.method} {route.path}") or _made(route, routes)
    if named is None:
        return {}
    parameter, pointer = named
    return {
        operation_id(target): _link(route, target, parameter, pointer)
        for target in routes
        if _follows(route, target, parameter)
    }


def _made(route: Route, routes: Sequence[Route]) -> tuple[str, str] | None:
    """What a POST makes: the parameter that others append to its path, and its id in the answer."""
    if route.method != "POST" or not isinstance(route.response_model, type):
        return None
    found = {_appended(route.path, other.path) for other in routes} - {None}
    if not found:
        return None
    return str(found.pop()), f"{'/data' if route.versioned else ''}/{_id_of(route.response_model)}"


def _appended(path: str, longer: str) -> str | None:
    match = re.match(re.escape(path) + r"/\{(\w+)\}", longer)
    return match[1] if match else None


def _id_of(answers: type[Resource]) -> str:
    aliases = {field.alias or to_camel(name) for name, field in answers.model_fields.items()}
    return "_id" if "_id" in aliases else "id"


def _follows(route: Route, target: Route, parameter: str) -> bool:
    """Whether the answer of a route gives all that the path of another needs, and means the same by it."""
    if target.query is not None and issubclass(target.query, LenientQuery):
        return False  # what an invite's link opens needs the token that only its mail carries
    if target.method == "DELETE" and not target.path.endswith("}"):
        return target.path == route.path  # what has no id of its own is made where it is removed
    known, needed = {parameter, *_names(route)}, _names(target)
    if parameter not in needed or parameter in _names(route) or not known.issuperset(needed):
        return False
    made_here = _appended(route.path, target.path) == parameter
    return made_here or not target.versioned or f"{route.method} {route.path}" in _NAMED_ELSEWHERE


def _link(route: Route, target: Route, parameter: str, pointer: str) -> Schema:
    given = {name: f"$request.path.{name}" for name in _names(route)} | {parameter: f"$response.body#{pointer}"}
    return {"operationId": operation_id(target), "parameters": {name: given[name] for name in _names(target)}}


def _names(route: Route) -> list[str]:
    return _PARAMETER.findall(route.path)
