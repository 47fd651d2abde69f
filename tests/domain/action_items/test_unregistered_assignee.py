"""The rules of assignees without an account."""

from __future__ import annotations

from governance.domain.action_items import unregistered_assignee as unregistered_assignee_rules
from governance.ids import PersonId
from governance.models.action_items.action_item import StoredUnregisteredAssignee, UnregisteredAssignee
from tests.domain.samples import NOW, THEN, action_item, later

A, B = PersonId("a"), PersonId("b")
ANNA = StoredUnregisteredAssignee(unregistered_user_id=A, created_at=THEN, updated_at=THEN)


def test_an_assignee_is_new_where_there_was_none() -> None:
    assert unregistered_assignee_rules.assigned_to(action_item(), A, NOW) == StoredUnregisteredAssignee(
        unregistered_user_id=A, created_at=NOW, updated_at=NOW
    )


def test_another_assignee_keeps_the_creation_and_what_a_newer_release_has_added() -> None:
    newer = StoredUnregisteredAssignee.model_validate({**vars(ANNA), "x-newer": 1})
    assignee = unregistered_assignee_rules.assigned_to(action_item(unregistered_assignee=newer), B, NOW)
    assert (assignee.unregistered_user_id, assignee.created_at, assignee.updated_at) == ("b", THEN, NOW)
    assert assignee.item()["x-newer"] == 1


def test_to_assign_to_the_assignee_changes_nothing() -> None:
    item = action_item(unregistered_assignee=ANNA)
    assert unregistered_assignee_rules.assigned_to(item, A, NOW) is item.unregistered_assignee


def test_an_item_that_is_nobodys_has_no_assignee_of_any_kind() -> None:
    assigned = action_item(unregistered_assignee=ANNA, assignee_user_id="u", assignee_name="Bob")
    assert assigned.model_copy(update=unregistered_assignee_rules.UNASSIGNED) == action_item()


def test_the_assignee_is_shown_with_the_item_and_its_instants() -> None:
    shown = unregistered_assignee_rules.to_resource(
        action_item(id="i"), ANNA.model_copy(update={"updated_at": later()})
    )
    assert shown == UnregisteredAssignee(
        action_item_id="i", unregistered_user_id=A, created_at=THEN, updated_at=later()
    )
