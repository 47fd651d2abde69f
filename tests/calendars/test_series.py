"""Series in calendar feeds: foreign readers find the instants that the service itself has, each once."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from governance.instants import to_datetime
from tests.calendars.feeds import Reply, fetch, subscribe
from tests.calendars.series_edits import ZONES, after
from tests.calendars.series_feeds import EDITS_PER_ROUND, LAST, check, compare, feed
from tests.calendars.series_readers import by_dateutil
from tests.harness.board_scenario import BoardScenario
from tests.harness.sample_bodies import SERIES

pytestmark = pytest.mark.usefixtures("store")
ROUNDS = int(os.environ.get("EDITS", EDITS_PER_ROUND)) // EDITS_PER_ROUND
"""Each round edits a series of its own in every zone; `make series` sets how many edits there are of a zone."""


@pytest.mark.parametrize("zone", ZONES)
def test_what_a_reader_expands_is_what_is_planned_and_opened(zone: str) -> None:
    chance = random.Random(zone)  # noqa: S311 - repeatable, no secret
    for _ in range(3):
        edited = after(chance, zone, edits=15)
        check(edited, by_dateutil(feed(edited), LAST), "dateutil")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(ROUNDS))
def test_readers_of_two_other_families_expand_the_same_after_each_edit(number: int) -> None:
    assert compare(number) == len(ZONES) * EDITS_PER_ROUND


def series(board: BoardScenario, **members: Any) -> str:
    created = board.owner.client.post(f"{board.path}/series", {**SERIES, **members})
    assert created.status == 201, created.text
    return str(created.data["id"])


def events_of(reply: Reply) -> list[Any]:
    return [*reply.calendar.walk("VEVENT")]


def shown(reply: Reply) -> list[tuple[str, str, str]]:
    """Returns the components of a feed: their id, when they begin and which occurrence they are instead of."""
    return sorted(
        (str(event["uid"]).partition("@")[0], event["dtstart"].dt.isoformat()[:16], _replaced(event))
        for event in events_of(reply)
    )


def _replaced(event: Any) -> str:
    return event["recurrence-id"].dt.isoformat()[:16] if "recurrence-id" in event else ""


def test_a_series_is_one_event_of_which_what_is_opened_is_a_meeting(scenario: BoardScenario) -> None:
    series_id, client = series(scenario), scenario.owner.client
    url, path = subscribe(scenario.owner), f"{scenario.path}/series/{series_id}"
    first, second, third = (each["key"] for each in client.get(path).data["next"][:3])
    assert shown(fetch(url)) == [(series_id, first, "")]
    meeting = client.post(f"{path}/occurrences/{first}/open").data
    assert client.put(f"{path}/occurrences/{second}", {"startTime": "2098-02-05T09:00:00Z"}).status == 200
    assert client.put(f"{path}/occurrences/{third}", {"cancelled": True}).status == 200
    reply = fetch(url)
    moved = (series_id, "2098-02-05T10:00", second)
    assert shown(reply) == sorted([(meeting["id"], first, ""), (series_id, second, ""), moved])
    (master,) = [event for event in events_of(reply) if "rrule" in event]
    excluded: Any = master["exdate"]
    assert [each.dt.isoformat()[:16] for each in excluded.dts] == [third]
    assert client.delete(meeting_path(scenario, meeting)).status == 200
    assert shown(fetch(url)) == sorted([(series_id, second, ""), moved])
    assert client.delete(path).status == 200
    assert shown(fetch(url)) == []


def meeting_path(board: BoardScenario, meeting: Any) -> str:
    return f"{board.path}/meetings/{meeting['id']}"


def test_a_committees_series_is_in_its_members_feeds_alone(scenario: BoardScenario) -> None:
    ben, eve = scenario.member("ben"), scenario.member("eve")
    series_id = series(scenario, committeeId=scenario.committee(scenario.owner, ben))
    assert [id_ for id_, _, _ in shown(fetch(subscribe(ben)))] == [series_id]
    assert shown(fetch(subscribe(eve))) == []


def test_a_changed_schedule_shows_nothing_twice_and_nothing_of_before(scenario: BoardScenario) -> None:
    series_id, client = series(scenario), scenario.owner.client
    path = f"{scenario.path}/series/{series_id}"
    later = client.get(path).data["next"][2]["key"]
    assert client.post(f"{path}/occurrences/{later}/open").status == 201
    changed = client.patch(path, {"rule": "FREQ=MONTHLY;BYDAY=3TU", "start": "2098-01-21T09:00"})
    assert changed.status == 200, changed.text
    starts = [start for found in by_dateutil(fetch(subscribe(scenario.owner)).body, LAST).values() for start in found]
    assert len(starts) == len({*starts})
    planned = [each["startTime"] for each in client.get(path).data["next"]]
    assert sorted(starts)[: len(planned)] == [to_datetime(each).timestamp() for each in planned]
