"""The audit trail: the fields that an update names; of a meeting, see `test_meeting.py`.

Which events leave which entry is the glossary's (`test_event_vocabulary.py`); what their details are is recorded in
`contract/writes.txt` and `releases/recorded_events.jsonl`.
"""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.history import audit as audit_rules
from tests.domain.samples import NOW, action_item, meeting, membership


def test_an_update_names_the_fields_that_differ_as_clients_know_them() -> None:
    changes = {"title": "T", "location_type": "virtual", "start_time": NOW}
    assert audit_rules.changed_fields(meeting(), meeting(**changes)) == ["title", "locationType", "startTime"]
    member = {"admin_role": "admin", "board_positions": ("ceo",)}
    assert audit_rules.changed_fields(membership(), membership(**member)) == ["adminRole", "boardPositions"]


@pytest.mark.parametrize(("name", "value"), [("updated_by", "v"), ("notes_bytes", 9), ("status", "completed")])
def test_what_the_service_sets_of_an_action_item_by_itself_is_not_named(name: str, value: Any) -> None:
    assert audit_rules.changed_fields(action_item(), action_item(**{name: value})) == []


def test_an_update_keeps_the_values_of_short_fields_before_and_after_and_nothing_of_texts_and_persons() -> None:
    changes = {"title": "T", "start_time": NOW, "notes_bytes": 9, "virtual_meeting_url": "https://call.example/secret"}
    assert [change.model_dump() for change in audit_rules.field_changes(meeting(), meeting(**changes))] == [
        {"field": "title", "from": meeting().title, "to": "T"},
        {"field": "startTime", "from": meeting().start_time, "to": NOW},
    ]
    member = {"admin_role": "admin", "board_positions": ("ceo",)}
    assert [change.model_dump() for change in audit_rules.field_changes(membership(), membership(**member))] == [
        {"field": "adminRole", "from": "member", "to": "admin"},
        {"field": "boardPositions", "from": list(membership().board_positions), "to": ["ceo"]},
    ]
