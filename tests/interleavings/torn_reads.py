"""Splits a batch read in two, with another request between the parts: the store reads no batch at one moment.

Only rows that the other request writes can differ between the parts. Where it writes one row of a batch, or none, what
is read is what the whole batch has before or after that request, which is a schedule of its own (`schedules`). So a
batch is split at each of the rows that the other request writes, if there are two or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest

from governance.store import dynamodb
from governance.store.client.table_client import Reply
from tests.harness import observed_table
from tests.harness.client import Response
from tests.harness.steps import RowKey, Step, row_key
from tests.harness.table_snapshot import TableSnapshot
from tests.interleavings.schedules import Call, Outcome, outcome, rows_around

_Keys = list[dict[str, Any]]


@dataclass(frozen=True)
class Split:
    """Where a request is interrupted: in which of its batches, before or after which row is read by itself."""

    batch: int
    row: RowKey
    is_row_first: bool

    def parts(self, keys: _Keys, masked: Callable[[str], str]) -> tuple[_Keys, _Keys]:
        """Returns the keys that are read before the interruption, and those that are read after it."""
        alone = [key for key in keys if row_key(key, masked) == self.row]
        others = [key for key in keys if key not in alone]
        return (alone, others) if self.is_row_first else (others, alone)


@dataclass
class _SplittingClient:
    """The store's client, which splits one of the batches that it reads."""

    split: Split
    masked: Callable[[str], str]
    interrupt: Callable[[], None]
    batches: int = 0

    def call(self, operation: str, request: dict[str, Any]) -> Reply:
        client = observed_table.client()
        if operation != "batch_get_item":
            return client.call(operation, request)
        self.batches += 1
        if self.batches - 1 != self.split.batch:
            return client.call(operation, request)
        ((name, batch),) = request["RequestItems"].items()
        before, after = (
            {"RequestItems": {name: {**batch, "Keys": part}}}
            for part in self.split.parts(cast("_Keys", batch["Keys"]), self.masked)
        )
        answer = client.call(operation, before)
        self.interrupt()
        answer.result["Responses"][name] += client.call(operation, after).result["Responses"][name]
        return answer


def _splits(steps: list[Step], written: frozenset[RowKey]) -> Iterator[Split]:
    batches = [step.read.keys for step in steps if step.read.keys and not step.written]
    for number, keys in enumerate(batches):
        contended = sorted(keys & written)
        if len(contended) > 1:
            orders = (True, False) if len(contended) > 2 else (True,)  # of two, one is last where the other is first
            yield from (Split(number, row, is_first) for row in contended for is_first in orders)


def every_torn_read(
    request: Call, interruption: Call, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Split, list[Response], Outcome]]:
    """Sends the request once for each split of its batches, and the interruption between the parts of the batch.

    Restores the table after each.
    """
    before = TableSnapshot()
    steps, rows = rows_around(request, interruption, before)
    for split in _splits(steps, rows.written.keys):
        interrupting: list[Response] = []

        def interrupt(responses: list[Response] = interrupting) -> None:
            monkeypatch.setattr(dynamodb, "client", observed_table.client)
            responses.append(interruption())

        splitting = _SplittingClient(split, before.masked, interrupt)
        monkeypatch.setattr(dynamodb, "client", lambda client=splitting: client)
        responses = [request(), *interrupting]
        yield split, responses, outcome(responses, before)
        before.restore()
    monkeypatch.setattr(dynamodb, "client", observed_table.client)
