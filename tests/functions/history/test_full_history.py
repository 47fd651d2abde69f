"""A full partition of the history refuses what only adds to it, and never what protects (ADR history)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from governance.ids import UserId
from governance.limits import EVENT_SETTLES_SECONDS
from governance.store.client.errors import RefusedError
from governance.usecases.operator import operator, purge
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.fault_injection import hooked
from tests.harness.stream import event_records, process_records

_OF_A_MONTH = re.compile(r"(AUDIT|EVENTS)#[0-9a-f]+#\d{4}-\d\d")
_FULL = {"Code": "ItemCollectionSizeLimitExceeded"}


@contextmanager
def full_months() -> Iterator[None]:
    """Makes the partitions of every month full: the store cancels a transaction that puts an item into one."""

    def cancel(params: dict[str, Any], **_: Any) -> None:
        puts = [write.get("Put", {}).get("Item", {}) for write in json.loads(params["body"])["TransactItems"]]
        full = [bool(put and _OF_A_MONTH.fullmatch(put["PK"]["S"])) for put in puts]
        if any(full):
            reasons = [_FULL if is_full else {"Code": "None"} for is_full in full]
            raise RefusedError("TransactionCanceledException", reasons=reasons)

    with hooked("before-call.dynamodb.TransactWriteItems", cancel):
        yield


Act = Callable[[], Any]
Prepare = Callable[[BoardScenario, Person], Act]


def _remove(scenario: BoardScenario, ben: Person) -> Act:
    return lambda: scenario.owner.client.delete(scenario.member_path(ben))


def _revoke(scenario: BoardScenario, _: Person) -> Act:
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    token = scenario.owner.client.post(f"{scenario.path}/tokens", body).data["id"]
    return lambda: scenario.owner.client.delete(f"{scenario.path}/tokens/{token}")


PROTECTING: dict[str, tuple[Prepare, str | None]] = {
    "member.removed": (_remove, "memberDelete"),
    "member.changed": (
        lambda board, ben: lambda: board.owner.client.patch(board.member_path(ben), {"accessType": "guest"}),
        "memberChange",
    ),
    "token.revoked": (_revoke, None),
    "board.billing_overridden": (
        lambda board, _: lambda: operator.set_billing(board.board_id, "CANCELLED"),
        "billingPlanOverride",
    ),
    "user.purged": (lambda _, ben: lambda: purged(ben.id), "userHardPurge"),
}
"""Some of what ends a right (tests/contract/test_event_effects.py has all), by the type of its event: how it is
prepared, and the action in the audit log, if it has one."""


def purged(user_id: UserId) -> None:
    progress = purge.begin(user_id)
    assert progress is not None
    purge.record(progress)


@pytest.mark.parametrize("event", PROTECTING)
def test_what_protects_works_where_the_history_is_full_and_is_recorded(
    event: str, scenario: BoardScenario, clock: Clock
) -> None:
    prepare, action = PROTECTING[event]
    ann = scenario.member("ann", admin_role="admin")
    act = prepare(scenario, scenario.member("ben"))
    with full_months():
        done = act()
    assert not isinstance(done, Response) or done.status == 200, done.text
    assert process_records(event_records(scenario.board_id)) == []
    clock.move(EVENT_SETTLES_SECONDS + 1)
    events = [listed["type"] for listed in ann.client.all(f"{scenario.path}/events", limit=2)]
    assert events[-1] == event
    log = ann.client.get(f"/api/auditlog/{scenario.board_id}").json
    assert action is None or log[-1]["action"] == action


def test_what_only_adds_is_refused_where_the_history_is_full(scenario: BoardScenario) -> None:
    with full_months():
        body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
        response = scenario.owner.client.post(f"{scenario.path}/tokens", body)
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "LIMIT_REACHED"}
    assert scenario.owner.client.all(f"{scenario.path}/tokens") == []


def test_a_board_with_a_full_history_can_be_deleted(scenario: BoardScenario) -> None:
    with full_months():
        assert scenario.owner.client.delete(scenario.path).status == 200
    assert scenario.owner.client.get(scenario.path).status == 404


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_log_and_the_feed_page_through_months_and_reserve_in_the_order_of_time(
    limit: int, scenario: BoardScenario, clock: Clock
) -> None:
    names = ("ben", "cleo", "dora")
    for name in names:
        member = scenario.member(name)
        clock.move(1)
        with full_months():
            assert _remove(scenario, member)().status == 200
        clock.move(1)
    clock.move(EVENT_SETTLES_SECONDS + 1)
    owner, log = scenario.owner.client, f"/api/auditlog/{scenario.board_id}"
    whole = owner.get(log).json
    assert [entry["_id"] for entry in whole] == sorted(entry["_id"] for entry in whole)
    assert [entry["action"] for entry in whole].count("memberDelete") == len(names)
    assert [entry for page in owner.linked(log, f"limit={limit}") for entry in page.json] == whole
    events = owner.all(f"{scenario.path}/events", limit=limit)
    assert [event["id"] for event in events] == sorted(event["id"] for event in events)
    assert [event["type"] for event in events].count("member.removed") == len(names)
