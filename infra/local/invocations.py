"""A local stand-in for Lambda's asynchronous invocations: it takes an event, and invokes a function with it later.

A function that fails is invoked again, twice at most, as the template says of the function of rings.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
from botocore.awsrequest import AWSResponse, HTTPHeaders

from infra.local.event import HttpRequest, HttpResponse, error_response

Invoke = Callable[[Any], Any]
_CONCURRENCY = 8
_ATTEMPTS = 3
_log = logging.getLogger(__name__)


class Invocations:
    """The functions that others invoke, by their names."""

    def __init__(self, functions: Mapping[str, Invoke]) -> None:
        self._functions = functions
        self._pool = ThreadPoolExecutor(_CONCURRENCY, "invocation")
        self.path = f"/_local/lambda/{secrets.token_urlsafe(16)}"
        """Where functions are invoked; nobody else knows it."""

    def capture(self, session: boto3.Session) -> None:
        """Intercepts the invocations by clients of a session that are created from now on."""
        session.events.register("before-call.lambda.Invoke", self._intercept)

    def _intercept(self, params: dict[str, Any], **_: Any) -> Any:
        name = unquote(urlsplit(params["url"]).path.removesuffix("/invocations").rpartition("/")[2])
        self._pool.submit(self._run, name, json.loads(params["body"]))
        return AWSResponse(params["url"], 202, HTTPHeaders(), None), {"StatusCode": 202}

    def take(self, request: HttpRequest) -> HttpResponse | None:
        """Accepts an event for a function; returns None for any other request."""
        if not request.path.startswith(f"{self.path}/"):
            return None
        name = request.path.removesuffix("/invocations").rpartition("/")[2]
        if name not in self._functions:
            return error_response(404, "Function not found")
        self._pool.submit(self._run, name, json.loads(request.body))
        return HttpResponse(202, [])

    def _run(self, name: str, event: Any) -> None:
        for _ in range(_ATTEMPTS):
            try:
                self._functions[name](event)
            except Exception:  # noqa: BLE001 - after any error Lambda tries again
                _log.exception("The function %s failed.", name)
            else:
                return

    def stop(self) -> None:
        """Waits for the invocations that run, and for those that wait."""
        self._pool.shutdown()
