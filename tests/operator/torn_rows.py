"""Rows that do not fit the others, as no release writes them, and what `boardctl doctor` makes of them."""

from __future__ import annotations

from collections.abc import Callable

import boto3

from governance.ids import BoardId
from governance.settings import settings
from governance.store.attributes import marshal
from governance.store.schema.keys import Item
from infra.operator import doctor
from tests.harness.table_snapshot import TableSnapshot


def stored(sort_key: str) -> Item:
    """Returns the row with a sort key."""
    return next(item for (_, sk), item in TableSnapshot().items.items() if sk == sort_key)


def put(item: Item) -> None:
    """Writes a row."""
    boto3.client("dynamodb").put_item(TableName=settings().table_name, Item=marshal(item))


def lose(pk: str, sk: str) -> None:
    """Takes a row away."""
    boto3.client("dynamodb").delete_item(TableName=settings().table_name, Key=marshal({"PK": pk, "SK": sk}))


def assert_mended(board_id: BoardId, tear: Callable[[], object]) -> list[str]:
    """Asserts that the doctor finds what is torn, changes nothing by that, and mends it; returns the problems."""
    assert doctor.examine(board_id) == []
    tear()
    before = TableSnapshot()
    findings = doctor.examine(board_id)
    assert findings
    assert not before.changes()
    assert all(finding.mend for finding in doctor.mend(board_id))
    assert doctor.examine(board_id) == []
    return sorted({finding.problem for finding in findings})
