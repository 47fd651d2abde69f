"""Concurrent approvals of minutes: each gets its number and one entry, whatever happens at the same time."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.harness.meeting_scenario import MeetingScenario
from tests.interleavings.pair_scenario import Check, PairScenario
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow
SPRING, SUMMER, AUTUMN = "2030-03-05T09:00:00.000Z", "2030-06-04T09:00:00.000Z", "2030-09-03T09:00:00.000Z"


def _circulated(pairs: PairScenario) -> MeetingScenario:
    """Returns a meeting whose minutes were circulated."""
    meeting = pairs.new_meeting(startTime=SPRING, status="completed")
    assert pairs.owner.put(f"{meeting.path}/minutes", {"items": [{"text": "Said"}]}).status == 200
    assert pairs.owner.post(f"{meeting.path}/minutes/circulation").status == 201
    return meeting


def _later(pairs: PairScenario) -> MeetingScenario:
    """Returns a later meeting, which is in progress."""
    return pairs.new_meeting(startTime=SUMMER, status="in_progress")


def _approval(pairs: PairScenario, meeting: MeetingScenario, later: MeetingScenario) -> Call:
    body = {"manner": "as_presented", "inMeetingId": later.path.rpartition("/")[2]}
    return partial(pairs.owner.post, f"{meeting.path}/minutes/approval", body)


def _items(pairs: PairScenario, meeting: MeetingScenario) -> Call:
    return partial(pairs.owner.post, f"{meeting.path}/agenda/approvals")


def _put(pairs: PairScenario, meeting: MeetingScenario, what: str, *items: dict[str, Any]) -> Call:
    return partial(pairs.owner.put, f"{meeting.path}/{what}", {"items": [*items]})


def test_approve_approve(pairs: PairScenario, check: Check) -> None:
    approval = _approval(pairs, _circulated(pairs), _later(pairs))
    check(approval, approval)


def test_approve_approve_another(pairs: PairScenario, check: Check) -> None:
    later = _later(pairs)
    check(_approval(pairs, _circulated(pairs), later), _approval(pairs, _circulated(pairs), later))


def test_approve_change_minutes(pairs: PairScenario, check: Check) -> None:
    meeting = _circulated(pairs)
    check(_approval(pairs, meeting, _later(pairs)), _put(pairs, meeting, "minutes", {"text": "Changed"}))


def test_approve_change_minutes_of_the_later_meeting(pairs: PairScenario, check: Check) -> None:
    later = _later(pairs)
    check(_approval(pairs, _circulated(pairs), later), _put(pairs, later, "minutes", {"text": "Typed"}))


def test_approve_approve_the_later_meeting(pairs: PairScenario, check: Check) -> None:
    later = pairs.new_meeting(startTime=SUMMER, status="completed")
    assert pairs.owner.put(f"{later.path}/minutes", {"items": []}).status == 200
    assert pairs.owner.post(f"{later.path}/minutes/circulation").status == 201
    last = pairs.new_meeting(startTime=AUTUMN, status="in_progress")
    check(_approval(pairs, _circulated(pairs), later), _approval(pairs, later, last))


def test_approve_change_agenda_of_the_later_meeting(pairs: PairScenario, check: Check) -> None:
    meeting, later = _circulated(pairs), _later(pairs)
    assert _items(pairs, later)().status == 200
    check(_approval(pairs, meeting, later), _put(pairs, later, "agenda"))


def test_add_items_add_items(pairs: PairScenario, check: Check) -> None:
    _circulated(pairs)
    items = _items(pairs, _later(pairs))
    check(items, items)


def test_add_items_change_agenda(pairs: PairScenario, check: Check) -> None:
    _circulated(pairs)
    later = _later(pairs)
    check(_items(pairs, later), _put(pairs, later, "agenda", {"title": "Typed"}))


def test_approve_a_correction_approve_another(pairs: PairScenario, check: Check) -> None:
    corrected, later = _circulated(pairs), _later(pairs)
    assert _approval(pairs, corrected, later)().status == 200
    body = {"items": [{"text": "Corrected"}]}
    assert pairs.owner.post(f"{corrected.path}/minutes/corrections", body).status == 201
    assert pairs.owner.post(f"{corrected.path}/minutes/circulation").status == 201
    check(_approval(pairs, corrected, later), _approval(pairs, _circulated(pairs), later))
