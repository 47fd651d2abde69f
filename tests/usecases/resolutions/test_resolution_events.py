"""The events of resolutions do not expire; they end with their draft, or with their board."""

from __future__ import annotations

from governance.ids import BoardId
from governance.instants import Instant, epoch, shift
from governance.limits import EVENT_DAYS
from governance.store.schema.keys import Item
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.meeting_scenario import stored_events
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.stream import deliver


def events_of(board_id: BoardId, *, logged: bool = True) -> list[Item]:
    return [event for event in event_items(board_id) if event["type"].startswith("resolution.") is logged]


def test_the_events_of_a_deleted_draft_expire_like_others(scenario: BoardScenario) -> None:
    votes = ResolutionScenario(scenario)
    kept, path = votes.opened(), votes.drafted()
    assert votes.manager.client.delete(path).status == 200
    deliver(*stored_events(scenario, "resolution.deleted"))
    gone = path.rpartition("/")[2]
    expiring = {
        event["type"]: event.get("ttl")
        for event in events_of(scenario.board_id)
        if event["refs"]["resolutionId"] == gone
    }
    (deleted,) = stored_events(scenario, "resolution.deleted")
    expiry = epoch(shift(Instant(deleted.created_at), days=EVENT_DAYS))
    assert expiring == {"resolution.created": expiry, "resolution.deleted": expiry}
    others = [
        event for event in events_of(scenario.board_id) if event["refs"]["resolutionId"] == kept.rpartition("/")[2]
    ]
    assert len(others) == 2
    assert all("ttl" not in event for event in others)


def test_a_board_that_is_deleted_leaves_no_event_that_does_not_expire(scenario: BoardScenario) -> None:
    ResolutionScenario(scenario).opened()
    assert len(events_of(scenario.board_id)) == 2
    assert scenario.owner.client.delete(scenario.path).status == 200
    deliver(*stored_events(scenario, "board.deleted"))
    assert events_of(scenario.board_id) == []
    assert all("ttl" in event for event in events_of(scenario.board_id, logged=False))
