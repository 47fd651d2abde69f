"""The responses of a route: its success, and every error that follows from its declaration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from governance.errors import Code
from governance.http.route import Audience, Route
from governance.models.base import LenientQuery
from governance.scopes import Scope
from infra.openapi.envelopes import answer_schema
from infra.openapi.examples import Examples, error_examples
from infra.openapi.schemas import Schema, description_of, name_of, ref_to
from infra.openapi.texts import Reference

_RATE_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_HEADER_SCHEMAS: dict[str, Schema] = {
    "X-Request-Id": {"type": "string", "pattern": "^req_[0-9a-f]{16}$"},
    **{name: {"type": "integer"} for name in _RATE_HEADERS},
    "Retry-After": {"type": "integer"},
    "Idempotent-Replayed": {"type": "string", "const": "true"},
    "Link": {"type": "string"},
    "ETag": {"type": "string", "pattern": '^"[0-9a-f]{32}"$'},
    "WWW-Authenticate": {"type": "string", "pattern": "^Bearer( .*)?$"},
}
_UNCHANGED = "The resource still has one of the tags in `If-None-Match`."
_LISTS = {"collection": "A page of `{}` resources.", "array": "An array of `{}` objects."}


def headers(reference: Reference) -> dict[str, Schema]:
    """Returns the response headers, for the components."""
    texts = reference.shared["headers"]
    return {name: {"description": texts.get(name, ""), "schema": schema} for name, schema in _HEADER_SCHEMAS.items()}


def codes(route: Route) -> dict[int, list[Code]]:
    """Returns the error codes that a route may answer, by status."""
    by_status: dict[int, list[Code]] = defaultdict(list)
    for code in sorted(set(_codes(route)), key=list(Code).index):
        by_status[code.status].append(code)
    return dict(by_status)


def _codes(route: Route) -> Iterator[Code]:
    yield from (Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE, *route.codes)
    if not route.admission.is_public:
        yield from _credential_codes(route)
    if ("{" in route.path and not route.answers_always) or route.declared.recheck:
        # A slash or a control character in the place of an id makes the path a different one. A repeat is not answered
        # where the caller sees no more what was created.
        yield Code.RESOURCE_NOT_FOUND
    if _validates_query(route):
        yield Code.INVALID_QUERY_PARAMETER
    if route.method != "GET":
        yield from (Code.INVALID_REQUEST_BODY, Code.PAYLOAD_TOO_LARGE)
    if route.body is not None:
        yield Code.UNSUPPORTED_MEDIA_TYPE
    if route.idempotent:
        yield Code.IDEMPOTENCY_CONFLICT
    if route.current is not None:
        yield Code.PRECONDITION_FAILED


def _validates_query(route: Route) -> bool:
    if route.query is not None and not route.tagged:
        return not issubclass(route.query, LenientQuery)
    return route.tagged or (route.method == "GET" and route.admission.versioned and not route.admission.is_public)


def _credential_codes(route: Route) -> Iterator[Code]:
    yield from (Code.UNAUTHENTICATED, Code.INVALID_API_TOKEN, Code.ACCOUNT_SUSPENDED, Code.ACCOUNT_INACTIVE)
    admission = route.admission
    if isinstance(admission.scope, Scope) or admission.audience is not Audience.ANYONE or admission.tier is not None:
        yield Code.FORBIDDEN
    if admission.billing:
        yield Code.BILLING_RESTRICTED


def responses(route: Route, operation: str, reference: Reference, examples: Examples) -> Schema:
    """Returns the responses object of a route."""
    text = reference.operations.get(operation, {})
    content: dict[str, Any] = {"schema": answer_schema(route)}
    if (example := examples.response(route, operation)) is not None:
        content["example"] = example
    possible = {
        "Idempotent-Replayed": route.idempotent,
        "Link": "next" in text,
        "ETag": route.tagged or route.answers_current,
    }
    special = [name for name, there in possible.items() if there]
    success = {
        "description": text.get("returns") or _returned(route),
        "headers": _headers(*special),
        "content": {"application/json": content},
    }
    errors = {str(status): _reference(of_status) for status, of_status in sorted(codes(route).items())}
    unchanged = {"304": {"description": _UNCHANGED, "headers": _headers("ETag")}} if route.tagged else {}
    existing = {"200": success} if route.answers_existing else {}
    return {**existing, str(route.status): success, **unchanged, **errors}


def _returned(route: Route) -> str:
    name = name_of(route.response_model)
    if route.shape in _LISTS:
        return _LISTS[route.shape].format(name)
    about = description_of(route.response_model)
    return about.partition(". ")[0].rstrip(".") + "."


def _headers(*more: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *_RATE_HEADERS, *more)}


def _name(of_status: list[Code]) -> str:
    return "Or".join(code.name.title().replace("_", "") for code in of_status)


def _reference(of_status: list[Code]) -> Schema:
    return {"$ref": f"#/components/responses/{_name(of_status)}"}


def errors(routes: Iterable[Route]) -> dict[str, Schema]:
    """Returns every error response that these routes refer to, by its name."""
    groups = [group for route in routes for group in codes(route).items()]
    drawn = {_name(of_status): _error(status, of_status) for status, of_status in groups}
    return dict(sorted(drawn.items()))


def _error(status: int, of_status: list[Code]) -> Schema:
    """Returns one status of the envelope, narrowed to the codes that a route may answer with it."""
    waits = any(code in (Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE) for code in of_status)
    special = {"Retry-After": waits, "WWW-Authenticate": status == Code.UNAUTHENTICATED.status}
    body = {"code": {"enum": [code.name for code in of_status if not code.bare]}, "status": {"const": status}}
    narrowed = {"error": {**ref_to("ErrorBody"), "properties": body}}
    # Generated clients know the schema by its reference alone; validators also apply what is next to it.
    enveloped = {**ref_to("Error"), "properties": narrowed}
    content = {"schema": _or_bare(of_status, enveloped), "examples": error_examples(of_status)}
    return {
        "description": " ".join(f"`{code.name}`: {code.message}" for code in of_status),
        "headers": _headers(*(name for name, there in special.items() if there)),
        "content": {"application/json": content},
    }


def _or_bare(of_status: list[Code], enveloped: Schema) -> Schema:
    """Returns the envelope; or, where a code is answered without it, either of the two."""
    return {"oneOf": [enveloped, ref_to("BareError")]} if any(code.bare for code in of_status) else enveloped
