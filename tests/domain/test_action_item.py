"""The rules of action items, as pure functions."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from governance.domain import action_item as rules
from governance.domain.audit import changed_fields
from governance.ids import UserId
from governance.instants import Instant
from governance.models.action_item import StoredActionItem

NOW, LATER = Instant("2030-01-01T12:00:00.000Z"), Instant("2030-01-02T12:00:00.000Z")
numbers = st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
documents = st.dictionaries(st.text(), st.recursive(scalars, st.lists, max_leaves=5), max_size=4)


def item(**members: Any) -> StoredActionItem:
    usual = {"id": "i", "boardId": "b", "meetingId": "m", "title": "t", "createdBy": "u", "createdVia": "web"}
    return StoredActionItem.model_validate({**usual, "createdAt": NOW, "updatedAt": NOW, **rules.to_stored(members)})


@given(numbers, documents)
def test_numbers_and_documents_come_back_as_they_were_given(order: float, notes: dict[str, Any]) -> None:
    found = rules.to_resource(item(order=order, notes=notes))
    assert (found.order, found.notes) == (order, notes)
    assert type(found.order) is type(order)


@given(st.lists(st.none() | numbers, max_size=12))
def test_the_order_is_total_and_null_comes_last(orders: list[float | None]) -> None:
    items = [item(id=f"{number:03d}", order=order) for number, order in enumerate(orders)]
    shuffled = random.sample(items, len(items))
    found = sorted(shuffled, key=rules.list_position)
    assert found == sorted(items, key=rules.list_position)
    shown = [rules.to_resource(each).order for each in found]
    given_ones = [order for order in shown if order is not None]
    assert shown == [*sorted(given_ones), *[None] * (len(shown) - len(given_ones))]


def test_equal_orders_fall_back_on_creation_then_id() -> None:
    items = [item(id="b", order=1), item(id="a", order=1.0), item(id="c", order=1, createdAt="2029-01-01")]
    assert [each.id for each in sorted(items, key=rules.list_position)] == ["c", "a", "b"]


def test_a_change_names_what_a_client_would_see_apart_from_the_status() -> None:
    old = item(order=1)
    new = rules.patched(old, {"status": "completed", "order": 1.5, "notes": {}, "title": "t"}, UserId("ben"), LATER)
    assert changed_fields(old, new) == ["order", "notes"]
    assert (new.updated_by, new.updated_at, new.version) == (UserId("ben"), LATER, 2)


def test_only_a_new_assignee_is_told() -> None:
    nobody, ada, ben = item(), item(assigneeUserId="ada"), item(assigneeUserId="ben")
    told = [rules.new_assignee(*pair) for pair in ((None, nobody), (None, ada), (ada, ada), (ada, ben), (ada, nobody))]
    assert told == [None, "ada", None, "ben", None]
