"""What a function may do is what it does: its role in the template, held to the calls that its routes make.

That no function does what it may not is held by the whole suite (`tests/conftest.py`); here, that it may nothing else.
"""

from __future__ import annotations

import time

import pytest

from governance.http.route import Route
from tests.harness.actors import Actors, new_actors
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.client import APIS, Client, session
from tests.harness.engine import fresh_table
from tests.harness.outbox import Outbox, outbox
from tests.harness.privileges import Grant, Need, NotPermitted, acting, grants, watching
from tests.harness.store_calls import InlinePool
from tests.harness.stream import events_of, feed

__all__ = ["outbox"]

pytestmark = pytest.mark.slow
CALLERS = ("anonymous", "broken", "outsider", "owner", "pat_full", "bat_write", "collaborator")
# After these the board is no longer its owner's, or the outsider no longer outside.
ENDINGS = (
    "DELETE /api/v1/boards/{boardId}",
    "POST /api/v1/boards/{boardId}/ownership-transfer",
    "PUT /api/invite/accept/{boardInviteId}",
    "PUT /api/invite/join/{inviteCode}",
)
# Whatever leads to events of every kind.
EVENTFUL = ("action_items", "boards", "invites", "meetings", "reports")
# What the runtime asks for in the function's name, before and after the code.
RUNTIME = {
    Need("logs:CreateLogStream"),
    Need("logs:PutLogEvents"),
    Need("dynamodb:DescribeStream"),
    Need("dynamodb:GetRecords"),
    Need("dynamodb:GetShardIterator"),
    Need("dynamodb:ListStreams"),
    Need("sqs:SendMessage"),
}


def drive(group: str) -> None:
    """Call each route of a group as everybody, and have what happened delivered."""
    usual = [route for route in APIS[group].routes if _name(route) not in ENDINGS]
    endings = [[route] for route in APIS[group].routes if _name(route) in ENDINGS]
    for routes in [usual, *endings]:
        with fresh_table():
            actors = new_actors()
            _prepare(actors)
            for route in routes:
                _call(actors, route)
            assert feed(events_of(actors.board.board_id)) == []


def _name(route: Route) -> str:
    return f"{route.method} {route.path}"


def _prepare(actors: Actors) -> None:
    """What leaves rows of its own: a code, items that pass from one to another and go with their meeting."""
    owner, path = actors.clients["owner"], actors.board.path
    owner.get(f"/api/invite/{actors.board.board_id}/code")
    meeting = owner.post(f"{path}/meetings", {"title": "Meeting", "status": "scheduled"}).data["id"]
    for name in ("collaborator", "manager"):
        item = {"title": "Item", "assigneeUserId": actors.people[name].id}
        made = owner.post(f"{path}/meetings/{meeting}/action-items", item).data["_id"]
        other = {"assigneeUserId": actors.people["admin"].id}
        assert owner.patch(f"{path}/meetings/{meeting}/action-items/{made}", other).status == 200
    assert owner.delete(f"{path}/meetings/{meeting}/action-items/{made}").status == 200
    assert owner.delete(f"{path}/meetings/{meeting}").status == 200
    invite = owner.post(f"/api/invite/{actors.board.board_id}", {"inviteeEmail": "invited@example.com"}).json[
        "inviteId"
    ]
    assert owner.post(f"/api/invite/{invite}/send-email").status == 200
    _file_in_committee(actors)


def _file_in_committee(actors: Actors) -> None:
    """A committee counts its documents."""
    owner, path = actors.clients["owner"], actors.board.path
    (own,) = [member["id"] for member in owner.all(f"{path}/members") if member["userId"] == actors.people["owner"].id]
    committee = owner.post(f"{path}/committees", {"name": "Audit", "memberIds": [own]}).data["id"]
    assert owner.post(f"{path}/documents", {"title": "Secret", "committeeId": committee}).status == 201


def _call(actors: Actors, route: Route) -> None:
    """A sound request as everybody, then as somebody whom nobody knows yet, and whose address changes."""
    answering = route.path.endswith(("accept/{boardInviteId}", "decline/{boardInviteId}"))
    request = actors.request(_name(route), "outsider" if answering else "owner")
    if answering:
        actors.clients["owner"].post(f"/api/invite/{request.path.rpartition('/')[2]}/send-email")
    keyed = {"idempotency-key": str(time.time_ns())} if route.method == "POST" else {}
    for column in CALLERS:
        actors.clients[column].call(request.method, request.path, request.body, headers=keyed)
    subject = f"newcomer{time.time_ns()}"
    for address in (f"{subject}@example.com", f"{subject}@example.org"):
        Client(session(address, subject)).call(request.method, request.path, request.body)


def allowed(grant: Grant) -> set[Need]:
    """What a statement lets pass, kind of partition by kind of partition."""
    return {Need(action, partition) for action in grant.actions for partition in grant.partitions or {""}}


@pytest.mark.parametrize("group", sorted([*APIS, "events"]))
def test_a_function_may_nothing_that_it_never_does(group: str, pool: InlinePool, outbox: Outbox) -> None:
    del pool, outbox
    with watching() as seen:
        for each in EVENTFUL if group == "events" else (group,):
            drive(each)
    done = {Need(need.action, need.partition) for who, need in seen if who == group}
    for grant in grants(group):
        assert allowed(grant) - RUNTIME <= done
        assert not grant.index or any(need.index for who, need in seen if who == group)


def test_a_call_that_a_role_does_not_allow_fails_the_test_that_makes_it(scenario: BoardScenario) -> None:
    with acting("audit"), pytest.raises(NotPermitted, match="audit may not dynamodb:PutItem BOARD"):
        scenario.join(person("ben"))


def test_the_runtimes_own_rights_are_the_stream_functions_alone() -> None:
    for group in APIS:
        assert {action for grant in grants(group) for action in grant.actions} & {need.action for need in RUNTIME} == {
            "logs:CreateLogStream",
            "logs:PutLogEvents",
        }
