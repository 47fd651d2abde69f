"""Serializes responses: resources, pages and errors, without a dictionary in between."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from governance.errors import ApiError, Code
from governance.models.base import Resource, to_json_array
from governance.models.page import Page

_CHALLENGES = {
    Code.UNAUTHENTICATED: {"WWW-Authenticate": "Bearer"},
    Code.INVALID_API_TOKEN: {"WWW-Authenticate": 'Bearer error="invalid_token"'},
}
"""The header of every 401, by which a client knows how to authenticate (RFC 6750)."""
Shape = Literal["data", "collection", "bare", "array"]


@dataclass(frozen=True)
class Response:
    """A status, a JSON text (or base64 of its compressed bytes) and headers."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)
    base64: bool = False

    def event(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Returns the response in the format of API Gateway; its own headers take precedence over these."""
        own = {"content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff"}
        return {
            "statusCode": self.status,
            "headers": {**own, **headers, **self.headers},
            "body": self.text,
            "isBase64Encoded": self.base64,
        }


def resource(answer: Resource, shape: Shape) -> str:
    """Returns the JSON text of a resource: `{data: resource}`, or the resource itself if the shape is bare."""
    return answer.to_json() if shape == "bare" else f'{{"data":{answer.to_json()}}}'


def collection(page: Page[Any], cursor: str | None) -> str:
    """Returns `{data: [...], meta: {nextCursor, hasMore}}`."""
    meta = json.dumps({"nextCursor": cursor, "hasMore": cursor is not None}, separators=(",", ":"))
    return f'{{"data":{array(page)},"meta":{meta}}}'


def array(page: Page[Any]) -> str:
    """Returns a bare array, as the legacy surface has it."""
    return to_json_array(page.data)


def error(raised: ApiError, request_id: str) -> Response:
    """Returns the error envelope (the API specification, section 7), without the envelope for the one bare code."""
    headers = {**_CHALLENGES.get(raised.code, {}), **raised.headers}
    if raised.code.bare:
        bare = {"message": raised.message, "code": raised.code.name}
        return Response(raised.code.status, json.dumps(bare), headers)
    body = {
        "code": raised.code.name,
        "message": raised.message,
        "status": raised.code.status,
        "requestId": request_id,
        "details": raised.details,
    }
    return Response(raised.code.status, json.dumps({"error": body}), headers)
