"""What the deletion of a board leaves of a row of each kind, those that no request of a test wrote too."""

from __future__ import annotations

import pytest

from governance.models.history.event import Event
from governance.store.attributes import marshal
from governance.store.schema.entities import BOARD
from governance.store.schema.keys import TTL, Key
from governance.usecases.cleanup import delete_leftovers
from tests.harness.sdk import dynamodb as client
from tests.harness.stream import new_event
from tests.harness.table_snapshot import TableSnapshot
from tests.store import stored_items
from tests.store.rows_of_every_kind import OUTLIVES_BOARD, whole_rows
from tests.store.samples import spelled


@pytest.mark.usefixtures("bucket")
def test_a_deleted_board_leaves_of_each_kind_only_what_expires_or_is_anothers(store: str) -> None:
    rows = whole_rows()
    del rows[BOARD.key_for(boardId=stored_items.BOARD)]
    for row in rows.values():
        client().put_item(TableName=store, Item=marshal(row))
    gone = {"inviteCode": stored_items.CODE}
    event = new_event(
        stored_items.BOARD, Event.BOARD_DELETED, stored_items.USER, details={}, refs={}, delivery_data=gone
    )
    assert delete_leftovers(event)
    left = {spelled(Key(*key)) for key, row in TableSnapshot().items.items() if TTL not in row}
    assert left == OUTLIVES_BOARD, "delete it in usecases/cleanup.py, let it expire, or say in its sample why it stays"
