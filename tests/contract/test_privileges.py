"""Checks that each function's role in the template permits only the AWS calls that its routes make.

The whole suite checks the opposite, that no function makes a call without permission (`tests/conftest.py`).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from unittest import mock

import boto3
import pytest

from governance.domain.notifications import unsubscribing
from governance.http.route import Route
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis, now
from governance.limits import DUE_AHEAD_SECONDS
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.message import Message
from governance.settings import Secret, settings
from governance.store.documents import file_bytes
from governance.store.transactions import transact
from infra.openapi.links import operation_id
from infra.openapi.tools import FILE as TOOLS
from tests.calendars.invited import want_calendar_invitations
from tests.contract.prepared_board import prepare
from tests.contract.used_roles import RUNTIME, allowed, assert_role_is_used
from tests.harness import kpi, queue
from tests.harness.actors import Actors, new_actors
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import APIS, FUNCTIONS, HANDLERS, WITHOUT_ROUTES, Client, load, session
from tests.harness.engine import fresh_table
from tests.harness.meeting_scenario import MeetingScenario
from tests.harness.merge_scenario import begin_merge, invite_by_calendar, new_merge_scenario, tell_of_an_answer
from tests.harness.outbox import Outbox
from tests.harness.paper_scenario import new_paper_scenario
from tests.harness.privileges import Grant, Need, NotPermitted, acting_as, enforced_privileges, grants
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.sample_bodies import LATER, SERIES
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.store_calls import InlinePool
from tests.harness.stream import event_records, process_records

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
EVENTFUL = (
    "action_items",
    "boards",
    "invites",
    "meetings",
    "paper_requests",
    "reports",
    "resolutions",
    "series",
    "webhooks",
)
_SCHEDULED = {"title": "Meeting", "status": "scheduled"}


def drive(group: str) -> None:
    """Calls each route of a group as every caller, and delivers the resulting events.

    A mail over its quota is left, as a message that nobody has received.
    """
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
                left = process_records(event_records(actors.board.board_id))
                assert set(left) <= {message.id for message in queue.current.messages if message.receives == 0}


def _change_meetings(actors: Actors) -> None:
    del actors
    votes = ResolutionScenario(new_board_scenario())
    owner, path = votes.board.owner.client, f"{votes.board.path}/meetings"
    meeting = owner.post(path, {**_SCHEDULED, "startTime": LATER}).data["id"]
    assert owner.patch(f"{path}/{meeting}", {"status": "in_progress"}).status == 200
    resolution = votes.opened(meetingId=meeting).rpartition("/")[2]
    minutes = owner.put(f"{path}/{meeting}/minutes", {"items": [{"text": "Voted.", "resolutionId": resolution}]})
    assert minutes.data["items"][0]["resolutionId"] == resolution


def _carry_on(actors: Actors) -> None:
    """Opens an occurrence, which takes what waits and what the one before left open, and deletes its meeting."""
    owner, board = actors.clients["owner"], actors.board.path
    occurrences = f"{board}/series/{owner.post(f'{board}/series', SERIES).data['id']}/occurrences"
    first = owner.post(f"{occurrences}/{SERIES['start']}/open").data["id"]
    assert owner.put(f"{board}/meetings/{first}/agenda", {"items": [{"title": "Budget"}]}).status == 200
    assert owner.patch(f"{board}/meetings/{first}", {"status": "completed"}).status == 200
    assert owner.post(f"{board}/backlog", {"title": "Audit"}).status == 201
    opened = owner.post(f"{occurrences}/2098-02-04T09:00/open")
    assert opened.status == 201, opened.text
    assert owner.delete(f"{board}/meetings/{opened.data['id']}").status == 200


def _scan_a_paper(actors: Actors) -> None:
    """Delivers a paper by the scan of its file."""
    del actors
    papers = new_paper_scenario(new_board_scenario())
    with mock.patch.dict(os.environ, {"MALWARE_PROTECTION": "yes"}):
        settings.cache_clear()
        version = papers.send(request := papers.request())
        names = {"boardId": papers.board.board_id, "documentId": version["documentId"], "versionId": version["id"]}
        tags: Any = {"TagSet": [{"Key": "GuardDutyMalwareScanStatus", "Value": "NO_THREATS_FOUND"}]}
        key = "papers/" + "/".join(names.values())
        boto3.client("s3").put_object_tagging(Bucket=settings().papers_bucket, Key=key, Tagging=tags)
        sending.send([Message(DeliveryKind.SCAN, papers.board.board_id, names)])
        queue.current.deliver()
    settings.cache_clear()
    assert papers.owner.get(request).data["status"] == "delivered"


def _declare_the_first_file(actors: Actors) -> None:
    """Declares a file by the link to a paper of a board whose files were never counted."""
    transact([file_bytes.recount_later(actors.board.board_id)])
    request = sample_request("POST /api/v1/paper/{paperToken}/versions", actors.board)
    assert request.by(Client()).status == 201


def _ask(scenario: BoardScenario, meeting: MeetingScenario, person_id: str) -> None:
    """Asks a person without an account for a paper."""
    body = {"title": "Forecast", "from": {"unregisteredUserId": person_id}, "dueAt": LATER}
    assert scenario.owner.client.post(f"{meeting.path}/paper-requests", body).status == 201


def _merge(actors: Actors) -> None:
    """Merges a person who was invited by mail and owes a paper; the deliveries complete another, and recommend a third.

    One more person, who stays, gets the link to a paper by mail.
    """
    merge = new_merge_scenario(actors.board)
    _ask(actors.board, merge.ahead, merge.anna)
    stays = actors.board.owner.client.post(
        f"{actors.board.path}/unregistered-users", {"firstName": "Uma", "email": "uma@example.com"}
    )
    _ask(actors.board, merge.ahead, stays.data["id"])
    invite_by_calendar(merge, merge.ann.email)
    tell_of_an_answer(merge)
    assert merge.merge().status == 200
    begun = new_merge_scenario(new_board_scenario())
    _ask(begun.board, begun.ahead, begun.anna)
    invite_by_calendar(begun)
    begin_merge(begun)
    body = {"boardId": begun.board.board_id, "unregisteredUserId": begun.anna}
    account = {"userId": begun.ann.id, "at": now()}
    sending.send([Message(DeliveryKind.MERGE, "x", body), Message(DeliveryKind.RECOMMENDATION, "x", account)])
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


def _open_a_link_of_a_token(actors: Actors) -> None:
    """Opens a guest link that a personal token made, with which it ends."""
    board = actors.board
    meeting = board.owner.client.post(f"{board.path}/meetings", _SCHEDULED).data["id"]
    made = board.personal_token(board.owner).post(f"{board.path}/meetings/{meeting}/guest-link").data
    assert Client().get(f"/api/v1/guest/{made['token']}").status == 200


def _leave_committee(actors: Actors) -> None:
    """Takes somebody out of a committee."""
    owner, path = actors.clients["owner"], f"{actors.board.path}/committees"
    members = owner.all(f"{actors.board.path}/members")
    body = {"name": "Audit", "memberIds": [member["id"] for member in members if member["adminRole"] == "member"][:1]}
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
    _merge(actors)
    _leave_committee(actors)
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
        actors.clients[column].call(request.method, request.path, request.body, query=request.query, headers=keyed)
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
    "guests": _open_a_link_of_a_token,
    "meetings": _change_meetings,
    "notifications": _unsubscribe_person,
    "paper_requests": _scan_a_paper,
    "papers": _declare_the_first_file,
    "resolutions": _vote_on_an_agenda_item,
    "series": _carry_on,
}
"""What else a group's routes do, which no sample request makes them do."""


def driven_together() -> list[tuple[str, ...]]:
    """Returns the functions, those together whose events the two functions without a route deliver."""
    apart = {"calendar", "exporter", "inbound", "live", "minutes_files", "packer", "ringer", "sealer"}
    apart |= {"signed_minutes", "webhook_sender"}  # driven by tests of workers, with a file
    together = {*EVENTFUL, "deliveries", "events"}
    return [tuple(sorted(together)), *((group,) for group in sorted({*APIS, *WITHOUT_ROUTES} - apart - together))]


@pytest.mark.parametrize("groups", driven_together(), ids=" ".join)
@pytest.mark.usefixtures("formulas")
def test_a_role_permits_only_what_its_function_uses(
    groups: tuple[str, ...], pool: InlinePool, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    del pool
    with enforced_privileges() as needs:
        for group in [candidate for candidate in groups if candidate in APIS]:
            kpi.forget(monkeypatch)  # the formulas that another function has read
            drive(group)
        if "deliveries" in groups:
            refuse_an_invitation(outbox)
    for group in groups:
        assert_role_is_used(group, needs)


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
        granted = {action for grant in grants(group) for action in grant.actions}
        of_runtime = {need.action for need in RUNTIME} - {"s3:ListBucket"}
        assert granted & of_runtime == {"logs:CreateLogStream", "logs:PutLogEvents"}
