"""The examples of the document: people, boards and meetings of the demo data that `make run` starts with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.errors import Code
from governance.http.route import Route
from infra.openapi.schemas import NULL, Schema, core_of, name_of, ref_to
from infra.openapi.texts import Reference

_REQUEST_ID = "req_5f2c8e1b9a3d4f60"
_LAST_PAGE = {"nextCursor": None, "hasMore": False}
_DETAILS: dict[Code, Schema] = {
    Code.INVALID_REQUEST_BODY: {"fields": {"title": "must not be only white space"}},
    Code.INVALID_QUERY_PARAMETER: {"fields": {"limit": "must be an integer from 1 to 100"}},
    Code.FORBIDDEN: {"requiredScope": "meetings:write"},
    Code.CONFLICT: {"reason": "MEETING_FINALIZED"},
}


class Examples:
    """The examples of the bodies of some operations, as the reference has them.

    What an example of a response leaves out is null, or the only value that the schema allows.
    """

    def __init__(self, reference: Reference, schemas: Mapping[str, Schema]) -> None:
        self._reference, self._schemas = reference, schemas

    def request(self, operation: str) -> Any:
        """Returns the body of a request as an example; None where there is none."""
        return self._reference.operations.get(operation, {}).get("request")

    def response(self, route: Route, operation: str) -> Any:
        """Returns what a route answers as an example; None where the reference has none.

        It is the example of the resource, with what the operation says differs.
        """
        name, text = name_of(route.response_model), self._reference.operations.get(operation, {})
        base, own = self._reference.examples.get(name), text.get("response")
        if base is None and own is None:
            return None
        if route.shape in {"collection", "array"}:
            entries = [self._whole(_over(base, entry), ref_to(name)) for entry in (own or [{}])]
            return {"data": entries, "meta": text.get("meta", _LAST_PAGE)} if route.shape == "collection" else entries
        resource = self._whole(_over(base, own), ref_to(name))
        return {"data": resource} if route.shape == "data" else resource

    def _whole(self, example: Any, schema: Schema) -> Any:
        schema = core_of(schema)
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        if isinstance(example, list):
            return [self._whole(part, schema) for part in example]
        if not isinstance(example, dict) or "properties" not in schema:
            return example
        left_out = {name: schema["properties"][name] for name in schema.get("required", ()) if name not in example}
        known = {name: part.get("const") for name, part in left_out.items() if "const" in part or _may_be_null(part)}
        parts = {name: self._whole(part, schema["properties"].get(name, {})) for name, part in example.items()}
        return {
            name: {**known, **parts}[name] for name in [*schema["properties"], *parts] if name in {**known, **parts}
        }


def _may_be_null(schema: Schema) -> bool:
    return "null" in schema.get("type", ()) or NULL in schema.get("anyOf", ())


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
