"""The answers of a route: its success, and every error that follows from its declaration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from governance.errors import Code, Reason
from governance.http.route import Access, Audience, Route
from governance.models.base import LenientQuery
from governance.scopes import Scope
from infra.openapi.schemas import Schema

_RATE_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")

HEADERS: dict[str, Schema] = {
    "X-Request-Id": {
        "description": "Names this call, here and in the envelope of an error.",
        "schema": {"type": "string", "pattern": "^req_[0-9a-f]{16}$"},
    },
    "RateLimit-Limit": {"description": "Requests that a window takes.", "schema": {"type": "integer"}},
    "RateLimit-Remaining": {"description": "Requests that are left.", "schema": {"type": "integer"}},
    "RateLimit-Reset": {
        "description": "Seconds until a part of the window is given back.",
        "schema": {"type": "integer"},
    },
    "Retry-After": {"description": "Seconds after which a repeat may succeed.", "schema": {"type": "integer"}},
    "Idempotent-Replayed": {
        "description": "`true` where this is the first answer again.",
        "schema": {"type": "string", "const": "true"},
    },
}

ERROR: Schema = {
    "type": "object",
    "description": "The error envelope.",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "status", "requestId", "details"],
            "additionalProperties": False,
            "properties": {
                "code": {"type": "string", "enum": [code.name for code in Code]},
                "message": {"type": "string"},
                "status": {"type": "integer"},
                "requestId": {"type": "string"},
                "details": {"anyOf": [{"$ref": "#/components/schemas/ErrorDetails"}, {"type": "null"}]},
            },
        }
    },
}

ERROR_DETAILS: Schema = {
    "type": "object",
    "properties": {
        "fields": {
            "type": "object",
            "description": "Of a 400: each offending path, and why.",
            "additionalProperties": {"type": "string"},
        },
        "requiredScope": {"type": "string", "enum": [scope.value for scope in Scope]},
        "reason": {"type": "string", "enum": [reason.value for reason in Reason]},
        "slotId": {"type": "string", "description": "The slot that already has this start."},
    },
}


def codes(route: Route) -> dict[int, list[Code]]:
    """The error codes that a route may answer, by status."""
    found: dict[int, list[Code]] = defaultdict(list)
    for code in sorted(set(_codes(route)), key=list(Code).index):
        found[code.status].append(code)
    return dict(found)


def _codes(route: Route) -> Iterator[Code]:
    yield from (Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE, *route.codes)
    if route.scope is not Access.PUBLIC:
        yield from _credential_codes(route)
    if "{" in route.path:
        # With a slash or a control character in it, what stands in the place of an id makes another path.
        yield Code.RESOURCE_NOT_FOUND
    if _judges_query(route):
        yield Code.INVALID_QUERY_PARAMETER
    if route.method != "GET":
        yield from (Code.INVALID_REQUEST_BODY, Code.PAYLOAD_TOO_LARGE)
    if route.body is not None:
        yield Code.UNSUPPORTED_MEDIA_TYPE
    if route.idempotent:
        yield Code.IDEMPOTENCY_CONFLICT


def _judges_query(route: Route) -> bool:
    if route.query is not None:
        return not issubclass(route.query, LenientQuery)
    return route.method == "GET" and route.versioned and route.scope is not Access.PUBLIC


def _credential_codes(route: Route) -> Iterator[Code]:
    yield from (Code.UNAUTHENTICATED, Code.INVALID_API_TOKEN, Code.ACCOUNT_SUSPENDED, Code.ACCOUNT_INACTIVE)
    if isinstance(route.scope, Scope) or route.audience is not Audience.ANYONE or route.tier is not None:
        yield Code.FORBIDDEN
    if route.billing:
        yield Code.BILLING_RESTRICTED


def responses(route: Route, answer: Schema) -> Schema:
    """The responses object of a route, whose answers have this schema."""
    success = {
        "description": "Done." if route.method != "GET" else "Found.",
        "headers": _headers(*(["Idempotent-Replayed"] if route.idempotent else [])),
        "content": {"application/json": {"schema": shaped(route, answer)}},
    }
    errors = {str(status): _reference(found) for status, found in sorted(codes(route).items())}
    return {str(route.status): success, **errors}


def shaped(route: Route, answer: Schema) -> Schema:
    """The answer in the shape that the route gives it."""
    many = {"type": "array", "items": answer}
    return {
        "data": _object(data=answer),
        "collection": _object(data=many, meta={"$ref": "#/components/schemas/PageMeta"}),
        "bare": answer,
        "array": many,
    }[route.shape]


PAGE_META: Schema = {
    "type": "object",
    "required": ["nextCursor", "hasMore"],
    "additionalProperties": False,
    "properties": {
        "nextCursor": {"type": ["string", "null"], "description": "Opaque; null on the last page."},
        "hasMore": {"type": "boolean"},
    },
}


def _object(**members: Schema) -> Schema:
    return {"type": "object", "required": list(members), "additionalProperties": False, "properties": members}


def _headers(*more: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *_RATE_HEADERS, *more)}


def _name(found: list[Code]) -> str:
    return "_or_".join(code.name for code in found)


def _reference(found: list[Code]) -> Schema:
    return {"$ref": f"#/components/responses/{_name(found)}"}


def errors(routes: Iterable[Route]) -> dict[str, Schema]:
    """Every error answer that these routes refer to, by its name."""
    groups = [group for route in routes for group in codes(route).items()]
    drawn = {_name(found): _error(status, found) for status, found in groups}
    return dict(sorted(drawn.items()))


def _error(status: int, found: list[Code]) -> Schema:
    """One status of the envelope, narrowed to the codes that a route may answer with it."""
    waits = any(code in (Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE) for code in found)
    narrowed = {
        "properties": {
            "error": {
                "properties": {
                    "code": {"enum": [code.name for code in found if not code.bare]},
                    "status": {"const": status},
                }
            }
        }
    }
    enveloped = {"allOf": [{"$ref": "#/components/schemas/Error"}, narrowed]}
    return {
        "description": " ".join(f"`{code.name}`: {code.message}" for code in found),
        "headers": _headers(*(["Retry-After"] if waits else [])),
        "content": {"application/json": {"schema": _or_bare(found, enveloped)}},
    }


def _or_bare(found: list[Code], enveloped: Schema) -> Schema:
    """The envelope; or, for a code that has none, its two members."""
    bare = [code.name for code in found if code.bare]
    if not bare:
        return enveloped
    return {"oneOf": [enveloped, _object(message={"type": "string"}, code={"enum": bare})]}
