"""A store whose eventually consistent reads find nothing that was written; the reads of moto are always strong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from governance.store.client.connections import Answer
from tests.harness.fault_injection import hooked
from tests.harness.observed_table import Sent


@contextmanager
def stale_reads() -> Iterator[list[str]]:
    """Makes every read find nothing unless it asks for strong consistency. Yields the names of the reads that did not.

    The store's answer to such a read may be older than any write that the caller knows of.
    """
    stale: list[str] = []

    def answer(request: Sent, **_: Any) -> Answer | None:
        nothing = _nothing(request.action, json.loads(request.body))
        if nothing is None:
            return None
        stale.append(request.action)
        return Answer(200, {}, json.dumps(nothing).encode())

    with hooked("before-send.dynamodb.*", answer):
        yield stale


def _nothing(operation: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """Returns the empty answer to a read that is eventually consistent; None for what must not be stale."""
    if operation == "BatchGetItem":
        tables = body["RequestItems"]
        is_strong = all(keys.get("ConsistentRead") for keys in tables.values())
        return None if is_strong else {"Responses": {name: [] for name in tables}, "UnprocessedKeys": {}}
    if operation == "GetItem":
        return None if body.get("ConsistentRead") else {}
    if operation in ("Query", "Scan"):
        return None if body.get("ConsistentRead") else {"Items": [], "Count": 0, "ScannedCount": 0}
    return None
