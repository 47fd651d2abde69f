"""A log of a hundred thousand entries, sealed as its queue hands them out, and verified whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import pytest

from governance.instants import now
from governance.log.notes import parse_key
from governance.log.tiles import tiles_for_proof
from governance.sealing import sealer
from governance.store.history import audit, log_files
from governance.store.schema.keys import key_of
from infra.operator.log import unlike, verified_entries
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.observed_table import events as table_events
from tests.large.filling import store_all
from tests.large.test_audit import COUNT, entries

pytestmark = pytest.mark.slow
_BATCH = 500
"""The most messages that the queue hands to the sealer at once."""
_CALLS_OF_A_BATCH = {"get": 1 + 4, "put": 2 + 4 + 4, "BatchGetItem": 1 + 5, "PutItem": 1, "TransactWriteItems": 1}
"""The most calls of a batch, besides an update for each row. The checkpoint is read, and the edge (tiles of up to three
levels, and a bundle); batch, checkpoint, up to two full tiles with their bundles and the new edge are written."""


@dataclass
class Bucket:
    """Takes the place of the bucket, whose stand-in takes one call at a time."""

    files: dict[str, bytes] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    def find(self, key: str) -> tuple[bytes, str] | None:
        with self.lock:
            self.calls["get"] += 1
            content = self.files.get(key)
        return None if content is None else (content, str(hash(content)))

    def put(self, key: str, body: bytes, **options: Any) -> bool:
        with self.lock:
            self.calls["put"] += 1
            old = self.files.get(key)
            if ("IfNoneMatch" in options and old is not None) or options.get("IfMatch", str(hash(old))) != str(
                hash(old)
            ):
                return False
            self.files[key] = body
        return True

    def fetch(self, path: str) -> bytes:
        return self.files[log_files.FOLDER + path]


@pytest.fixture
def bucket(store: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:  # noqa: ARG001 - requested for its effect
    files = Bucket()
    monkeypatch.setattr(log_files, "_find", files.find)
    monkeypatch.setattr(log_files, "_put", files.put)
    monkeypatch.setattr(sealing, "public", files.fetch)
    return files


def test_a_hundred_thousand_entries_are_sealed_with_a_few_calls_for_each_batch(
    scenario: BoardScenario, bucket: Bucket
) -> None:
    rows = [audit.put(entry).item for entry in entries(scenario)]  # type: ignore[union-attr]
    store_all(rows)
    keys = sorted(map(key_of, rows), key=lambda key: key.sk)
    sealer.start()
    bucket.calls.clear()

    def count(model: Any, **_: Any) -> None:
        with bucket.lock:
            bucket.calls[model.name] += 1

    table_events.register("before-call.dynamodb.*", count)
    for first in range(0, COUNT, _BATCH):
        sealer.seal(keys[first : first + _BATCH])
    table_events.unregister("before-call.dynamodb.*", count)
    assert bucket.calls.pop("UpdateItem") == COUNT
    batches = COUNT // _BATCH
    assert {name: many for name, many in bucket.calls.items() if many > batches * _CALLS_OF_A_BATCH.get(name, 0)} == {}
    signed, sealed = verified_entries(bucket.fetch, parse_key(bucket.fetch("key").decode()))
    assert signed.checkpoint.size == COUNT
    assert [*unlike(audit.rows_of_board(scenario.board_id, now()), sealed)] == []
    assert len(tiles_for_proof(0, COUNT)) <= 5
    sealing.verify_proof(log_files.proof(COUNT // 2) or "", sealed[COUNT // 2])
