"""Splits a batch read in two, with another request between the parts: the store reads no batch at one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from governance.store import dynamodb
from governance.store.client.table_client import Reply
from tests.harness import observed_table
from tests.harness.client import Response
from tests.harness.table_snapshot import TableSnapshot
from tests.interleavings.schedules import Call, Outcome, outcome

_Keys = list[dict[str, Any]]


@dataclass(frozen=True)
class Split:
    """Where a request is interrupted: in which of its batches, before or after which key is read by itself."""

    batch: int
    key: int
    is_key_first: bool

    def parts(self, keys: _Keys) -> tuple[_Keys, _Keys]:
        """Returns the keys that are read before the interruption, and those that are read after it."""
        alone, others = [keys[self.key]], keys[: self.key] + keys[self.key + 1 :]
        return (alone, others) if self.is_key_first else (others, alone)


@dataclass
class _SplittingClient:
    """The store's client, which splits one of the batches that it reads. It counts the keys of each batch."""

    split: Split | None = None
    interrupt: Callable[[], None] = lambda: None
    sizes: list[int] = field(default_factory=list)

    def call(self, operation: str, request: dict[str, Any]) -> Reply:
        return (
            self._batch(request) if operation == "batch_get_item" else observed_table.client().call(operation, request)
        )

    def _batch(self, request: dict[str, Any]) -> Reply:
        ((name, batch),) = request["RequestItems"].items()
        keys = cast("_Keys", batch["Keys"])
        self.sizes.append(len(keys))

        def read(part: _Keys) -> Reply:
            some = {"RequestItems": {name: {**batch, "Keys": part}}}
            return observed_table.client().call("batch_get_item", some)

        if self.split is None or len(self.sizes) - 1 != self.split.batch:
            return read(keys)
        before, after = self.split.parts(keys)
        answer = read(before)
        self.interrupt()
        answer.result["Responses"][name] += read(after).result["Responses"][name]
        return answer


def _splits(sizes: list[int]) -> Iterator[Split]:
    for batch, size in enumerate(sizes):
        if size > 1:
            yield from (Split(batch, key, is_key_first) for key in range(size) for is_key_first in (True, False))


def every_torn_read(
    request: Call, interruption: Call, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Split, list[Response], Outcome]]:
    """Sends the request once for each split of its batches, and the interruption between the parts of the batch.

    Restores the table after each.
    """
    before, complete = TableSnapshot(), _SplittingClient()
    monkeypatch.setattr(dynamodb, "client", lambda: complete)
    request()
    before.restore()
    for split in _splits(complete.sizes):
        interrupting: list[Response] = []

        def interrupt(responses: list[Response] = interrupting) -> None:
            monkeypatch.setattr(dynamodb, "client", observed_table.client)
            responses.append(interruption())

        splitting = _SplittingClient(split, interrupt)
        monkeypatch.setattr(dynamodb, "client", lambda client=splitting: client)
        responses = [request(), *interrupting]
        yield split, responses, outcome(responses, before)
        before.restore()
    monkeypatch.setattr(dynamodb, "client", observed_table.client)
