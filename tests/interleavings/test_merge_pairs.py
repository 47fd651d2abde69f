"""A merge and another request at once: whatever the one does between any two calls of the other, one comes first.

A merge makes dozens of calls, so not every order of all calls is tried: each request runs as a whole before every call
of the other. Before a call that follows one of rows that the inner request neither writes nor, if the call writes,
reads, it finds and leaves what it does before that one; there it does not run again.
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
from tests.harness.steps import COUNTERS
from tests.harness.table_snapshot import TableSnapshot
from tests.interleavings.schedules import Call, Outcome, outcome, rows_around, serial_outcomes

pytestmark = pytest.mark.slow
_WRITES = re.compile(r'(?<="version": )\d+|(?<="changes": )\d+')


@contextmanager
def before_call(number: int, inner: Callable[[], Any], seen: list[str]) -> Iterator[None]:
    """Runs `inner` once, before the call of this number; notes the calls that are not its own."""
    running = False

    def hook(model: Any, **_: Any) -> None:
        nonlocal running
        if running or model.name == COUNTERS:  # who counts requests holds a lock meanwhile
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


def without_versions(reached: Outcome) -> tuple[tuple[str, ...], frozenset[tuple[str, int]]]:
    """Returns the statuses of an outcome, and the changes without how often a row was written.

    A merge that is refused late has taken its mark back. An answer may list the votes that were read before the other
    request moved one.
    """
    answers, changes = reached
    told = ((_WRITES.sub("n", text), number) for text, number in changes if not _is_written_back(text))
    return tuple(answer[:3] for answer in answers), frozenset(told)


def _is_written_back(text: str) -> bool:
    """Returns whether a row is that of a person who is active as before, or counts how often people changed."""
    return "COUNT#UNREGISTERED" in text or ('"SK": "UNREGISTERED#' in text and '"status": "active"' in text)


def interruptions(outer: Call, inner: Call) -> Iterator[tuple[int, list[str], Response]]:
    """Runs `outer` with `inner` before each of its calls where that can make a difference; restores the table."""
    before = TableSnapshot()
    steps, rows = rows_around(outer, inner, before)
    for number in [place for place in range(len(steps)) if place == 0 or steps[place - 1].meets(rows)]:
        seen: list[str] = []
        with before_call(number, inner, seen):
            response = outer()
        assert len(seen) > number
        yield number, seen, response
        before.restore()


def check(outer: Call, inner: Call, *, swapped: bool) -> None:
    """Asserts that the outer request with the inner one before any of its calls has the outcome of a serial order."""
    serial = serial_outcomes(*((inner, outer) if swapped else (outer, inner)))
    possible = {without_versions(result) for result in serial}
    before, answers = TableSnapshot(), list[Response]()
    for number, seen, own in interruptions(outer, lambda: _keep(inner(), answers)):
        responses = [answers[-1], own] if swapped else [own, answers[-1]]
        reached = without_versions(outcome(responses, before))
        assert reached in possible, (number, seen[number], [response.text for response in responses])


def _keep(response: Response, answers: list[Response]) -> Response:
    answers.append(response)
    return response


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


def choice_of_the_person(merge: MergeScenario) -> Call:
    body = {"unregisteredUserIds": [merge.anna]}
    return partial(merge.board.owner.client.put, f"{merge.ahead.path}/people", body)


OTHERS = (
    archive,
    vote_of_the_member,
    vote_of_a_guest_with_the_address,
    attendance_of_the_member,
    agenda_that_names_the_person,
    task_for_the_person,
    choice_of_the_person,
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
    merging, member = partial(merge.merge, merge.member_id), UserId(merge.ann.id)
    for number, _, answer in interruptions(merging, partial(_purge, member)):
        assert answer.status in (200, 400), (number, answer.text)
        assert answer.status == 400 or rows_naming(merge.anna) == [], number
        assert all("Gladly" not in repr(item) for item in members_votes()), number


def _purge(user_id: UserId) -> Response:
    with acting_as(None):
        purge_users([user_id])
    return Response(200, {}, "{}")


def members_votes() -> list[Any]:
    return [item for (pk, sk), item in TableSnapshot().items.items() if pk.startswith("BOARD#") and "#VOTE#" in sk]
