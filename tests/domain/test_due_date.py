"""Due dates of action items."""

from __future__ import annotations

from governance.domain.meetings import due_date as rules
from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.meetings.action_item import StoredActionItem

NOW, LATER = Instant("2027-03-01T09:00:00.000Z"), Instant("2027-03-02T09:00:00.000Z")
ITEM = StoredActionItem(
    id="1" * 24,
    board_id=BoardId("b" * 24),
    meeting_id="c" * 24,
    title="Budget",
    created_by=UserId("d" * 24),
    created_via=None,
    created_at=NOW,
    updated_at=NOW,
)


def test_a_due_date_keeps_its_creation_when_it_is_moved() -> None:
    first, _ = rules.with_due_date(ITEM, "2027-04-01", NOW)
    moved, due = rules.with_due_date(first, "2027-04-02", LATER)
    assert (due.due_on, due.created_at, due.updated_at) == ("2027-04-02", NOW, LATER)
    assert (moved.version, moved.updated_at) == (ITEM.version + 2, NOW)
    assert rules.to_resource(moved, due).action_item_id == ITEM.id


def test_a_removed_due_date_is_gone() -> None:
    dated, _ = rules.with_due_date(ITEM, "2027-04-01", NOW)
    assert rules.without_due_date(dated) == ITEM.model_copy(update={"version": ITEM.version + 2})
