"""The links of the document: which operations accept an id that a response contains, as a path parameter.

A route that creates a resource at `path` links to the routes that append its `{parameter}` to that path. Ids that
appear elsewhere in a response are in the table below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic.alias_generators import to_camel

from governance.http.route import Route
from governance.models.base import LenientQuery, Resource
from infra.openapi.schemas import Schema, json_name

_PARAMETER = re.compile(r"\{(\w+)\}")
_MEETING = "/api/v1/boards/{boardId}/meetings/{meetingId}"
_DASHBOARD = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}"
_RESOLUTION = "/api/v1/boards/{boardId}/resolutions/{resolutionId}"
_SERIES = "/api/v1/boards/{boardId}/series/{seriesId}"
_POINTERS = {
    f"POST {_MEETING}/guest-link": ("token", "/data/token"),
    "GET /api/v1/guest/{token}": ("slotId", "/data/slots/0/id"),
    "POST /api/v1/boards/{boardId}/webhooks/{webhookId}/test": ("deliveryId", "/data/id"),
    "GET /api/v1/boards/{boardId}/members": ("memberId", "/data/0/id"),
    f"GET {_MEETING}/agenda": ("itemId", "/data/items/0/id"),
    f"POST {_MEETING}/minutes/circulation": ("version", "/data/version"),
    f"GET {_DASHBOARD}/flags": ("flagId", "/data/0/id"),
    f"GET {_DASHBOARD}/access": ("userId", "/data/editors/0/userId"),
    f"GET {_RESOLUTION}": ("userId", "/data/voters/0/userId"),
    f"GET {_SERIES}": ("key", "/data/next/0/key"),
    "POST /api/invite/{boardId}": ("boardInviteId", "/inviteId"),
    "GET /api/invite/{boardId}/code": ("inviteCode", "/inviteCode"),
    "GET /api/notification/": ("notificationId", "/0/_id"),
}
"""The path parameter that a response gives a value for, and the JSON pointer to that value."""


def operation_id(route: Route) -> str:
    """Returns the name of a route's operation."""
    return to_camel(route.usecase.__name__)


def links(route: Route, routes: Sequence[Route]) -> Schema:
    """Returns the links of a route's response; empty if it contains no id that another route accepts."""
    id_pointer = _POINTERS.get(f"{route.method} {route.path}") or _created(route, routes)
    if id_pointer is None:
        return {}
    parameter, pointer = id_pointer
    return {
        operation_id(target): _link(route, target, parameter, pointer)
        for target in routes
        if _follows(route, target, parameter)
    }


def _created(route: Route, routes: Sequence[Route]) -> tuple[str, str] | None:
    """Returns the parameter for the resource that a POST creates, and the pointer to its id in the response."""
    if route.method != "POST" or not isinstance(route.response_model, type):
        return None
    parameters = {_appended(route.path, other.path) for other in routes} - {None}
    if not parameters:
        return None
    return str(parameters.pop()), f"{'/data' if route.admission.versioned else ''}/{_id_of(route.response_model)}"


def _appended(path: str, longer: str) -> str | None:
    match = re.match(re.escape(path) + r"/\{(\w+)\}", longer)
    return match[1] if match else None


def _id_of(model: type[Resource]) -> str:
    aliases = {json_name(model, field) for field in model.model_fields}
    return "_id" if "_id" in aliases else "id"


def _follows(route: Route, target: Route, parameter: str) -> bool:
    """Returns whether a response has a value for every path parameter of another route, with the same meaning."""
    if target.query is not None and issubclass(target.query, LenientQuery):
        return False  # an invitation link needs the token that only its e-mail contains
    if target.method == "DELETE" and f"POST {target.path}" in _POINTERS:
        return target.path == route.path  # a resource without an id is created and deleted at one path
    known, needed = {parameter, *_names(route)}, _names(target)
    if parameter not in needed or parameter in _names(route) or not known.issuperset(needed):
        return False
    created_here = _appended(route.path, target.path) == parameter
    return created_here or not target.admission.versioned or f"{route.method} {route.path}" in _POINTERS


def _link(route: Route, target: Route, parameter: str, pointer: str) -> Schema:
    given = {name: f"$request.path.{name}" for name in _names(route)} | {parameter: f"$response.body#{pointer}"}
    return {"operationId": operation_id(target), "parameters": {name: given[name] for name in _names(target)}}


def _names(route: Route) -> list[str]:
    return _PARAMETER.findall(route.path)
