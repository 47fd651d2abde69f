"""Counts what the store is asked for: calls, read units as the engine reports them, bytes on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from governance.store import dynamodb

_READS = ("BatchGetItem", "Query")
_WRITE = "TransactWriteItems"
_COUNTED = (*_READS, _WRITE)
"""Not the leases of the rate limit and the last use of a token, which are updates and belong to no route."""


@dataclass
class Cost:
    """What a request cost at the store. The bytes are those of the answers to reads and of the requested writes."""

    calls: int = 0
    read_units: float = 0
    write_units: float = 0
    bytes_read: int = 0
    bytes_written: int = 0
    largest_transaction: int = 0
    """Bytes of the items of one transaction at most, as they were or as they are, whichever is larger."""


@contextmanager
def metered() -> Iterator[Cost]:
    """Counts the store calls that are made inside the context."""
    cost = Cost()
    events = dynamodb.client().meta.events

    def ask_for_units(params: dict[str, Any], **_: Any) -> None:
        params["ReturnConsumedCapacity"] = "TOTAL"

    def record_request(model: Any, params: dict[str, Any], **_: Any) -> None:
        cost.calls += 1
        if model.name == _WRITE:
            cost.bytes_written += len(params["body"])

    def record_answer(model: Any, parsed: dict[str, Any], http_response: Any, **_: Any) -> None:
        consumed = parsed.get("ConsumedCapacity", [])
        parts = consumed if isinstance(consumed, list) else [consumed]
        if model.name != _WRITE:
            cost.read_units += sum(part.get("CapacityUnits", 0) for part in parts)
            cost.bytes_read += len(http_response.content)

    hooks = [
        (f"{point}.dynamodb.{operation}", hook)
        for operation in _COUNTED
        for point, hook in (
            ("provide-client-params", ask_for_units),
            ("before-call", record_request),
            ("after-call", record_answer),
        )
    ]
    for event, hook in hooks:
        events.register(event, hook)
    try:
        yield cost
    finally:
        for event, hook in hooks:
            events.unregister(event, hook)
