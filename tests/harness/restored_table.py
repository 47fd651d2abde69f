"""A table as a restore from a backup makes it: beside the one in use, under another name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import boto3

from governance.settings import settings
from governance.store.attributes import marshal
from infra.operator.table_reader import TableReader
from tests.harness import engine
from tests.harness.table_snapshot import TableSnapshot


@contextmanager
def restored_table() -> Iterator[TableReader]:
    """Yields a reader of a table with the rows of this moment, restored under another name."""
    client, name = boto3.client("dynamodb"), f"{settings().table_name}-restored"
    client.create_table(**engine.description(name))
    for item in TableSnapshot().items.values():
        client.put_item(TableName=name, Item=marshal(item))
    yield TableReader(name)
    client.delete_table(TableName=name)
