"""The rows of an action item, which follow it and fit together, and the counter of an assignee's open items."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.domain.action_items.due_date import with_due_date
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.models.action_items.action_item import StoredActionItem, StoredDueDate
from governance.store.action_items import action_item_counts, action_items
from governance.store.paging import Window
from governance.store.schema.entities import ACTION_ITEM_NOTES, ASSIGNED, OPEN_ITEM_COUNT
from governance.store.schema.keys import Key, key_of
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Delete, Put, StaleRead, Write, key_of_write
from tests.harness.counts import count, set_count
from tests.harness.fault_injection import hooked, meanwhile
from tests.store.stored_items import ACTION_ITEM, BOARD, NOW, ONE, USER

pytestmark = pytest.mark.usefixtures("store")
NOTED = ACTION_ITEM.model_copy(update={"notes_version": 1})
BARE = ACTION_ITEM.model_copy(update={"assignee_user_id": None})
NOTES = ACTION_ITEM_NOTES.key_for(boardId=BOARD, actionItemId=ONE)
OTHER = UserId("9" * 24)


def changed(item: StoredActionItem, **members: object) -> StoredActionItem:
    return item.model_copy(update={"version": item.version + 1, **members})


@pytest.mark.parametrize("notes", ["{}", None])
@pytest.mark.parametrize("assignee", [USER, None])
def test_all_rows_that_an_item_is_created_with_end_with_it(notes: str | None, assignee: UserId | None) -> None:
    item = ACTION_ITEM.model_copy(update={"notes_version": int(notes is not None), "assignee_user_id": assignee})
    rows = [write.item for write in action_items.create(item, notes) if isinstance(write, Put)]
    created = {key_of(row) for row in rows}
    assert set(action_items.keys_of(item)) == created
    assert {write.key for write in action_items.delete(item) if isinstance(write, Delete)} == created
    assert {key_of(rows[0]), *action_items.keys_elsewhere(rows[0])} == created


@pytest.mark.parametrize(
    ("before", "after", "left"), [(USER, OTHER, [USER]), (USER, None, [USER]), (USER, USER, []), (None, USER, [])]
)
def test_an_item_that_changes_hands_leaves_no_row_with_the_former_assignee(
    before: UserId | None, after: UserId | None, left: list[UserId]
) -> None:
    old = ACTION_ITEM.model_copy(update={"assignee_user_id": before})
    writes = action_items.replace(old, changed(old, assignee_user_id=after), NOW)
    deleted = [write.key for write in writes if isinstance(write, Delete)]
    assert deleted == [ASSIGNED.key_for(userId=user_id, actionItemId=ONE) for user_id in left]


def test_malformed_and_unknown_ids_among_those_of_items_are_ignored() -> None:
    transact(action_items.create(BARE, None))
    assert action_items.get_by_ids(BOARD, ["malformed", ONE, "0" * 24]) == [BARE]


def test_a_list_by_due_date_leaves_out_an_item_that_is_deleted_before_it_is_read() -> None:
    item = BARE.model_copy(update={"due": StoredDueDate(due_on="2027-03-01", created_at=NOW, updated_at=NOW)})
    transact(action_items.create(item, None))
    window = Window(limit=10, descending=False)
    assert action_items.page_by_due_date(BOARD, window)[0] == [item]
    with meanwhile(lambda: transact(action_items.delete(item)), "BatchGetItem"):
        assert action_items.page_by_due_date(BOARD, window)[0] == []


def test_notes_are_read_of_the_items_that_have_some() -> None:
    transact(action_items.create(NOTED, "{}"))
    bare = BARE.model_copy(update={"id": "2" * 24, "notes_version": 0})
    assert action_items.notes_of([NOTED, bare]) == {ONE: "{}"}


@pytest.mark.parametrize(
    "change",
    [
        lambda: action_items.replace(NOTED, changed(NOTED, notes_version=2), NOW, "[]"),
        lambda: action_items.replace(NOTED, changed(NOTED, notes_version=0), NOW),
        lambda: action_items.delete(NOTED),
    ],
    ids=["other notes", "no notes", "deleted"],
)
def test_notes_that_change_after_their_item_is_read_make_the_read_stale(change: Callable[[], list[Write]]) -> None:
    transact(action_items.create(NOTED, "{}"))
    transact(change())
    with pytest.raises(StaleRead):
        action_items.notes_of([NOTED])


def test_notes_that_are_missing_are_left_out_unless_they_are_there_when_looked_at_again() -> None:
    transact(action_items.create(NOTED, "{}"))
    row = read_one(NOTES)
    assert row is not None
    transact([Delete(NOTES)])
    assert action_items.notes_of([NOTED]) == {}
    with hooked("after-call.dynamodb.BatchGetItem", lambda **_: transact([Put(row)])), pytest.raises(StaleRead):
        action_items.notes_of([NOTED])


def written(writes: list[Write], kind: type[Write]) -> set[Key]:
    return {key_of_write(write) for write in writes if isinstance(write, kind)}


def test_a_day_that_is_moved_moves_its_reminders_and_the_same_day_writes_none() -> None:
    first, _ = with_due_date(ACTION_ITEM, "2099-04-02", NOW)
    moved, _ = with_due_date(first, "2099-04-03", NOW)
    fewer, dropped = (action_items.replace(old, new, NOW) for old, new in ((first, moved), (first, ACTION_ITEM)))
    assert len(written(fewer, Delete)) == len(written(dropped, Delete)) == 2
    assert written(dropped, Delete) == written(fewer, Delete)
    assert {key for key in written(fewer, Put) if key.pk.startswith("DUE#")}.isdisjoint(written(fewer, Delete))
    same = action_items.replace(first, first.model_copy(update={"title": "B"}), NOW)
    assert not [key for key in {*written(same, Put), *written(same, Delete)} if key.pk.startswith("DUE#")]


KEY = OPEN_ITEM_COUNT.key_for(boardId=BOARD, userId=USER)
OTHER_BOARD = BoardId("9" * 24)
LIMIT, RECOUNTED = 2, 3


@pytest.fixture
def full_counter(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter that is at the limit, though the assignee has one open item on the board and one on another."""
    del store
    monkeypatch.setattr(action_item_counts, "OPEN_ITEMS_PER_ASSIGNEE", LIMIT)
    monkeypatch.setattr(action_item_counts, "_RECOUNTED", RECOUNTED)
    add_item(1, BOARD)
    add_item(2, OTHER_BOARD)
    set_count(KEY, LIMIT)


def add_item(number: int, board_id: BoardId) -> None:
    members = {"id": f"{number:024x}", "board_id": board_id, "notes_version": 0}
    transact(action_items.create(ACTION_ITEM.model_copy(update=members), None))


@pytest.mark.usefixtures("full_counter")
def test_a_recount_counts_the_open_items_of_its_own_board() -> None:
    with pytest.raises(StaleRead):
        transact(action_item_counts.created(ACTION_ITEM))
    assert count(KEY) == 1


@pytest.mark.usefixtures("full_counter")
def test_an_assignee_with_more_rows_than_a_recount_reads_stays_at_the_limit() -> None:
    add_item(3, OTHER_BOARD)
    with pytest.raises(ApiError):
        transact(action_item_counts.created(ACTION_ITEM))
    assert count(KEY) == LIMIT
