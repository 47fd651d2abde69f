"""The examples of the document: people, boards and meetings of the demo data that `make run` starts with."""

from __future__ import annotations

from typing import Any

from governance.errors import Code
from governance.http.route import Route
from infra.openapi.schemas import Schema, name_of
from infra.openapi.texts import Reference

_REQUEST_ID = "req_5f2c8e1b9a3d4f60"
_LAST_PAGE = {"nextCursor": None, "hasMore": False}
_DETAILS: dict[Code, Schema] = {
    Code.INVALID_REQUEST_BODY: {"fields": {"title": "must not be only white space"}},
    Code.INVALID_QUERY_PARAMETER: {"fields": {"limit": "must be an integer from 1 to 100"}},
    Code.FORBIDDEN: {"requiredScope": "meetings:write"},
    Code.CONFLICT: {"reason": "MEETING_FINALIZED"},
}


def request_example(operation: str, reference: Reference) -> Any:
    """Returns the body of a request as an example; None where there is none."""
    return reference.operations.get(operation, {}).get("request")


def response_example(route: Route, operation: str, reference: Reference) -> Any:
    """Returns what a route answers as an example; None where the reference has none.

    It is the example of the resource, with what the operation says differs.
    """
    text = reference.operations.get(operation, {})
    base, own = reference.schemas.get(name_of(route.response_model), {}).get("example"), text.get("response")
    if base is None and own is None:
        return None
    if route.shape in {"collection", "array"}:
        entries = [_over(base, entry) for entry in (own or [{}])]
        return {"data": entries, "meta": text.get("meta", _LAST_PAGE)} if route.shape == "collection" else entries
    resource = _over(base, own)
    return {"data": resource} if route.shape == "data" else resource


def _over(base: Any, own: Any) -> Any:
    return {**base, **(own or {})} if isinstance(base, dict) else own


def error_examples(codes: list[Code]) -> Schema:
    """Returns an example of each of some errors, by its code."""
    return {code.name: {"value": _bare(code) if code.bare else _enveloped(code)} for code in codes}


def _enveloped(code: Code) -> Schema:
    head = {"code": code.name, "message": code.message, "status": code.status}
    return {"error": {**head, "requestId": _REQUEST_ID, "details": _DETAILS.get(code)}}


def _bare(code: Code) -> Schema:
    return {"message": code.message, "code": code.name}
