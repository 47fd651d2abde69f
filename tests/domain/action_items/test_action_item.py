"""The rules of action items, as pure functions."""

from __future__ import annotations

import math
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.action_items import action_item as action_item_rules
from governance.domain.members.unregistered_user import NOBODY
from governance.ids import UserId
from governance.instants import Instant
from governance.limits import ACTION_ITEMS_PAGE_BYTES
from governance.models.action_items.action_item import StoredActionItem

NOW, LATER = Instant("2030-01-01T12:00:00.000Z"), Instant("2030-01-02T12:00:00.000Z")
numbers = st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
documents = st.dictionaries(st.text(), st.recursive(scalars, st.lists, max_leaves=5), max_size=4)


def item(**members: Any) -> StoredActionItem:
    usual = {"id": "i", "boardId": "b", "meetingId": "m", "title": "t", "createdBy": "u", "createdVia": "web"}
    return StoredActionItem.model_validate(
        {**usual, "createdAt": NOW, "updatedAt": NOW, **action_item_rules.to_stored(members)}
    )


@given(numbers, documents)
def test_numbers_and_documents_come_back_as_they_were_given(order: float, notes: dict[str, Any]) -> None:
    shown = action_item_rules.to_resource(
        item(order=order), action_item_rules.to_stored({"notes": notes})["notes"], NOBODY
    )
    assert (shown.order, shown.notes) == (order, notes)
    assert type(shown.order) is type(order)


@given(st.lists(st.none() | numbers, max_size=12))
def test_the_order_is_total_and_null_comes_last(orders: list[float | None]) -> None:
    items = [item(id=f"{number:03d}", order=order) for number, order in enumerate(orders)]
    shuffled = random.sample(items, len(items))
    ordered = sorted(shuffled, key=action_item_rules.list_position)
    assert ordered == sorted(items, key=action_item_rules.list_position)
    shown = [action_item_rules.to_resource(entry, None, NOBODY).order for entry in ordered]
    given_ones = [order for order in shown if order is not None]
    assert shown == [*sorted(given_ones), *[None] * (len(shown) - len(given_ones))]


def test_equal_orders_fall_back_on_creation_then_id() -> None:
    items = [item(id="b", order=1), item(id="a", order=1.0), item(id="c", order=1, createdAt="2029-01-01")]
    assert [entry.id for entry in sorted(items, key=action_item_rules.list_position)] == ["c", "a", "b"]


def test_a_change_names_what_a_client_would_see_apart_from_the_status() -> None:
    old = item(order=1)
    changes = {"status": "completed", "order": "1.5", "notes": "{}", "title": "t"}
    new = action_item_rules.patched(old, changes, UserId("ben"), LATER)
    assert action_item_rules.updated_fields(old, new) == ["order", "notes"]
    assert (new.updated_by, new.updated_at, new.version) == (UserId("ben"), LATER, 2)


def test_notes_have_the_version_at_which_they_were_written() -> None:
    noted = action_item_rules.patched(item(), {"notes": '{"a":1}'}, None, LATER)
    assert (noted.version, noted.notes_version, noted.notes_bytes) == (2, 2, 9)
    moved = action_item_rules.patched(noted, {"status": "completed"}, None, LATER)
    assert (moved.version, moved.notes_version, action_item_rules.updated_fields(noted, moved)) == (3, 2, [])
    cleared = action_item_rules.patched(moved, {"notes": None}, None, LATER)
    assert (cleared.notes_version, cleared.notes_bytes, action_item_rules.updated_fields(moved, cleared)) == (
        0,
        0,
        ["notes"],
    )


def test_only_a_new_assignee_is_told() -> None:
    nobody, ada, ben = item(), item(assigneeUserId="ada"), item(assigneeUserId="ben")
    told = [
        action_item_rules.new_assignee(*pair)
        for pair in ((None, nobody), (None, ada), (ada, ada), (ada, ben), (ada, nobody))
    ]
    assert told == [None, "ada", None, "ben", None]


def test_a_position_ends_with_creation_and_id_which_the_key_of_the_list_has_too() -> None:
    assert action_item_rules.list_position(item()) == f"~#{NOW}#i"
    assert action_item_rules.list_position(item(order=0)) == f"8000000000000000#{NOW}#i"
    assert action_item_rules.list_position(item(order=-0.0)) == action_item_rules.list_position(item(order=0))
    assert action_item_rules.list_position(item(order=-1)) < action_item_rules.list_position(item(order=0))


def test_a_page_has_notes_of_exactly_four_mebibytes() -> None:
    half = ACTION_ITEMS_PAGE_BYTES // 2
    sized = [item().model_copy(update={"notes_bytes": size}) for size in (half, half, 1)]
    assert action_item_rules.fitting(sized) == 2
    assert action_item_rules.fitting([sized[2], *sized]) == 2
    assert action_item_rules.fitting([]) == 0


def test_notes_are_no_member_of_the_stored_item() -> None:
    assert "notes" not in vars(action_item_rules.patched(item(), {"notes": "{}", "title": "T"}, None, LATER))


def test_neighbouring_numbers_are_in_order_on_both_sides_of_zero() -> None:
    for number in (-1.0, -(2.0**40), 1.0):
        neighbours = [math.nextafter(number, -math.inf), number, math.nextafter(number, math.inf)]
        positions = [action_item_rules.list_position(item(order=entry)) for entry in neighbours]
        assert positions == sorted(positions)
        assert len(set(positions)) == 3
