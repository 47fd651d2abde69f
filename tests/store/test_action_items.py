"""The rows beside an action item follow it: the assignee's, that of its place, its notes, its reminders."""

from __future__ import annotations

import pytest

from governance.domain.due_date import with_due_date
from governance.ids import UserId
from governance.models.action_item import StoredActionItem
from governance.store import action_items
from governance.store.schema.entities import ACTION_ITEM_NOTES, ASSIGNED
from governance.store.schema.keys import Key
from governance.store.writes import Delete, Put, Write, key_of_write
from tests.store.stored_items import ACTION_ITEM, BOARD, NOW, ONE, USER

OTHER = UserId("b" * 24)
NOTES = ACTION_ITEM_NOTES.key_for(boardId=BOARD, actionItemId=ONE)


def of(assignee: UserId | None) -> StoredActionItem:
    return ACTION_ITEM.model_copy(update={"assignee_user_id": assignee})


def assigned(*users: UserId) -> set[Key]:
    return {ASSIGNED.key_for(userId=user, actionItemId=ONE) for user in users}


def keys(writes: list[Write], kind: type[Write]) -> set[Key]:
    return {key_of_write(write) for write in writes if isinstance(write, kind)}


@pytest.mark.parametrize(
    ("before", "after", "deleted", "put"),
    [
        (USER, OTHER, assigned(USER), assigned(OTHER)),
        (USER, None, assigned(USER), set()),
        (None, OTHER, set(), assigned(OTHER)),
        (USER, USER, set(), assigned(USER)),
        (None, None, set(), set()),
    ],
)
def test_only_the_present_assignee_has_a_row_of_an_item(
    before: UserId | None, after: UserId | None, deleted: set[Key], put: set[Key]
) -> None:
    writes = action_items.replace(of(before), of(after), NOW)
    assert keys(writes, Delete) == deleted
    assert keys(writes, Put) == {*put, *keys(action_items.replace(of(None), of(None), NOW), Put)}


@pytest.mark.parametrize("assignee", [USER, None])
@pytest.mark.parametrize("notes", [1, 0])
def test_an_item_is_deleted_with_all_of_its_rows(assignee: UserId | None, notes: int) -> None:
    item = of(assignee).model_copy(update={"notes_version": notes})
    made = keys(action_items.create(item, "{}" if notes else None), Put)
    assert keys(action_items.delete(item), Delete) == made == set(action_items.keys_of(item))
    assert (NOTES in made) is bool(notes)


def test_a_day_that_is_moved_moves_its_reminders_and_the_same_day_writes_none() -> None:
    first, _ = with_due_date(of(USER), "2099-04-02", NOW)
    moved, _ = with_due_date(first, "2099-04-03", NOW)
    fewer, dropped = (action_items.replace(old, new, NOW) for old, new in ((first, moved), (first, of(USER))))
    assert len(keys(fewer, Delete)) == len(keys(dropped, Delete)) == 2
    assert keys(dropped, Delete) == keys(fewer, Delete)
    assert {key for key in keys(fewer, Put) if key.pk.startswith("DUE#")}.isdisjoint(keys(fewer, Delete))
    same = action_items.replace(first, first.model_copy(update={"title": "B"}), NOW)
    assert not [key for key in {*keys(same, Put), *keys(same, Delete)} if key.pk.startswith("DUE#")]
