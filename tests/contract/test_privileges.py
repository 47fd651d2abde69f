"""Checks that each function's role in the template permits only the AWS calls that its routes make.

The whole suite checks the opposite, that no function makes a call without permission (`tests/conftest.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any

import pytest

from governance.domain.webhook_delivery import Answer
from governance.http.route import Route
from governance.models.base import Resource
from governance.models.board import Membership, Seats, StoredBoard
from governance.models.meeting import StoredMeeting
from governance.models.rsvp import StoredRsvp
from governance.models.token import StoredToken
from governance.store.schema import PK, SK
from infra.openapi.links import operation_id
from infra.openapi.tools import FILE as TOOLS
from tests.calendar.conftest import want_invitations
from tests.calendar.feeds import fetch, subscribe
from tests.calendar.invitation_mails import settle
from tests.calendar.mails import deliver, mail, moved
from tests.calendar.test_answers import Invited
from tests.harness.actors import Actors, new_actors
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.bucket import bucket
from tests.harness.client import APIS, WITHOUT_ROUTES, Client, session
from tests.harness.engine import clear_rate_leases, fresh_table
from tests.harness.meeting_scenario import from_now
from tests.harness.outbox import Outbox, outbox
from tests.harness.privileges import Grant, Need, NotPermitted, acting_as, enforced_privileges, grants
from tests.harness.sample_requests import LATER, ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.store_calls import InlinePool
from tests.harness.stream import event_records, process_records
from tests.harness.table_snapshot import TableSnapshot
from tests.webhooks.sending import Sender, create, occupy, sending

__all__ = ["bucket", "outbox"]

pytestmark = pytest.mark.slow
CALLERS = ("anonymous", "broken", "outsider", "owner", "pat_full", "bat_write", "collaborator")
# Routes that end the scenario: they delete or transfer the board, or make the outsider a member.
ENDINGS = (
    "DELETE /api/v1/boards/{boardId}",
    "POST /api/v1/boards/{boardId}/ownership-transfer",
    "PUT /api/invite/accept/{boardInviteId}",
    "PUT /api/invite/join/{inviteCode}",
)
# Groups whose routes together write events of every kind.
EVENTFUL = ("action_items", "boards", "invites", "meetings", "reports", "webhooks")
# What the Lambda runtime itself needs, before and after it runs the code.
RUNTIME = {
    Need("logs:CreateLogStream"),
    Need("logs:PutLogEvents"),
    Need("dynamodb:DescribeStream"),
    Need("dynamodb:GetRecords"),
    Need("dynamodb:GetShardIterator"),
    Need("dynamodb:ListStreams"),
    Need("sqs:SendMessage"),
    Need("sqs:DeleteMessage"),
    Need("sqs:GetQueueAttributes"),
    Need("sqs:ReceiveMessage"),
    Need("s3:ListBucket"),  # for an error that says which object is missing
    Need("sqs:ChangeMessageVisibility"),
}


_BLOCK = 40
"""More requests than the first block of an address's rate window."""
_SCHEDULED = {"title": "Meeting", "status": "scheduled"}


def drive(group: str) -> None:
    """Calls each route of a group as every caller, and delivers the resulting events."""
    regular = [route for route in APIS[group].routes if _name(route) not in ENDINGS]
    endings = [[route] for route in APIS[group].routes if _name(route) in ENDINGS]
    for routes in [regular, *endings]:
        with fresh_table():
            actors = new_actors()
            _prepare(actors)
            for route in routes:
                _call(actors, route)
            if group == "access":
                _evaluate_every_route(actors)
            for _ in range(2):  # a repeat reads what the first delivery wrote
                assert process_records(event_records(actors.board.board_id)) == []


def _name(route: Route) -> str:
    return f"{route.method} {route.path}"


def _prepare(actors: Actors) -> None:
    """Writes rows that no single route does: an invite code, reassigned and deleted action items, deleted drafts."""
    owner, path = actors.clients["owner"], actors.board.path
    owner.get(f"/api/invite/{actors.board.board_id}/code")
    meeting = owner.post(f"{path}/meetings", {"title": "Meeting", "status": "scheduled"}).data["id"]
    for name in ("collaborator", "manager"):
        item = {"title": "Item", "assigneeUserId": actors.people[name].id}
        created = owner.post(f"{path}/meetings/{meeting}/action-items", item).data["_id"]
        other = {"assigneeUserId": actors.people["admin"].id}
        assert owner.patch(f"{path}/meetings/{meeting}/action-items/{created}", other).status == 200
    assert owner.delete(f"{path}/meetings/{meeting}/action-items/{created}").status == 200
    assert process_records(event_records(actors.board.board_id)) == []  # notifications of a meeting that is deleted
    assert owner.delete(f"{path}/meetings/{meeting}").status == 200
    for title in ("Deleted", "Left"):
        draft = owner.post(f"{path}/meetings", {"title": title, "status": "draft"}).data["id"]
        if title == "Deleted":
            assert owner.delete(f"{path}/meetings/{draft}").status == 200
    invite = owner.post(f"/api/invite/{actors.board.board_id}", {"inviteeEmail": "invited@example.com"}).json[
        "inviteId"
    ]
    assert owner.post(f"/api/invite/{invite}/send-email").status == 200
    _file_in_committee(actors)
    _discard_guest_votes(actors)
    want_invitations(actors.people["collaborator"])
    in_calendars = {**_SCHEDULED, "startTime": LATER}
    assert owner.post(f"{path}/meetings", in_calendars).status == 201
    hook = create(actors.board)["id"]
    assert owner.post(f"{path}/webhooks/{hook}/test").status == 201


def _discard_guest_votes(actors: Actors) -> None:
    """Deletes a slot with a guest's vote, then closes the link and discards another, which the delivery subtracts."""
    owner, path = actors.clients["owner"], actors.board.path
    meeting = f"{path}/meetings/{owner.post(f'{path}/meetings', _SCHEDULED).data['id']}"
    link = f"/api/v1/guest/{owner.post(f'{meeting}/guest-link').data['token']}"
    vote = {"email": "guest@example.org", "vote": "ok"}
    for start in (from_now(days=9), LATER):
        slot = owner.post(f"{meeting}/slots", {"startTime": start, "timezone": "UTC"}).data["id"]
        assert Client().put(f"{link}/slots/{slot}/vote", vote).status == 200
        if start != LATER:
            assert owner.delete(f"{meeting}/slots/{slot}").status == 200
    assert owner.call("DELETE", f"{meeting}/guest-link", query="votes=discard").status == 200


def _file_in_committee(actors: Actors) -> None:
    """Creates a document in a committee, which counts its documents."""
    owner, path = actors.clients["owner"], actors.board.path
    (own,) = [member["id"] for member in owner.all(f"{path}/members") if member["userId"] == actors.people["owner"].id]
    committee = owner.post(f"{path}/committees", {"name": "Audit", "memberIds": [own]}).data["id"]
    assert owner.post(f"{path}/documents", {"title": "Secret", "committeeId": committee}).status == 201


def _evaluate_every_route(actors: Actors) -> None:
    """Asks for every route whether its caller is admitted, which reads what judging the route takes."""
    for name in ROUTE_NAMES:
        request = actors.request(name, "owner")
        action, resource = {"name": operation_id(ROUTES_BY_NAME[name])}, {"type": "route", "id": request.path}
        body = {"action": action, "resource": resource}
        assert actors.clients["owner"].post("/api/v1/access/evaluation", body).status == 200


def _call(actors: Actors, route: Route) -> None:
    """Sends a valid request as every caller, then as a new user, and again after that user's address changed."""
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
    """Returns the needs that a statement permits, one for each kind of partition."""
    return {Need(action, partition) for action in grant.actions for partition in grant.partitions or {""}}


def send_to_webhooks(sender: Sender) -> None:
    """Sends events to a receiver that accepts one, puts one off for an hour, and is gone then."""
    board = new_board_scenario()
    hook = create(board, events=["meeting.created"])
    answers = [Answer(204, None, 1), Answer(503, None, 1, retry_after=3600), Answer(410, None, 1)]
    sender.receivers.answer = lambda _: answers.pop(0)
    board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
    sender.plan(board)
    sender.run()
    board.owner.client.post(f"{board.path}/webhooks/{hook['id']}/test")
    sender.plan(board)
    sender.run()
    sender.pass_time(2 * 3600, step=900)
    assert answers == []
    wait_for_a_webhook(board, hook, sender)


def wait_for_a_webhook(board: BoardScenario, hook: Any, sender: Sender) -> None:
    """Lets a delivery wait for a webhook that is busy, and another one wake it."""
    board.owner.client.patch(f"{board.path}/webhooks/{hook['id']}", {"enabled": True})
    sender.receivers.answer = lambda _: Answer(204, None, 1)
    sent = len(sender.receivers.sent)
    occupy(board, hook, sender, 1000)
    for _ in range(2):
        board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
    sender.plan(board)
    sender.run()
    sender.clock.advance(1000)
    sender.run()
    assert len(sender.receivers.sent) == sent + 2


def test_the_sender_of_webhooks_may_do_only_what_it_does(pool: InlinePool, monkeypatch: pytest.MonkeyPatch) -> None:
    del pool
    with enforced_privileges() as needs, fresh_table(), sending(monkeypatch) as sender:
        send_to_webhooks(sender)
    _assert_role_is_used("webhook_sender", needs)


def follow_calendars(outbox: Outbox) -> None:
    """Subscribes to calendars, polls them, and answers, moves and cancels a meeting by mail."""
    clear_rate_leases()
    board = new_board_scenario()
    admin = board.member("ada", admin_role="admin")
    want_invitations(admin)
    for body in ({}, {"boardId": board.board_id}):
        url = subscribe(admin, **body)
        tag = fetch(url).headers["etag"]
        assert fetch(url, **{"if-none-match": tag}).status in {200, 304}  # 200 while the board has just changed
        assert admin.client.post("/api/v1/boards", {"name": "Another"}).status == 201
        assert all(fetch(url).status == 200 for _ in range(_BLOCK))
    invited = Invited(board, admin, outbox)
    assert invited.answer("ACCEPTED") is None
    assert deliver(mail("stranger@example.com", invited.address, "no calendar"))[0] is not None
    assert invited.ask("REQUEST", *moved(), SEQUENCE="1") is None
    invited.meeting.confirm(invited.meeting.slot(from_now(days=4)))
    invited.refresh()
    assert invited.ask("CANCEL", SEQUENCE="9") is None
    settle(board)


@pytest.mark.usefixtures("pool", "bucket")
def test_calendars_may_do_only_what_they_do(outbox: Outbox) -> None:
    with enforced_privileges() as needs, fresh_table():
        follow_calendars(outbox)
    _assert_role_is_used("calendar", needs)
    _assert_role_is_used("inbound", needs)


@pytest.mark.parametrize("group", sorted({*APIS, *WITHOUT_ROUTES} - {"calendar", "inbound", "mcp", "webhook_sender"}))
def test_a_role_permits_only_what_its_function_uses(group: str, pool: InlinePool, outbox: Outbox) -> None:
    del pool, outbox
    with enforced_privileges() as needs:
        for each in EVENTFUL if group in WITHOUT_ROUTES else (group,):
            drive(each)
    _assert_role_is_used(group, needs)


def _assert_role_is_used(group: str, needs: list[tuple[str, Need]]) -> None:
    """Asserts that a function needs all that its role permits."""
    used = {Need(need.action, need.partition) for caller, need in needs if caller == group}
    for grant in grants(group):
        assert allowed(grant) - RUNTIME <= used
        assert grant.attributes <= _named_attributes(group, grant, needs)
        assert not grant.index or any(need.index for caller, need in needs if caller == group)


def test_the_role_of_agents_is_the_union_of_the_roles_of_the_tools_groups() -> None:
    tools = json.loads(TOOLS.read_text(encoding="utf-8"))
    of_groups = {grant for group in {tool["group"] for tool in tools} for grant in grants(group)}
    assert _granted(grants("mcp")) == _granted(of_groups)


def _granted(statements: Iterable[Grant]) -> dict[Need, bool]:
    """Returns what is permitted, and whether by an index too."""
    granted: dict[Need, bool] = {}
    for grant in statements:
        granted |= {need: grant.index or granted.get(need, False) for need in allowed(grant)}
    return granted


def _named_attributes(group: str, grant: Grant, needs: list[tuple[str, Need]]) -> set[str]:
    """Returns the attributes that a group's writes under a statement named."""
    return {name for caller, need in needs if caller == group and grant.permits(need) for name in need.attributes}


@pytest.mark.parametrize("group", ["guests", "calendar"])
@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem"])
def test_a_public_function_writes_nothing_in_a_boards_partition(group: str, action: str) -> None:
    """Whatever the item looks like: the partition holds the memberships, the tokens and the board itself."""
    for attributes in (frozenset[str](), frozenset({PK, SK}), frozenset({PK, SK, "email", "vote"})):
        need = Need(f"dynamodb:{action}", "BOARD", attributes=attributes)
        assert not any(grant.permits(need) for grant in grants(group))
    assert any(grant.permits(Need("dynamodb:UpdateItem", "BOARD")) for grant in grants("boards"))


@pytest.mark.parametrize("group", ["guests", "calendar", "inbound"])
@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "DeleteItem"])
def test_code_in_a_function_that_anybody_reaches_becomes_nobody_else(group: str, action: str) -> None:
    """The `id` in a user's row says who the holder of its credentials is; memberships and tokens say what they may."""
    keys = frozenset({PK, SK})
    of_users = [keys | {"id"}, keys | {"digest"}, keys | {"email"}]
    of_boards = [keys | _stored_names(model) for model in (Membership, Seats, StoredBoard, StoredToken)]
    for partition, written in [("USER", of_users), ("BOARD", of_boards)]:
        for attributes in written:
            need = Need(f"dynamodb:{action}", partition, attributes=attributes)
            assert not any(grant.permits(need) for grant in grants(group))


def test_received_mails_may_write_whole_meetings_and_answers() -> None:
    (attributes,) = {grant.attributes for grant in grants("inbound") if grant.attributes}
    assert attributes == {PK, SK, "L1", "L2"} | _stored_names(StoredMeeting) | _stored_names(StoredRsvp)


def _stored_names(model: type[Resource]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in model.model_fields.items())


def test_what_guests_write_is_in_their_partition(pool: InlinePool, outbox: Outbox) -> None:
    """No item of a board or of a user is where the public function may write, but what it writes itself."""
    del pool, outbox
    with fresh_table():
        actors = new_actors()
        _prepare(actors)
        actors.request("PUT /api/v1/guest/{token}/slots/{slotId}/vote", "owner").by(Client())
        items = TableSnapshot().items
    writable = {part for grant in grants("guests") if "dynamodb:PutItem" in grant.actions for part in grant.partitions}
    assert writable == {"AUDIT", "EVENTS", "GUESTS"}
    kinds = {sk.split("#")[2] for pk, sk in items if pk.startswith("GUESTS#")}
    assert kinds == {"VOTE", "COUNT"}
    assert {pk.partition("#")[0] for pk, sk in items if sk.startswith(("MEMBER#", "TOKEN#"))} == {"BOARD", "USER"}


def test_a_call_that_the_role_does_not_permit_fails_the_test(scenario: BoardScenario) -> None:
    with acting_as("audit"), pytest.raises(NotPermitted, match="audit may not dynamodb:PutItem BOARD"):
        scenario.join(person("ben"))


def test_only_the_events_function_may_read_the_stream() -> None:
    for group in APIS:
        assert {action for grant in grants(group) for action in grant.actions} & {need.action for need in RUNTIME} == {
            "logs:CreateLogStream",
            "logs:PutLogEvents",
        }
