"""What a request writes under ends between its last read and its write: the request responds as if it came later."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from governance.store import table
from governance.store.schema.entities import MEETING_GUEST_VOTE_COUNT
from tests.faults.repeatable_request import new_repeatable_request
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, leave, new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME
from tests.harness.store_calls import requests_to
from tests.harness.stored_versions import TAKES_BACK_A_COPY
from tests.harness.table_snapshot import TableSnapshot

Call = Callable[[], Response]
_DELETION = "DELETE /api/v1/boards/{boardId}"
_COVERED_ELSEWHERE = {TAKES_BACK_A_COPY: "minutes_file/test_signed_copies.py"}
WRITES = [
    name
    for name in ROUTE_NAMES
    if "{boardId}" in name and ROUTES_BY_NAME[name].method != "GET" and name not in {_DELETION, *_COVERED_ELSEWHERE}
]
_DASHBOARDS = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards"
_DASHBOARD = f"{_DASHBOARDS}/{{dashboardId}}"
NOT_FOUND, CONFLICT = (404, "RESOURCE_NOT_FOUND"), (409, "CONFLICT")


def send_during(request: Call, change: Call) -> tuple[Response, TableSnapshot]:
    """Makes a change just before the request writes. Returns the response and the table after the change."""
    after_change: list[TableSnapshot] = []

    def make_change() -> Response:
        response = change()
        after_change.append(TableSnapshot())
        return response

    with meanwhile(make_change):
        return request(), after_change[0]


@pytest.mark.parametrize("route", WRITES)
def test_nothing_is_written_under_a_board_that_was_just_deleted(
    route: str, scenario: BoardScenario, outbox: Outbox
) -> None:
    request = new_repeatable_request(route, scenario, keyed=False)
    response, after_deletion = send_during(request.send, partial(scenario.owner.client.delete, scenario.path))
    assert response.failure == NOT_FOUND
    assert after_deletion.changes() == {}
    assert outbox.mails == []


@pytest.mark.parametrize(
    "route",
    [
        f"POST {_DASHBOARDS}",
        f"PATCH {_DASHBOARD}",
        f"DELETE {_DASHBOARD}",
        f"PUT {_DASHBOARD}/figures",
        f"PUT {_DASHBOARD}/flags/{{flagId}}/dismissal",
        f"DELETE {_DASHBOARD}/flags/{{flagId}}/dismissal",
    ],
)
def test_nothing_is_written_in_a_report_that_was_just_finalized(route: str, scenario: BoardScenario) -> None:
    request = new_repeatable_request(route, scenario, keyed=False)
    report = request.request.path.partition("/dashboards")[0]
    assert scenario.owner.client.patch(report, {"status": "published"}).status == 200
    finalize = partial(scenario.owner.client.patch, report, {"status": "finalized"})
    response, after_change = send_during(request.send, finalize)
    assert response.failure == CONFLICT
    assert after_change.changes() == {}


def guest_vote(meeting: MeetingScenario, slot: dict[str, Any]) -> Callable[[str], Response]:
    """Opens a guest link and returns the function that votes by it for an address."""
    token = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    path = f"/api/v1/guest/{token}/slots/{slot['id']}/vote"
    return lambda email: Client().put(path, {"email": email, "vote": "ok"})


def vote_on_closed(meeting: MeetingScenario, ben: Client) -> tuple[Call, Call]:
    return partial(meeting.vote, ben, meeting.slot()), partial(meeting.patch, status="completed")


def vote_on_hidden(meeting: MeetingScenario, ben: Client) -> tuple[Call, Call]:
    return partial(meeting.vote, ben, meeting.slot()), partial(meeting.patch, status="draft")


def guest_vote_on_deleted_meeting(meeting: MeetingScenario, _: Client) -> tuple[Call, Call]:
    vote = guest_vote(meeting, meeting.slot())
    return partial(vote, "guest@example.org"), partial(meeting.board.owner.client.delete, meeting.path)


def guest_vote_on_deleted_slot(meeting: MeetingScenario, _: Client) -> tuple[Call, Call]:
    slot = meeting.slot()
    return partial(guest_vote(meeting, slot), "guest@example.org"), partial(meeting.remove, slot)


def item_on_hidden_meeting(meeting: MeetingScenario, ben: Client) -> tuple[Call, Call]:
    return partial(ben.post, f"{meeting.path}/action-items", {"title": "Item"}), partial(meeting.patch, status="draft")


@pytest.mark.parametrize(
    ("prepare", "failure"),
    [
        (vote_on_closed, CONFLICT),
        *((prepare, NOT_FOUND) for prepare in (vote_on_hidden, guest_vote_on_deleted_meeting)),
        *((prepare, NOT_FOUND) for prepare in (guest_vote_on_deleted_slot, item_on_hidden_meeting)),
    ],
)
def test_nothing_is_written_under_what_was_just_closed(
    scenario: BoardScenario, prepare: Callable[[MeetingScenario, Client], tuple[Call, Call]], failure: tuple[int, str]
) -> None:
    """The pairs have others, in every order of their calls."""
    meeting, ben = new_meeting_scenario(scenario), scenario.member("ben").client
    response, after_change = send_during(*prepare(meeting, ben))
    assert response.failure == failure
    assert after_change.changes() == {}


def test_a_vote_under_way_counts_for_the_membership_that_its_voter_has_when_it_is_written(
    scenario: BoardScenario,
) -> None:
    """Else a voter who left and joined again loses the vote that they cast since: it is replaced by one of nobody."""
    meeting, ben = new_meeting_scenario(scenario), scenario.member("ben")
    slot = meeting.slot()

    def join_again_and_vote() -> Response:
        leave(scenario, ben)
        sent = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": ben.email})
        assert ben.client.put(f"/api/invite/accept/{sent.json['inviteId']}").status == 200
        return meeting.vote(ben.client, slot, "ok")

    response, _ = send_during(partial(meeting.vote, ben.client, slot, "cant"), join_again_and_vote)
    assert response.status == 200
    assert [entry["vote"] for entry in meeting.listed()[0]["feedbacks"]] == ["ok", "cant"]


@pytest.mark.parametrize("earlier", [0, 2])
def test_a_guests_vote_on_a_slot_that_is_being_deleted_counts_no_more(scenario: BoardScenario, earlier: int) -> None:
    """Else the meeting would reach its limit of guests' votes too early."""
    meeting = new_meeting_scenario(scenario)
    slot = meeting.slot()
    vote = guest_vote(meeting, slot)
    for number in range(earlier):
        assert vote(f"early{number}@example.org").status == 200
    response, _ = send_during(partial(meeting.remove, slot), partial(vote, "guest@example.org"))
    assert response.status == 200
    counter = table.read_one(MEETING_GUEST_VOTE_COUNT.key_for(boardId=scenario.board_id, meetingId=slot["meetingId"]))
    assert counter is not None
    assert counter["count"] == 0


def test_a_new_title_does_not_disturb_votes_under_way(scenario: BoardScenario) -> None:
    meeting, ben = new_meeting_scenario(scenario), scenario.member("ben").client
    slot = meeting.slot()
    with requests_to("dynamodb.TransactWriteItems") as sent:
        response, _ = send_during(partial(meeting.vote, ben, slot), partial(meeting.patch, title="New"))
    assert response.status == 200
    assert len(sent) == 2
