"""Answers to requests for a part of an object, or for an object unless it is unchanged, as S3 and the CDN give them."""

from __future__ import annotations

import re
from dataclasses import replace

from infra.local.event import HttpRequest, HttpResponse

_RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})")
_OF_THE_BODY = {"content-type", "content-length", "content-encoding", "accept-ranges"}


def conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns a 200 response to GET or HEAD as 200, 206, 304 or 416, by the conditions of the request."""
    asked = {name.lower(): value for name, value in request.headers}
    etag = {name.lower(): value for name, value in response.headers}.get("etag", "")
    if response.status != 200 or request.method not in {"GET", "HEAD"} or not etag:
        return response
    if _is_fresh(etag, asked.get("if-none-match", "")):
        kept = [(name, value) for name, value in response.headers if name.lower() not in _OF_THE_BODY]
        return HttpResponse(304, kept)
    if asked.get("if-range", etag) == etag and (match := _RANGE.fullmatch(asked.get("range", ""))):
        return _partial(response, match[1], match[2])
    return response


def _is_fresh(etag: str, condition: str) -> bool:
    known = {tag.strip().removeprefix("W/") for tag in condition.split(",")}
    return etag.removeprefix("W/") in known or "*" in known


def _partial(response: HttpResponse, first: str, last: str) -> HttpResponse:
    """Returns a range of bytes: `5-9`, `5-`, or `-5` for the last five. An invalid range is ignored, as S3 does."""
    body = response.body
    if (not first and not last) or (first and last and int(last) < int(first)):
        return response
    start = int(first) if first else max(0, len(body) - int(last))
    stop = min(int(last) + 1, len(body)) if first and last else len(body)
    if start >= stop:
        return replace(
            response, status=416, headers=[*response.headers, ("content-range", f"bytes */{len(body)}")], body=b""
        )
    part = ("content-range", f"bytes {start}-{stop - 1}/{len(body)}")
    return replace(response, status=206, headers=[*response.headers, part], body=body[start:stop])
