"""What may go wrong at the store, put into the SDK's own way by its hooks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import EndpointConnectionError

from governance.store import table


@contextmanager
def _hooked(event: str, hook: Any) -> Iterator[None]:
    events = table.client().meta.events
    events.register_first(event, hook)
    try:
        yield
    finally:
        events.unregister(event, hook)


def _refusal(code: str, because: str | None) -> Any:
    """A refusal as the SDK hands it on once its own repeats have failed."""
    reasons = [] if because is None else [{"Code": "None"}, {"Code": because}]
    parsed = {"Error": {"Code": code, "Message": "injected"}, "CancellationReasons": reasons, "ResponseMetadata": {}}
    return AWSResponse("", 400, HTTPHeaders(), None), parsed


@contextmanager
def refused(operation: str, code: str, times: int | None = None, because: str | None = None) -> Iterator[list[str]]:
    """The store refuses an operation (`*`: all), so many times or always; the list grows with each refusal.

    `because` is the code of the second item of a transaction that is cancelled.
    """
    seen: list[str] = []

    def refuse(**_: Any) -> Any:
        if times is not None and len(seen) >= times:
            return None
        seen.append(code)
        return _refusal(code, because)

    with _hooked(f"before-call.dynamodb.{operation}", refuse):
        yield seen


@contextmanager
def throttled(operation: str) -> Iterator[list[str]]:
    """The store takes no more for now."""
    with refused(operation, "ThrottlingException") as seen:
        yield seen


@contextmanager
def unreachable() -> Iterator[None]:
    """Nobody answers at the store's address."""

    def fail(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://dynamodb.test")

    with _hooked("before-call.dynamodb.*", fail):
        yield


@contextmanager
def answer_lost(operation: str) -> Iterator[list[Any]]:
    """The store does an operation once, but its answer never comes; the repeat is recognised by its token."""
    seen: list[Any] = []

    def lose(parsed: dict[str, Any], **_: Any) -> None:
        if not seen:
            seen.append(parsed)
            raise EndpointConnectionError(endpoint_url="https://dynamodb.test")

    with _hooked(f"after-call.dynamodb.{operation}", lose):
        yield seen


@contextmanager
def leaving_out(times: int) -> Iterator[list[Any]]:
    """A batch read leaves out its last key, so many times."""
    seen: list[Any] = []

    def leave_out(params: dict[str, Any], **_: Any) -> None:
        if len(seen) >= times:
            return
        body = json.loads(params["body"])
        ((name, wanted),) = body["RequestItems"].items()
        seen.append({name: {"Keys": [wanted["Keys"].pop()]}})
        params["body"] = json.dumps(body).encode()

    def report(parsed: dict[str, Any], **_: Any) -> None:
        if seen and "UnprocessedKeys" in parsed and len(reported) < len(seen):
            reported.append(seen[-1])
            parsed["UnprocessedKeys"] = seen[-1]

    reported: list[Any] = []
    with (
        _hooked("before-call.dynamodb.BatchGetItem", leave_out),
        _hooked("after-call.dynamodb.BatchGetItem", report),
    ):
        yield seen
