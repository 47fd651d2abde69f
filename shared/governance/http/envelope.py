"""Answers as bytes: resources, pages and errors, without a dictionary in between."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from governance.errors import ApiError
from governance.models.base import Resource, to_json_array
from governance.models.page import Page

Shape = Literal["data", "collection", "bare", "array"]


@dataclass(frozen=True)
class Response:
    """A status, a JSON text (or base64 of its compressed bytes) and headers."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)
    base64: bool = False

    def event(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """The reply as API Gateway takes it."""
        own = {"content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff"}
        return {
            "statusCode": self.status,
            "headers": {**own, **headers, **self.headers},
            "body": self.text,
            "isBase64Encoded": self.base64,
        }


def resource(answer: Resource, shape: Shape) -> str:
    """`{data: resource}` on the versioned surface, the bare resource elsewhere."""
    return answer.to_json() if shape == "bare" else f'{{"data":{answer.to_json()}}}'


def collection(page: Page[Any], cursor: str | None) -> str:
    """`{data: [...], meta: {nextCursor, hasMore}}`."""
    meta = json.dumps({"nextCursor": cursor, "hasMore": cursor is not None}, separators=(",", ":"))
    return f'{{"data":{array(page)},"meta":{meta}}}'


def array(page: Page[Any]) -> str:
    """A bare array, as the legacy surface has it."""
    return to_json_array(page.data)


def error(fault: ApiError, request_id: str) -> Response:
    """The error envelope (the API specification, section 7), but for the one code that is bare."""
    if fault.code.bare:
        bare = {"message": fault.message, "code": fault.code.name}
        return Response(fault.code.status, json.dumps(bare), fault.headers)
    body = {
        "code": fault.code.name,
        "message": fault.message,
        "status": fault.code.status,
        "requestId": request_id,
        "details": fault.details,
    }
    return Response(fault.code.status, json.dumps({"error": body}), fault.headers)
