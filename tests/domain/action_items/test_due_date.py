"""Due dates of action items."""

from __future__ import annotations

from governance.domain.action_items import due_date as due_date_rules
from governance.instants import Instant
from tests.domain.samples import action_item

NOW, LATER = Instant("2027-03-01T09:00:00.000Z"), Instant("2027-03-02T09:00:00.000Z")
ITEM = action_item()


def test_a_due_date_keeps_its_creation_when_it_is_moved() -> None:
    first, _ = due_date_rules.with_due_date(ITEM, "2027-04-01", NOW)
    moved, due = due_date_rules.with_due_date(first, "2027-04-02", LATER)
    assert (due.due_on, due.created_at, due.updated_at) == ("2027-04-02", NOW, LATER)
    assert (moved.version, moved.updated_at) == (ITEM.version + 2, ITEM.updated_at)
    assert due_date_rules.to_resource(moved, due).action_item_id == ITEM.id


def test_a_removed_due_date_is_gone() -> None:
    dated, _ = due_date_rules.with_due_date(ITEM, "2027-04-01", NOW)
    assert due_date_rules.without_due_date(dated) == ITEM.model_copy(update={"version": ITEM.version + 2})
