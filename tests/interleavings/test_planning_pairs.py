"""Concurrent moves of agenda items: an item stands in one place, whatever happens at the same time."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.harness.meeting_scenario import MeetingScenario
from tests.interleavings.pair_scenario import Check, PairScenario
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow


def _id(path: str) -> str:
    return path.rpartition("/")[2]


def _with_item(pairs: PairScenario, **members: Any) -> tuple[MeetingScenario, str]:
    """Returns a meeting, and the id of the only item of its agenda."""
    meeting = pairs.new_meeting(**members)
    agenda = pairs.owner.put(f"{meeting.path}/agenda", {"items": [{"title": "One"}]})
    return meeting, str(agenda.data["items"][0]["id"])


def _postpone(pairs: PairScenario, meeting: MeetingScenario, item_id: str, to: str) -> Call:
    return partial(pairs.owner.post, f"{meeting.path}/agenda/items/{item_id}/postpone", {"to": to})


def _place(pairs: PairScenario, item: str, meeting: MeetingScenario) -> Call:
    return partial(pairs.owner.post, f"{item}/place", {"meetingId": _id(meeting.path)})


def test_postpone_to_two_places(pairs: PairScenario, check: Check) -> None:
    meeting, item_id = _with_item(pairs)
    other = _id(pairs.new_meeting().path)
    check(_postpone(pairs, meeting, item_id, "backlog"), _postpone(pairs, meeting, item_id, other))


def test_postpone_change_agenda(pairs: PairScenario, check: Check) -> None:
    meeting, item_id = _with_item(pairs)
    changed = {"items": [{"id": item_id, "title": "Renamed"}, {"title": "New"}]}
    check(_postpone(pairs, meeting, item_id, "backlog"), partial(pairs.owner.put, f"{meeting.path}/agenda", changed))


def test_postpone_record(pairs: PairScenario, check: Check) -> None:
    meeting, item_id = _with_item(pairs, status="in_progress")
    minutes = {"items": [{"agendaItemId": item_id, "text": "Said"}]}
    check(_postpone(pairs, meeting, item_id, "backlog"), partial(pairs.owner.put, f"{meeting.path}/minutes", minutes))


def test_postpone_finalize(pairs: PairScenario, check: Check) -> None:
    meeting, item_id = _with_item(pairs, status="completed")
    check(
        _postpone(pairs, meeting, item_id, "backlog"), partial(pairs.owner.patch, meeting.path, {"status": "finalized"})
    )


def test_postpone_delete_destination(pairs: PairScenario, check: Check) -> None:
    meeting, item_id = _with_item(pairs)
    other = pairs.new_meeting()
    check(_postpone(pairs, meeting, item_id, _id(other.path)), partial(pairs.owner.delete, other.path))


def test_place_on_two_agendas(pairs: PairScenario, check: Check) -> None:
    item = pairs.create(pairs.path("backlog"), title="Waits")
    check(_place(pairs, item, pairs.new_meeting()), _place(pairs, item, pairs.new_meeting()))


def test_place_change_item(pairs: PairScenario, check: Check) -> None:
    item = pairs.create(pairs.path("backlog"), title="Waits")
    check(_place(pairs, item, pairs.new_meeting()), partial(pairs.owner.patch, item, {"title": "Renamed"}))


def test_place_delete_item(pairs: PairScenario, check: Check) -> None:
    item = pairs.create(pairs.path("backlog"), title="Waits")
    check(_place(pairs, item, pairs.new_meeting()), partial(pairs.owner.delete, item))


def test_place_matter_twice(pairs: PairScenario, check: Check) -> None:
    matter = pairs.create(pairs.path("plan"), title="Accounts", months=[3])
    place = _place(pairs, matter, pairs.new_meeting(startTime="2098-03-01T09:00:00Z"))
    check(place, place)


def test_apply_template_twice(pairs: PairScenario, check: Check) -> None:
    template = pairs.create(pairs.path("agenda-templates"), name="N", items=[{"title": "Opening"}])
    meeting = pairs.new_meeting()
    apply = partial(pairs.owner.post, f"{meeting.path}/agenda/template", {"templateId": _id(template)})
    check(apply, apply)
