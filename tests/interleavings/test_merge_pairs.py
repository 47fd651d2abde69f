"""A merge and another request at once: whatever the one does between any two calls of the other, one comes first.

A merge makes dozens of calls, so not every order of all calls is tried: each request runs as a whole before every call
of the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from governance.ids import UserId
from infra.operator.purging import purge_users
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.merge_scenario import ADDRESS, MergeScenario, new_merge_scenario, rows_naming
from tests.harness.observed_table import events
from tests.harness.privileges import acting_as
from tests.harness.table_snapshot import TableSnapshot
from tests.interleavings.schedules import Call, Outcome, outcome, serial_outcomes

pytestmark = pytest.mark.slow
_WRITES = re.compile(r'(?<="version": )\d+|(?<="changes": )\d+')


@contextmanager
def before_call(number: int, inner: Callable[[], Any], seen: list[str]) -> Iterator[None]:
    """Runs `inner` once, before the call of this number; notes the calls that are not its own."""
    running = False

    def hook(model: Any, **_: Any) -> None:
        nonlocal running
        if running:
            return
        seen.append(model.name)
        if len(seen) - 1 == number:
            running = True
            inner()
            running = False

    events.register_first("before-call.dynamodb.*", hook)
    try:
        yield
    finally:
        events.unregister("before-call.dynamodb.*", hook)


def without_versions(found: Outcome) -> tuple[tuple[str, ...], frozenset[tuple[str, int]]]:
    """Returns the statuses of an outcome, and the changes without how often a row was written.

    A merge that is refused late has taken its mark back. An answer may list the votes that were read before the other
    request moved one.
    """
    answers, changes = found
    told = ((_WRITES.sub("n", text), number) for text, number in changes if not _is_written_back(text))
    return tuple(answer[:3] for answer in answers), frozenset(told)


def _is_written_back(text: str) -> bool:
    """Returns whether a row is that of a person who is active as before, or counts how often people changed."""
    return "COUNT#UNREGISTERED" in text or ('"SK": "UNREGISTERED#' in text and '"status": "active"' in text)


def check(outer: Call, inner: Call, *, swapped: bool) -> None:
    """Asserts that the outer request with the inner one before any of its calls has the outcome of a serial order."""
    serial = serial_outcomes(*((inner, outer) if swapped else (outer, inner)))
    possible = {without_versions(each) for each in serial}
    number, done = 0, False
    while not done:
        before, seen, answers = TableSnapshot(), list[str](), list[Response]()
        with before_call(number, partial(_answer, inner, answers), seen):
            own = outer()
        done = len(seen) <= number
        if not done:
            assert answers, number
            responses = [answers[0], own] if swapped else [own, answers[0]]
            found = without_versions(outcome(responses, before))
            assert found in possible, (number, seen[number], [each.text for each in responses])
        before.restore()
        number += 1


def _answer(call: Call, answers: list[Response]) -> None:
    answers.append(call())


def archive(merge: MergeScenario) -> Call:
    return partial(merge.board.owner.client.post, f"{merge.path}/archive")


def vote_of_the_member(merge: MergeScenario) -> Call:
    return partial(merge.ahead.vote, merge.ann.client, merge.slots[0], "cant")


def vote_of_a_guest_with_the_address(merge: MergeScenario) -> Call:
    link = merge.board.owner.client.post(f"{merge.ahead.path}/guest-link").data["token"]
    body = {"email": ADDRESS, "vote": "cant"}
    return partial(Client().put, f"/api/v1/guest/{link}/slots/{merge.slots[1]['id']}/vote", body)


def attendance_of_the_member(merge: MergeScenario) -> Call:
    assert merge.running.patch(status="in_progress").status == 200
    own, theirs = {"userId": merge.ann.id, "present": "absent"}, {"unregisteredUserId": merge.anna, "present": "remote"}
    return partial(merge.board.owner.client.put, f"{merge.running.path}/minutes", {"attendance": [own, theirs]})


def agenda_that_names_the_person(merge: MergeScenario) -> Call:
    items = [{"title": "Budget", "presenterUnregisteredUserId": merge.anna}]
    return partial(merge.board.owner.client.put, f"{merge.running.path}/agenda", {"items": items})


def task_for_the_person(merge: MergeScenario) -> Call:
    path = f"{merge.ahead.path}/action-items"
    task = merge.board.owner.client.post(path, {"title": "Another"}).json["data"]["_id"]
    body = {"unregisteredUserId": merge.anna}
    return partial(merge.board.owner.client.put, f"{path}/{task}/unregistered-assignee", body)


OTHERS = (
    archive,
    vote_of_the_member,
    vote_of_a_guest_with_the_address,
    attendance_of_the_member,
    agenda_that_names_the_person,
    task_for_the_person,
)


@pytest.mark.parametrize("is_inner", [True, False])
@pytest.mark.parametrize("other", OTHERS)
def test_a_merge_and_another_request_follow_each_other(
    other: Callable[[MergeScenario], Call], is_inner: bool, scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.choice", lambda options: options[0])
    merge = new_merge_scenario(scenario, rich=False)
    call, merging = other(merge), partial(merge.merge, merge.member_id)
    if is_inner:
        check(merging, call, swapped=False)
    else:
        check(call, merging, swapped=True)


@pytest.mark.usefixtures("bucket")
def test_a_purge_of_the_member_between_any_two_calls_of_a_merge_leaves_no_words_and_no_id(
    scenario: BoardScenario,
) -> None:
    merge = new_merge_scenario(scenario, rich=False)
    member_id, number, done = merge.member_id, 0, False
    before = TableSnapshot()
    while not done:
        seen: list[str] = []
        with before_call(number, partial(_purge, merge.ann.id), seen):
            answer = merge.merge(member_id)
        done = len(seen) <= number
        if not done:
            assert answer.status in (200, 400), (number, answer.text)
            assert answer.status == 400 or rows_naming(merge.anna) == [], number
            assert all("Gladly" not in repr(item) for item in members_votes()), number
        before.restore()
        number += 1


def _purge(user_id: str) -> None:
    with acting_as(None):
        purge_users([UserId(user_id)])


def members_votes() -> list[Any]:
    return [item for (pk, sk), item in TableSnapshot().items.items() if pk.startswith("BOARD#") and "#VOTE#" in sk]
