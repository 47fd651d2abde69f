"""Concurrent writes to people without an account, and to what names them: who ends is named anew by nobody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.interleavings.pair_scenario import Pair, PairScenario, check_pair
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


@pytest.mark.parametrize(("ending", "naming"), [*product(("archive", "scrub"), (agenda, attendance, assignee))])
def test_nobody_is_named_once_they_are_archived_or_scrubbed(
    ending: str,
    naming: Callable[[PairScenario, str], Call],
    scenario: BoardScenario,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs = PairScenario(scenario, scenario.member("ben"))
    person = _person(pairs)
    named = naming(pairs, person.rpartition("/")[2])
    check_pair(partial(pairs.owner.post, f"{person}/{ending}"), named, monkeypatch)


def add_add(scenario: PairScenario) -> Pair:
    add = partial(scenario.owner.post, scenario.path("unregistered-users"), ADDRESS)
    return add, add


def unarchive_add(scenario: PairScenario) -> Pair:
    person = _person(scenario)
    assert scenario.owner.post(f"{person}/archive").status == 200
    add = partial(scenario.owner.post, scenario.path("unregistered-users"), ADDRESS)
    return partial(scenario.owner.post, f"{person}/unarchive"), add


def archive_scrub(scenario: PairScenario) -> Pair:
    person = _person(scenario)
    return partial(scenario.owner.post, f"{person}/archive"), partial(scenario.owner.post, f"{person}/scrub")


def readdress_scrub(scenario: PairScenario) -> Pair:
    person = _person(scenario)
    readdress = partial(scenario.owner.patch, person, {"email": "berg@example.com"})
    return readdress, partial(scenario.owner.post, f"{person}/scrub")


PAIRS = (add_add, unarchive_add, archive_scrub, readdress_scrub)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.__name__) for pair in PAIRS])
def test_concurrent_changes_of_people_have_the_effect_of_one_after_the_other(
    pair: Callable[[PairScenario], Pair], scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_pair(*pair(PairScenario(scenario, scenario.member("ben"))), monkeypatch)
