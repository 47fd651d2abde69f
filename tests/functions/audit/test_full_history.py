"""A full partition of the history refuses what only adds to it, and never what protects (ADR history)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from governance.ids import MembershipId
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
        puts = [each.get("Put", {}).get("Item", {}) for each in json.loads(params["body"])["TransactItems"]]
        full = [bool(put and _OF_A_MONTH.fullmatch(put["PK"]["S"])) for put in puts]
        if any(full):
            reasons = [_FULL if each else {"Code": "None"} for each in full]
            raise RefusedError("TransactionCanceledException", reasons=reasons)

    with hooked("before-call.dynamodb.TransactWriteItems", cancel):
        yield


def membership_of(scenario: BoardScenario, user: Person) -> str:
    members = scenario.owner.client.all(f"{scenario.path}/members")
    return next(str(each["id"]) for each in members if each["userId"] == user.id)


Act = Callable[[], Any]


def _remove(scenario: BoardScenario, ben: Person) -> Act:
    path = f"{scenario.path}/members/{membership_of(scenario, ben)}"
    return lambda: scenario.owner.client.delete(path)


def _leave(scenario: BoardScenario, ben: Person) -> Act:
    path = f"{scenario.path}/members/{membership_of(scenario, ben)}"
    return lambda: ben.client.delete(path)


def _demote(scenario: BoardScenario, ben: Person) -> Act:
    path = f"{scenario.path}/members/{membership_of(scenario, ben)}"
    return lambda: scenario.owner.client.patch(path, {"accessType": "guest"})


def _revoke(scenario: BoardScenario, ben: Person) -> Act:
    del ben
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    token = scenario.owner.client.post(f"{scenario.path}/tokens", body).data["id"]
    return lambda: scenario.owner.client.delete(f"{scenario.path}/tokens/{token}")


def _close_link(scenario: BoardScenario, ben: Person) -> Act:
    del ben
    meeting = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    path = f"{scenario.path}/meetings/{meeting}/guest-link"
    assert scenario.owner.client.post(path).status == 201
    return lambda: scenario.owner.client.delete(path)


def _empty_committee(scenario: BoardScenario, ben: Person) -> Act:
    body = {"name": "Audit", "memberIds": [membership_of(scenario, ben)]}
    committee = scenario.owner.client.post(f"{scenario.path}/committees", body).data["id"]
    return lambda: scenario.owner.client.patch(f"{scenario.path}/committees/{committee}", {"memberIds": []})


def _transfer(scenario: BoardScenario, ben: Person) -> Act:
    member = membership_of(scenario, ben)
    return lambda: operator.transfer_ownership(scenario.board_id, MembershipId(member))


def _set_billing(scenario: BoardScenario, ben: Person) -> Act:
    del ben
    return lambda: operator.set_billing(scenario.board_id, "CANCELLED")


def _purge(scenario: BoardScenario, ben: Person) -> Act:
    del scenario

    def run() -> None:
        progress = purge.begin(ben.id)
        assert progress is not None
        purge.record(progress)

    return run


@pytest.mark.parametrize(
    ("prepare", "event", "action"),
    [
        (_remove, "member.removed", "memberDelete"),
        (_leave, "member.left", "memberLeft"),
        (_demote, "member.changed", "memberChange"),
        (_revoke, "token.revoked", None),
        (_close_link, "guest_link.closed", None),
        (_empty_committee, "committee.updated", "memberChange"),
        (_transfer, "board.ownership_transferred", "ownershipTransfer"),
        (_set_billing, "board.billing_overridden", "billingPlanOverride"),
        (_purge, "user.purged", "userHardPurge"),
    ],
)
def test_what_protects_works_where_the_history_is_full_and_is_recorded(
    prepare: Callable[[BoardScenario, Person], Act],
    event: str,
    action: str | None,
    scenario: BoardScenario,
    clock: Clock,
) -> None:
    ann = scenario.member("ann", admin_role="admin")
    act = prepare(scenario, scenario.member("ben"))
    with full_months():
        done = act()
    assert not isinstance(done, Response) or done.status == 200, done.text
    assert process_records(event_records(scenario.board_id)) == []
    clock.move(EVENT_SETTLES_SECONDS + 1)
    events = [each["type"] for each in ann.client.all(f"{scenario.path}/events", limit=2)]
    assert events[-1] == event
    log = ann.client.get(f"/api/auditlog/{scenario.board_id}").json
    assert action is None or log[-1]["action"] == action


def test_what_only_adds_is_refused_where_the_history_is_full(scenario: BoardScenario) -> None:
    with full_months():
        body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
        response = scenario.owner.client.post(f"{scenario.path}/tokens", body)
    assert response.failure == (409, "CONFLICT")
    assert response.details == {"reason": "LIMIT_REACHED"}


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
    whole = [each["_id"] for each in scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json]
    assert whole == sorted(whole)
    actions = [each["action"] for each in scenario.owner.client.get(f"/api/auditlog/{scenario.board_id}").json]
    assert actions.count("memberDelete") == len(names)
    assert _pages_of_log(scenario, limit) == whole
    events = [each["id"] for each in scenario.owner.client.all(f"{scenario.path}/events", limit=limit)]
    assert events == sorted(events)
    types = [each["type"] for each in scenario.owner.client.all(f"{scenario.path}/events", limit=limit)]
    assert types.count("member.removed") == len(names)


def _pages_of_log(scenario: BoardScenario, limit: int) -> list[str]:
    answers = scenario.owner.client.linked(f"/api/auditlog/{scenario.board_id}", f"limit={limit}")
    return [each["_id"] for answer in answers for each in answer.json]
