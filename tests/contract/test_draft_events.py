"""Whatever happens in a draft, its events are for its creator alone until it is opened."""

from __future__ import annotations

import pytest

from governance.models.event import StoredEvent
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.sample_requests import ROUTE_NAMES, sample_request

_OF_OPENED_MEETINGS = ("guest-link", "pack", "reminders", "minutes")
CHANGING = [
    name
    for name in ROUTE_NAMES
    if "{meetingId}" in name and not name.startswith("GET") and not name.endswith(_OF_OPENED_MEETINGS)
]


@pytest.mark.parametrize("route", CHANGING)
def test_a_change_of_a_draft_is_told_to_its_creator_alone(route: str, scenario: BoardScenario) -> None:
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Draft", "status": "draft"}).data["id"]
    sample = sample_request(route, scenario, meetingId=draft)
    response = scenario.owner.client.call(sample.method, sample.path, sample.body)
    events = [StoredEvent.model_validate(item) for item in event_items(scenario.board_id)]
    told = {event.draft_of for event in events if event.refs.get("meetingId") == draft}
    assert (response.status // 100, told) == (2, {scenario.owner.id})
