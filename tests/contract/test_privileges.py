"""Checks that each function's role in the template permits only the AWS calls that its routes make.

The whole suite checks the opposite, that no function makes a call without permission (`tests/conftest.py`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from governance import delivery_queue
from governance.delivery_queue import Message
from governance.domain.live.messages import PROTOCOL
from governance.domain.notifications import unsubscribing
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.http.route import Route
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis, now
from governance.limits import DUE_AHEAD_SECONDS, LIVE_CONNECTIONS_PER_USER, LIVE_MESSAGES_PER_MINUTE
from governance.models.meetings.due import DeliveryKind
from governance.packs import __main__ as child
from governance.packs import book
from governance.settings import Secret, settings
from governance.store import log_key
from infra.openapi.links import operation_id
from infra.openapi.tools import FILE as TOOLS
from tests.calendar.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendar.feeds import fetch, subscribe
from tests.calendar.invited import Invited, want_calendar_invitations
from tests.calendar.mails import deliver, mail, moved, reply
from tests.contract.prepared_board import prepare
from tests.contract.simulated_calls import assert_only_named_targets, assert_simulator_agrees
from tests.exports.making import export, make_content
from tests.harness import kpi, live, queue, sealing
from tests.harness.actors import Actors, new_actors
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import APIS, FUNCTIONS, HANDLERS, WITHOUT_ROUTES, Client, load, session
from tests.harness.clock import install
from tests.harness.engine import clear_rate_leases, fresh_table
from tests.harness.live import Channel
from tests.harness.meeting_scenario import from_now, leave
from tests.harness.merge_scenario import begin_merge, invite_by_calendar, new_merge_scenario, tell_of_an_answer
from tests.harness.outbox import Outbox
from tests.harness.path_resources import LATER
from tests.harness.privileges import Grant, Need, NotPermitted, acting_as, enforced_privileges, grants
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.store_calls import InlinePool
from tests.harness.stream import event_records, process_records
from tests.harness.uploads import PDF
from tests.mail.reports import bounce, report, request_to
from tests.packs.making import PackScenario, item, new_pack_scenario, of_fpdf, work
from tests.webhooks.sending import Sender, create, sending

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
EVENTFUL = ("action_items", "boards", "invites", "meetings", "reports", "resolutions", "webhooks")
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


SHOWN_ELSEWHERE = {
    "documents": {Need("s3:PutObject"), Need("dynamodb:BatchGetItem", "RESOLUTIONS")},
    "exports": {Need("s3:GetObject")},
    "deliveries": {
        Need("s3:GetObjectTagging"),
        Need("dynamodb:PutItem", "RESOLUTIONS"),
        Need("dynamodb:PutItem", "GUESTS"),
        Need("dynamodb:UpdateItem", "MEETINGS"),
        Need("lambda:InvokeFunction"),
    },
    "packer": {Need("s3:DeleteObject")},
    "events": {Need("lambda:InvokeFunction")},
    "resolutions": {Need("s3:GetObject")},
    "ringer": {Need("lambda:InvokeFunction")},
}
"""What needs an optional parameter (the scanner, in
tests/functions/documents/test_scans.py), what the holder of a signed address or form needs (tests/exports,
tests/functions/documents), the deletion of a pack that is gone when it is made (tests/packs),
the result that the clock decides and personal links (tests/reminders), a scrub of answers (tests/calendar), ends of
connections (tests/live), proofs, and what a
committee decides (tests/functions/resolutions),
and the parts of a large room (tests/live/test_large_room.py)."""
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
            prepare(actors)
            for route in routes:
                _call(actors, route)
            if routes is regular and group in FURTHER:
                FURTHER[group](actors)
            _sweep()
            for _ in range(2):  # a repeat reads what the first delivery wrote
                assert process_records(event_records(actors.board.board_id)) == []


def _change_meetings(actors: Actors) -> None:
    _merge(actors)
    votes = ResolutionScenario(new_board_scenario())
    owner, path = votes.board.owner.client, f"{votes.board.path}/meetings"
    meeting = owner.post(path, {**_SCHEDULED, "startTime": LATER}).data["id"]
    assert owner.patch(f"{path}/{meeting}", {"status": "in_progress"}).status == 200
    resolution = votes.opened(meetingId=meeting).rpartition("/")[2]
    minutes = owner.put(f"{path}/{meeting}/minutes", {"items": [{"text": "Voted.", "resolutionId": resolution}]})
    assert minutes.data["items"][0]["resolutionId"] == resolution


def _merge(actors: Actors) -> None:
    """Merges a person who was invited by mail; the deliveries complete another merge, and recommend a third."""
    merge = new_merge_scenario(actors.board)
    invite_by_calendar(merge)
    tell_of_an_answer(merge)
    assert merge.merge().status == 200
    begun = new_merge_scenario(new_board_scenario())
    invite_by_calendar(begun)
    begin_merge(begun)
    body = {"boardId": begun.board.board_id, "unregisteredUserId": begun.anna}
    account = {"userId": begun.ann.id, "at": now()}
    delivery_queue.send([Message(DeliveryKind.MERGE, "x", body), Message(DeliveryKind.RECOMMENDATION, "x", account)])
    queue.current.deliver()


def _sweep() -> None:
    """Sweeps what is due soon, and delivers it once it is due: requests for votes."""
    with acting_as("deliveries"):
        load(FUNCTIONS / "deliveries" / "handler.py").lambda_handler({}, None)
    queue.current.now += 2 * DUE_AHEAD_SECONDS
    queue.current.deliver()


def _vote_on_an_agenda_item(actors: Actors) -> None:
    """Opens a resolution about an item of a meeting's agenda, on a board of its own."""
    del actors
    board = new_board_scenario()
    owner = board.owner.client
    meeting = owner.post(f"{board.path}/meetings", {**_SCHEDULED, "startTime": LATER}).data["id"]
    agenda = owner.put(f"{board.path}/meetings/{meeting}/agenda", {"items": [{"title": "Budget"}]})
    item_id = agenda.data["items"][0]["id"]
    votes = ResolutionScenario(board)
    votes.opened(meetingId=meeting, agendaItemId=item_id)
    voters = {votes.ann.id, votes.manager.id}
    member_ids = [member["id"] for member in owner.all(f"{board.path}/members") if member["userId"] in voters]
    named = {"name": "Audit", "memberIds": member_ids}
    committee = owner.post(f"{board.path}/committees", named).data["id"]
    votes.opened(committeeId=committee, voters=None)
    votes.opened(voters=None)


def _leave_committee(actors: Actors) -> None:
    """Takes somebody out of a committee."""
    owner, path = actors.clients["owner"], f"{actors.board.path}/committees"
    members = owner.all(f"{actors.board.path}/members")
    body = {"name": "Audit", "memberIds": [each["id"] for each in members if each["adminRole"] == "member"][:1]}
    committee = owner.post(path, body).data["id"]
    assert owner.patch(f"{path}/{committee}", {"memberIds": []}).status == 200


def _look_for_no_entry(actors: Actors) -> None:
    assert actors.clients["owner"].get(_proof_of_no_entry(actors)).status == 404


def _proof_of_no_entry(actors: Actors) -> str:
    """Returns the path of a proof that is looked for among audit entries and events."""
    return f"{actors.board.path}/audit/{time_ordered_id(millis(now()))}/proof"


def _readdress_archived_person(actors: Actors) -> None:
    """Gives an address to an archived person, which no active one may have."""
    owner, people = actors.clients["owner"], f"{actors.board.path}/unregistered-users"
    person_id = owner.post(people, {"firstName": "Greta"}).data["id"]
    assert owner.post(f"{people}/{person_id}/archive").status == 200
    assert owner.patch(f"{people}/{person_id}", {"email": "greta@example.org"}).status == 200


def _unsubscribe_person(actors: Actors) -> None:
    """Unsubscribes a person without an account by one click, which the board's guard lets happen."""
    body = {"firstName": "Greta", "email": "greta@example.org"}
    person_id = actors.clients["owner"].post(f"{actors.board.path}/unregistered-users", body).data["id"]
    about = unsubscribing.Subscription(UserId(person_id), "board", actors.board.board_id)
    token = unsubscribing.token(settings().secret(Secret.INVITE_LINK), about, body["email"], now())
    assert Client().post(f"/api/v1/unsubscribe/{token}").status == 200


def _change_boards(actors: Actors) -> None:
    _readdress_archived_person(actors)
    _fill_example_board(actors)
    decided = new_board_scenario()
    ResolutionScenario(decided).opened()
    assert decided.owner.client.delete(decided.path).status == 200
    assert process_records(event_records(decided.board_id)) == []


def _fill_example_board(actors: Actors) -> None:
    boards = actors.clients["owner"].all("/api/v1/boards")
    (example,) = [board["id"] for board in boards if board["name"].endswith("(example)")]
    for _ in range(2):  # the second delivers what the first wrote
        assert process_records(event_records(BoardId(example))) == []


def _name(route: Route) -> str:
    return f"{route.method} {route.path}"


def _evaluate_every_route(actors: Actors) -> None:
    """Asks for every route whether its caller is admitted, which reads what checking the route takes."""
    asked = [(name, actors.request(name, "owner").path) for name in ROUTE_NAMES]
    proof = "GET /api/v1/boards/{boardId}/audit/{entryId}/proof"
    for name, path in [*asked, (proof, _proof_of_no_entry(actors))]:
        action, resource = {"name": operation_id(ROUTES_BY_NAME[name])}, {"type": "route", "id": path}
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


def refuse_an_invitation(outbox: Outbox) -> None:
    """Delivers a meeting whose invitation the mail service rejects, so that what was written for it is undone."""
    with fresh_table():
        actors = new_actors()
        want_calendar_invitations(actors.people["collaborator"])
        body = {**_SCHEDULED, "startTime": LATER}
        assert actors.clients["owner"].post(f"{actors.board.path}/meetings", body).status == 201
        outbox.failure = "MessageRejected"
        process_records(event_records(actors.board.board_id))
        outbox.failure = None


FURTHER: Mapping[str, Callable[[Actors], None]] = {
    "access": _evaluate_every_route,
    "audit": _look_for_no_entry,
    "boards": _change_boards,
    "documents": _leave_committee,
    "meetings": _change_meetings,
    "notifications": _unsubscribe_person,
    "resolutions": _vote_on_an_agenda_item,
}
"""What else a group's routes do, which no sample request makes them do."""


def allowed(grant: Grant) -> set[Need]:
    """Returns the needs that a statement permits, one for each kind of partition."""
    return {Need(action, partition) for action in grant.actions for partition in grant.partitions or {""}}


def send_to_webhooks(sender: Sender) -> None:
    """Sends events to a receiver that accepts one, puts one off for an hour, and is gone then."""
    board = new_board_scenario()
    hook = create(board, events=["meeting.created"])
    answers = [AttemptResult(204, None, 1), AttemptResult(503, None, 1, retry_after=3600), AttemptResult(410, None, 1)]
    sender.receivers.answer = lambda _: answers.pop(0)
    board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
    sender.plan(board)
    sender.run()
    board.owner.client.post(f"{board.path}/webhooks/{hook['id']}/test")
    sender.plan(board)
    sender.run()
    sender.pass_time(2 * 3600, step=900)
    assert answers == []
    send_to_a_slow_receiver(board, hook, sender)


def send_to_a_slow_receiver(board: BoardScenario, hook: Any, sender: Sender) -> None:
    """Sends two events to a receiver that is slow: the second one in the slow lane."""
    board.owner.client.patch(f"{board.path}/webhooks/{hook['id']}", {"enabled": True})
    sender.receivers.answer = lambda _: AttemptResult(204, None, 9000)
    sent = len(sender.receivers.sent)
    for _ in range(2):
        board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
        sender.plan(board)
        sender.run()
    assert len(sender.receivers.sent) == sent + 2


def test_the_sender_of_webhooks_may_do_only_what_it_does(pool: InlinePool, monkeypatch: pytest.MonkeyPatch) -> None:
    del pool
    with enforced_privileges() as needs, fresh_table(), sending(monkeypatch, install(monkeypatch)) as sender:
        send_to_webhooks(sender)
    _assert_role_is_used("webhook_sender", needs)


def follow_calendars(outbox: Outbox) -> None:
    """Subscribes to calendars, polls them, and answers, moves and cancels a meeting by mail."""
    clear_rate_leases()
    board = new_board_scenario()
    admin = board.member("ada", admin_role="admin")
    want_calendar_invitations(admin)
    for body in ({}, {"boardId": board.board_id}):
        url = subscribe(admin, **body)
        tag = fetch(url).headers["etag"]
        assert fetch(url, **{"if-none-match": tag}).status in {200, 304}  # 200 while the board has just changed
        assert admin.client.post("/api/v1/boards", {"name": "Another"}).status == 201
        assert all(fetch(url).status == 200 for _ in range(_BLOCK))
    old = admin.client.post(f"{board.path}/meetings", {**_SCHEDULED, "startTime": "2001-01-01T10:00:00Z"}).data["id"]
    slot = {"startTime": LATER, "timezone": "UTC"}
    assert admin.client.post(f"{board.path}/meetings/{old}/slots", slot).status == 201
    assert fetch(url).status == 200  # which shows the slot of a meeting that no list reaches
    invited = Invited(board, admin, outbox)
    assert invited.answer("ACCEPTED") is None
    assert report(bounce(request_to(invited.ben.email, boardId=board.board_id, userId=invited.ben.id))) == []
    assert deliver(mail("stranger@example.com", invited.address, "no calendar"))[0] is not None
    assert invited.ask("REQUEST", *moved(), SEQUENCE="1") is None
    invited.meeting.confirm(invited.meeting.slot(from_now(days=4)))
    invited.refresh()
    assert invited.ask("CANCEL", SEQUENCE="9") is None
    settle(board)
    assert fetch(_invite_person(board, outbox)).status == 200


def _invite_person(board: BoardScenario, outbox: Outbox) -> str:
    """Invites a person without an account to a meeting, who accepts; returns where their calendar reads it."""
    person = {"firstName": "Greta", "email": "greta@example.org"}
    assert board.owner.client.post(f"{board.path}/unregistered-users", person).status == 201
    schedule(board)
    settle(board)
    *_, mailed = [each for each in outbox.mails if each["To"] == person["email"]]
    (event,) = calendar_of(mailed).walk("VEVENT")
    answer = mail(person["email"], str(mailed["Reply-To"]), reply(event, "ACCEPTED", person["email"]))
    assert deliver(answer)[0] is None
    return f"{event['url']}/meeting.ics"


@pytest.mark.usefixtures("pool", "bucket")
def test_calendars_may_do_only_what_they_do(outbox: Outbox) -> None:
    with enforced_privileges() as needs, fresh_table():
        follow_calendars(outbox)
    _assert_role_is_used("calendar", needs)
    _assert_role_is_used("inbound", needs)


def make_exports() -> None:
    """Makes an export of a board with some of everything, and one of its owner's own."""
    board = new_board_scenario()
    make_content(board)
    ResolutionScenario(board).opened()
    owner = board.owner.client
    owner.post(f"{board.path}/tokens", {"name": "CI", "expiresInDays": 30})
    owner.post(f"/api/invite/{board.board_id}", {"inviteeEmail": "invited@example.com"})
    for path in (f"{board.path}/exports", "/api/v1/me/exports"):
        export(owner, path)


@pytest.mark.usefixtures("pool", "bucket")
def test_the_maker_of_exports_may_do_only_what_it_does() -> None:
    with enforced_privileges() as needs:
        make_exports()
    _assert_role_is_used("exporter", needs)


def make_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a pack of a paper and a certificate's PDF, and fails to make a pack of a paper that nobody can read."""
    monkeypatch.setattr(book, "run", child.added)
    packs = new_pack_scenario(new_board_scenario())
    for content, status in ((PDF, "failed"), (of_fpdf("The plan"), "ready")):
        packs.put_agenda(item("Plans", packs.paper(content)))
        assert packs.make()["status"] == status
    make_certificate(packs)


def make_certificate(packs: PackScenario) -> None:
    votes = ResolutionScenario(packs.board)
    path = votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    assert votes.close(path).status == 200
    sealing.seal(packs.board.board_id)
    document = votes.manager.client.post(f"{path}/certificate/document").data
    packs.deliver()
    work()
    assert packs.version(document)["status"] == "ready"


@pytest.mark.usefixtures("pool", "bucket", "store")
def test_the_maker_of_packs_may_do_only_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    with enforced_privileges() as needs:
        make_packs(monkeypatch)
    _assert_role_is_used("packer", needs)


@pytest.mark.usefixtures("pool", "bucket")
def test_the_sealer_may_do_only_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_key, "_public_key", log_key._public_key.__wrapped__)
    with enforced_privileges() as needs, fresh_table():
        board = new_board_scenario()
        for _ in range(2):
            board.owner.client.post(f"{board.path}/meetings", _SCHEDULED)
            sealing.seal(board.board_id)
        ResolutionScenario(board).opened()  # whose events are leaves too
        sealing.seal(board.board_id)
    _assert_role_is_used("sealer", needs)


def listen(channel: Channel) -> None:
    """Opens, fills, overfills and leaves rooms, and rings for changes until a member and their credential are gone."""
    board = new_board_scenario()
    ben = board.member("ben")
    assert channel.handshake(PROTOCOL, "ticket.bad").status == 401
    tab = channel.open(board.owner.client)
    for act in (tab.join, tab.leave, tab.join):
        act(board.board_id)
    tab.join("0" * 24)
    tabs = [channel.open(ben.client) for _ in range(LIVE_CONNECTIONS_PER_USER + 1)]
    assert tabs[0].is_closed
    by_token, silent = channel.open(board.personal_token(ben)), channel.open(board.member("cem").client)
    for each in (tabs[-1], by_token, silent):
        each.join(board.board_id)
    with channel.watched():
        meeting = board.owner.client.post(f"{board.path}/meetings", _SCHEDULED).data["id"]
    slot = {"startTime": LATER, "timezone": "UTC"}
    silent.is_open = False  # its end goes unsaid
    with channel.watched():
        assert board.owner.client.post(f"{board.path}/meetings/{meeting}/slots", slot).status == 201
    (token,) = ben.client.get("/api/v1/me/tokens").data
    with channel.watched():
        assert ben.client.delete(f"/api/v1/me/tokens/{token['id']}").status == 200
    with channel.watched():
        leave(board, ben)
    for _ in range(LIVE_MESSAGES_PER_MINUTE + 1):
        tab.say({"action": "ping"})
    channel.end(tab)


@pytest.mark.usefixtures("pool", "outbox")
def test_the_live_channel_may_do_only_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("governance.live.protocol.LIVE_OPENING_SECONDS", 0)  # connections are as old as they have to be
    with enforced_privileges() as needs, fresh_table(), live.running() as channel:
        listen(channel)
    _assert_role_is_used("live", needs)
    _assert_role_is_used("ringer", needs)


def driven_together() -> list[tuple[str, ...]]:
    """Returns the functions, those together whose events the two functions without a route deliver."""
    apart = {"calendar", "exporter", "inbound", "live", "packer", "ringer", "sealer", "webhook_sender"}
    together = {*EVENTFUL, "deliveries", "events"}
    return [tuple(sorted(together)), *((group,) for group in sorted({*APIS, *WITHOUT_ROUTES} - apart - together))]


@pytest.mark.parametrize("groups", driven_together(), ids=" ".join)
@pytest.mark.usefixtures("formulas")
def test_a_role_permits_only_what_its_function_uses(
    groups: tuple[str, ...], pool: InlinePool, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    del pool
    with enforced_privileges() as needs:
        for group in [each for each in groups if each in APIS]:
            kpi.forget(monkeypatch)  # the formulas that another function has read
            drive(group)
        if "deliveries" in groups:
            refuse_an_invitation(outbox)
    for group in groups:
        _assert_role_is_used(group, needs)


def _assert_role_is_used(group: str, needs: list[tuple[str, Need]]) -> None:
    """Asserts that a function needs all that its role permits."""
    used = {Need(need.action, need.partition) for caller, need in needs if caller == group}
    for grant in grants(group):
        assert allowed(grant) - RUNTIME - SHOWN_ELSEWHERE.get(group, set()) <= used
        assert not grant.index or any(need.index for caller, need in needs if caller == group)
    own = [need for caller, need in needs if caller == group]
    assert_simulator_agrees({need for need in own if need not in RUNTIME})
    assert_only_named_targets(group, {(need.action, need.target) for need in own if need.target})


def test_the_role_of_agents_is_the_union_of_the_roles_of_the_tools_groups() -> None:
    tools = json.loads(TOOLS.read_text(encoding="utf-8"))["tools"]
    of_groups = {grant for group in {tool["group"] for tool in tools} for grant in grants(group)}
    of_no_tool = {Need("dynamodb:PutItem", "TICKET")}  # tickets of the live channel
    assert _granted(grants("mcp")).items() == {
        (need, by_index) for need, by_index in _granted(of_groups).items() if need not in of_no_tool
    }
    assert _files(grants("mcp")) == _files(of_groups)


def _files(statements: Iterable[Grant]) -> set[tuple[str, str]]:
    """Returns what is permitted of objects, and of which."""
    return {
        (action, resource)
        for grant in statements
        for action in grant.actions
        for resource in grant.resources
        if action.startswith("s3:")
    }


def _granted(statements: Iterable[Grant]) -> dict[Need, bool]:
    """Returns what is permitted, and whether by an index too."""
    granted: dict[Need, bool] = {}
    for grant in statements:
        granted |= {need: grant.index or granted.get(need, False) for need in allowed(grant)}
    return granted


def test_a_call_that_the_role_does_not_permit_fails_the_test(scenario: BoardScenario) -> None:
    with acting_as("audit"), pytest.raises(NotPermitted, match="audit may not dynamodb:PutItem BOARD"):
        scenario.join(person("ben"))


def test_only_the_events_function_may_read_the_stream() -> None:
    for group in HANDLERS:
        assert {action for grant in grants(group) for action in grant.actions} & {need.action for need in RUNTIME} == {
            "logs:CreateLogStream",
            "logs:PutLogEvents",
        }
