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
