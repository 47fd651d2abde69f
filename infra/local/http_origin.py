"""An origin of the CDN's model that answers over HTTP."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Any

from infra.local.edge import Handle
from infra.local.event import HttpRequest, HttpResponse

_SECONDS = 60
_HOP_BY_HOP = {"connection", "content-length", "host", "keep-alive", "transfer-encoding"}


def http_origin(base: str) -> Handle:
    """Returns a handler that sends requests to paths under `base` and returns the answers, errors included."""

    def handle(request: HttpRequest) -> HttpResponse:
        headers = {name: value for name, value in request.headers if name.lower() not in _HOP_BY_HOP}
        sent = urllib.request.Request(base + request.target, request.body or None, headers, method=request.method)  # noqa: S310 - ours
        try:
            with urllib.request.urlopen(sent, timeout=_SECONDS) as answer:  # noqa: S310 - ours
                return _response(answer.status, answer)
        except urllib.error.HTTPError as error:
            with error:
                return _response(error.code, error)

    return handle


def _response(status: int, answer: Any) -> HttpResponse:
    headers = [(name, value) for name, value in answer.headers.items() if name.lower() not in _HOP_BY_HOP]
    return HttpResponse(status, headers, answer.read())
