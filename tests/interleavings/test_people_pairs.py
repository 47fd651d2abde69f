"""Concurrent writes to people without an account, and to what names them: who ends is named anew by nobody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.interleavings.pair_scenario import Check, PairScenario
from tests.interleavings.schedules import Call

pytestmark = pytest.mark.slow
ADDRESS = {"firstName": "Anna", "email": "anna@example.com"}


def agenda(scenario: PairScenario, person_id: str) -> Call:
    items = {"items": [{"title": "Budget", "presenterUnregisteredUserId": person_id}]}
    return partial(scenario.owner.put, f"{scenario.new_meeting().path}/agenda", items)


def attendance(scenario: PairScenario, person_id: str) -> Call:
    meeting = scenario.new_meeting(status="in_progress")
    entries = {"attendance": [{"unregisteredUserId": person_id, "present": "remote"}]}
    return partial(scenario.owner.put, f"{meeting.path}/minutes", entries)


def assignee(scenario: PairScenario, person_id: str) -> Call:
    items = f"{scenario.new_meeting().path}/action-items"
    item = scenario.owner.post(items, {"title": "Send the accounts"}).json["data"]["_id"]
    return partial(scenario.owner.put, f"{items}/{item}/unregistered-assignee", {"unregisteredUserId": person_id})


def _person(scenario: PairScenario) -> str:
    return scenario.create(scenario.path("unregistered-users"), **ADDRESS)


@pytest.mark.parametrize("naming", [agenda, attendance, assignee])
def test_nobody_is_named_once_they_are_scrubbed(
    naming: Callable[[PairScenario, str], Call], pairs: PairScenario, check: Check
) -> None:
    """What names somebody asks whether they are active, so an archived person is named by nobody either."""
    person = _person(pairs)
    named = naming(pairs, person.rpartition("/")[2])
    check(partial(pairs.owner.post, f"{person}/scrub"), named)


def test_add_add(pairs: PairScenario, check: Check) -> None:
    add = partial(pairs.owner.post, pairs.path("unregistered-users"), ADDRESS)
    check(add, add)


def test_unarchive_add(pairs: PairScenario, check: Check) -> None:
    person = _person(pairs)
    assert pairs.owner.post(f"{person}/archive").status == 200
    add = partial(pairs.owner.post, pairs.path("unregistered-users"), ADDRESS)
    check(partial(pairs.owner.post, f"{person}/unarchive"), add)


def test_archive_scrub(pairs: PairScenario, check: Check) -> None:
    person = _person(pairs)
    check(partial(pairs.owner.post, f"{person}/archive"), partial(pairs.owner.post, f"{person}/scrub"))


def test_readdress_scrub(pairs: PairScenario, check: Check) -> None:
    person = _person(pairs)
    readdress = partial(pairs.owner.patch, person, {"email": "berg@example.com"})
    check(readdress, partial(pairs.owner.post, f"{person}/scrub"))
