"""Counts what the store is asked for: calls, read units as the engine reports them, bytes on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from governance.store.client.table_client import ACTIONS, Reply, TableClient

_READS = ("BatchGetItem", "Query")
_WRITE = "TransactWriteItems"
_COUNTED = (*_READS, _WRITE)
"""Without the leases of the rate limit and the last use of a token: these are updates and belong to no route."""


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
def watching(
    before: Callable[[str, dict[str, Any]], None], after: Callable[[str, dict[str, Any]], None]
) -> Iterator[None]:
    """Hands on the counted calls of the table: the action and the request, which may be changed, then the answer."""
    real = TableClient.call

    def call(client: TableClient, operation: str, request: Mapping[str, Any]) -> Reply:
        action = ACTIONS[operation]
        if action not in _COUNTED:
            return real(client, operation, request)
        changed = dict(request)
        before(action, changed)
        reply = real(client, operation, changed)
        after(action, reply.result)
        return reply

    setattr(TableClient, "call", call)  # noqa: B010 - of a class, for a while
    try:
        yield
    finally:
        setattr(TableClient, "call", real)  # noqa: B010 - as it was


@contextmanager
def metered() -> Iterator[Cost]:
    """Counts the store calls that are made inside the context, some of them at the same time."""
    cost, counting = Cost(), Lock()

    def record_request(action: str, request: dict[str, Any]) -> None:
        request["ReturnConsumedCapacity"] = "TOTAL"
        written = _bytes(request) if action == _WRITE else 0
        with counting:
            cost.calls += 1
            cost.bytes_written += written

    def record_answer(action: str, answer: dict[str, Any]) -> None:
        consumed = answer.get("ConsumedCapacity", [])
        parts = consumed if isinstance(consumed, list) else [consumed]
        if action != _WRITE:
            units, read = sum(part.get("CapacityUnits", 0) for part in parts), _bytes(answer)
            with counting:
                cost.read_units += units
                cost.bytes_read += read

    with watching(record_request, record_answer):
        yield cost


def _bytes(content: dict[str, Any]) -> int:
    return len(json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())
