"""A newer release beside this one on one table: nothing that it stores is lost, and nothing makes a request fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from governance.instants import now, shift
from governance.models.history.event import Event
from governance.store.history import events
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.engine import clear_recent_admissions
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, SampleRequest, sample_request
from tests.harness.stream import new_event, process_records, record_of
from tests.releases import newer_release

pytestmark = pytest.mark.usefixtures("outbox")
_FOR_INVITEES = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
_ENDED = {
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}/vote": "#VOTE#",  # a vote is given whole
    "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}/due": "ACTION#",
    "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/poll": "MEETING#",
    "DELETE /api/v1/boards/{boardId}/webhooks/{webhookId}": "WEBHOOKS",
}
"""Routes that end a part of an item, by the sort key of the item."""


def _prepared(route: str, scenario: BoardScenario) -> tuple[SampleRequest, Person]:
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if route.endswith(_FOR_INVITEES) else scenario.owner
    request = sample_request(route, scenario, caller)
    return request, caller


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_the_members_that_a_newer_release_has_added_are_kept_and_not_shown(route: str, scenario: BoardScenario) -> None:
    request, caller = _prepared(route, scenario)
    stored = newer_release.add_members()
    clear_recent_admissions()
    response = request.by(caller.client)
    assert response.status == ROUTES_BY_NAME[route].status or "preview" in route, response.text
    assert "addedLater" not in response.text
    assert [key for key in newer_release.lost(stored) if _ENDED.get(route, "\0") not in key[1]] == []


@pytest.mark.parametrize("route", ROUTE_NAMES)
def test_an_enumerated_value_of_a_newer_release_makes_no_request_fail(route: str, scenario: BoardScenario) -> None:
    request, caller = _prepared(route, scenario)
    newer_release.add_values()
    clear_recent_admissions()
    response = request.by(caller.client)
    assert response.status < 500, response.text


def test_the_feed_returns_an_event_of_a_type_that_it_does_not_know(scenario: BoardScenario) -> None:
    unknown = new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id, at=shift(now(), minutes=-5))
    write = events.put(unknown.model_copy(update={"type": "board.folded"}))
    assert isinstance(write, Put)
    transact([replace(write, commit_by=None)])
    feed = scenario.owner.client.all(f"{scenario.path}/events")
    assert "board.folded" in {event["type"] for event in feed}


def test_an_event_of_an_unknown_type_waits_for_the_release_that_knows_it(scenario: BoardScenario) -> None:
    known = new_event(scenario.board_id, Event.BOARD_CHANGED, scenario.owner.id)
    assert len(process_records([record_of(known.model_copy(update={"type": "board.folded"}))])) == 1
