"""The schemas that no model has: the envelopes of responses and of errors, and what repeats in them."""

from __future__ import annotations

from collections.abc import Iterable

from governance.errors import Code, Reason
from governance.http.route import Route
from governance.limits import NAMED_ERRORS
from infra.openapi.schemas import Schema, name_of, ref_to

_DEVELOPERS = "A sentence for developers. Its wording may change."


def envelope(route: Route) -> str:
    """Returns the name of the schema of what a route answers, its envelope included."""
    suffix = {"data": "Response", "collection": "Page"}.get(route.shape, "")
    return f"{name_of(route.response_model)}{suffix}"


def answer_schema(route: Route) -> Schema:
    """Returns the schema of a route's successful response."""
    schema = ref_to(envelope(route))
    return {"type": "array", "items": schema} if route.shape == "array" else schema


def envelopes(routes: Iterable[Route]) -> dict[str, Schema]:
    """Returns the envelopes of the routes' responses, and the page meta."""
    drawn = {envelope(route): _enveloped(route) for route in routes if route.shape in {"data", "collection"}}
    return {**drawn, "PageMeta": _PAGE_META}


def _enveloped(route: Route) -> Schema:
    name = name_of(route.response_model)
    if route.shape == "data":
        return _object(f"The envelope of one `{name}`.", data=_said("The resource itself.", ref_to(name)))
    many = {"type": "array", "items": ref_to(name)}
    return _object(
        f"One page of `{name}` resources.",
        data=_said("The resources of this page, in the list's order.", many),
        meta=_said("Whether and where the list continues.", ref_to("PageMeta")),
    )


def _said(description: str, schema: Schema) -> Schema:
    return {"description": description, **schema}


def _text(description: str) -> Schema:
    return _said(description, {"type": "string"})


def _object(description: str, **fields: Schema) -> Schema:
    shape: Schema = {"type": "object", "required": list(fields), "additionalProperties": False, "properties": fields}
    return _said(description, shape)


_PAGE_META = _object(
    "Whether and where a list continues.",
    nextCursor=_said(
        "Pass it as `cursor` to get the next page. Null on the last page. Do not parse it.",
        {"type": ["string", "null"]},
    ),
    hasMore=_said("Whether there is another page.", {"type": "boolean"}),
)


def errors() -> dict[str, Schema]:
    """Returns the schemas of the error envelope."""
    codes, reasons = [code.name for code in Code], [reason.value for reason in Reason]
    return {
        "Error": _object("The error envelope of both surfaces.", error=_said("What went wrong.", ref_to("ErrorBody"))),
        "ErrorBody": _error_body(),
        "ErrorCode": _text("Stable name of an error; the overview lists what each one means.") | {"enum": codes},
        "ErrorDetails": _error_details(),
        "ErrorReason": _text("Why the current state does not allow a change. Do not retry the request unchanged.")
        | {"enum": reasons},
        "FieldErrors": _said(
            "What is wrong, by the path of the field such as `feedbacks.0.vote`, or by the name of the parameter. At "
            f"most {NAMED_ERRORS} fields of a body are listed; `body` then gives the number of the others.",
            {"type": "object", "additionalProperties": {"type": "string"}},
        ),
        "BareError": _object(
            "The error body without an envelope, for an unknown or disabled invite code.",
            message=_text(_DEVELOPERS),
            code=_text("Stable name of the error.") | {"const": Code.INVALID_INVITE_CODE.name},
        ),
    }


def _error_body() -> Schema:
    return _object(
        "What went wrong, for programs (`code`, `status`, `details`) and for people (`message`).",
        code=_said(
            "Stable name of the error. Base your error handling on it, not on the message.", ref_to("ErrorCode")
        ),
        message=_text(_DEVELOPERS),
        status=_said("The HTTP status of the response.", {"type": "integer"}),
        requestId=_text("The value of `X-Request-Id`. Quote it when you report a problem."),
        details=_said(
            "More about the error, or null if there is no more to say.",
            {"anyOf": [ref_to("ErrorDetails"), {"type": "null"}]},
        ),
    )


def _error_details() -> Schema:
    fields = {
        "fields": _said(
            "Present on 400. What is wrong with each path of the body, or with each query parameter.",
            ref_to("FieldErrors"),
        ),
        "requiredScope": _said("Present on 403 if the token lacks a scope.", ref_to("Scope")),
        "reason": _said("Present on most 409 `CONFLICT` errors.", ref_to("ErrorReason")),
        "slotId": _text("Present on 409 if a slot with the same start exists already; identifies that slot."),
        "sections": _said(
            "Present on 409 `SECTIONS_OPEN`. The ids of the dashboards that are not reviewed or have open flags.",
            {"type": "array", "items": {"type": "string"}},
        ),
    }
    said = "More about an error. Which field is present depends on the code."
    return _said(said, {"type": "object", "properties": fields})
