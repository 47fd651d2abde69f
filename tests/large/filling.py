"""Fills a table with many items in little time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from governance.settings import settings
from governance.store.attributes import marshal
from governance.store.schema.keys import Item
from tests.harness import sdk

_BATCH = 25


def store_all(items: Sequence[Item]) -> None:
    """Stores items whatever is there already, 25 in a call and eight calls at the same time."""
    name = settings().table_name

    def write(batch: Sequence[Item]) -> None:
        puts = [{"PutRequest": {"Item": marshal(item)}} for item in batch]
        response = sdk.dynamodb().batch_write_item(RequestItems={name: puts})  # type: ignore[dict-item]
        assert not response["UnprocessedItems"]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]))
