"""Counts the sequential store round trips of every route; they decide its latency (ADR table)."""

from __future__ import annotations

import pytest

from tests.harness.board_scenario import BoardScenario, person
from tests.harness.outbox import Outbox
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import ROUTE_NAMES, ROUTES_BY_NAME, sample_request
from tests.harness.store_calls import InlinePool, count_store_calls

READ_ONE, READ_LIST, WRITE = 1, 2, 2
_DASHBOARD = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}"
_CYCLE = "/api/v1/boards/{boardId}/cycles/{cycleId}"
_SERIES = "/api/v1/boards/{boardId}/series/{seriesId}"

_PAPER_REQUEST = "/api/v1/boards/{boardId}/meetings/{meetingId}/paper-requests/{paperRequestId}"
_RESOLUTION = "/api/v1/boards/{boardId}/resolutions/{resolutionId}"

# Routes that need more round trips than others of their kind, and why.
MORE = {
    "GET /api/invite/{boardId}/code": 2,  # the first request creates the code
    "GET /api/v1/boards/{boardId}/documents/{documentId}": 2,  # the view is recorded
    "GET /api/v1/boards/{boardId}/documents/{documentId}/versions/{versionId}/content": 2,  # so is this one
    f"GET {_DASHBOARD}/access": 2,  # the dashboard names its owner and editors
    "GET /api/v1/boards/{boardId}/members/{memberId}/removal": 2,  # the membership names the links that end with it
    "GET /api/v1/invite/preview/{inviteCode}": 2,  # the link leads to the invite, the invite to its board
    "PATCH /api/action-items/{actionItemId}/status": 3,  # the path names neither the board nor the meeting
    "PATCH /api/board/{boardId}/action-items/{actionItemId}": 3,  # the path does not name the meeting
    "POST /api/invite/{boardId}": 3,  # one pending invite for each address
    "POST /api/invite/{boardInviteId}/send-email": 4,  # the quota is used before the e-mail, the time set after it
    "POST /api/v1/boards/{boardId}/documents/{documentId}/versions": 4,  # the first of a board counts files and papers
    f"POST {_PAPER_REQUEST}/versions": 4,
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/pack": 4,  # the agenda names papers, requests what is left out
    # the meeting's packs are links to documents, which name their versions and meetings
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/pack/publication": 6,
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/remarks": 3,  # the approval names the newest version
    # remarks, the meeting that approves, and the last number
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/approval": 5,
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/document": 3,  # the document names its meeting
    # the meeting's files are links to documents, which name their versions
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/signed-file": 5,
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/signed-file/{versionId}/complete": 4,
    "GET /api/v1/boards/{boardId}/minute-book/{year}": 3,  # the entries name the events that are logged
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/people": 3,  # active people are read after their counter
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}/unregistered-assignee": 3,
    "POST /api/v1/boards/{boardId}/ownership-transfer": 3,  # the new owner is named in the body
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/agenda/approvals": 4,  # approvals name the meetings
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/agenda/carry-over": 5,  # the body names the other meeting
    "DELETE /api/v1/boards/{boardId}/agenda-templates/{templateId}": 3,  # series name it
    "GET /api/v1/boards/{boardId}/meetings/{meetingId}/series": 2,  # the meeting names its series
    f"GET {_SERIES}/occurrences": 3,  # what was opened names its meetings
    # matters, the backlog, minutes to approve, the occurrence before, and its meeting
    f"POST {_SERIES}/occurrences/{{key}}/open": 6,
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/agenda/template": 3,  # the body names the template
    # the body names a place, and an item that is postponed may have an open resolution
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/agenda/items/{itemId}/postpone": 4,
    "POST /api/v1/boards/{boardId}/backlog/{backlogItemId}/place": 3,
    "POST /api/v1/boards/{boardId}/plan/{planItemId}/place": 3,
    "GET /api/v1/boards/{boardId}/plan/years/{year}": 5,  # matters, the meetings that have some, their minutes
    f"GET {_CYCLE}": 2,  # the cycle names the report whose sections it shows
    f"PATCH {_CYCLE}": 3,
    "POST /api/v1/boards/{boardId}/cycles": 3,  # the report is named in the body
    f"POST {_CYCLE}/dispatch": 3,
    f"POST {_CYCLE}/publish": 3,
    f"POST {_DASHBOARD}/ownership-transfer": 3,
    f"PUT {_DASHBOARD}/access/{{userId}}": 3,
    f"GET {_RESOLUTION}": 2,  # an open one says since when departures count
    f"GET {_RESOLUTION}/ballots": 2,
    f"GET {_RESOLUTION}/certificate": 2,  # the certificate names its event
    "GET /api/v1/boards/{boardId}/resolutions": 4,  # the list names the heads, whose bodies are beside them
    f"POST {_RESOLUTION}/open": 6,  # the draft names meeting, members and documents
    f"PUT {_RESOLUTION}/ballot": 3,  # the head names the voter's group
    f"DELETE {_RESOLUTION}/ballot": 3,
    f"PUT {_RESOLUTION}/proxy": 3,
    f"DELETE {_RESOLUTION}/proxy": 3,
    f"PUT {_RESOLUTION}/recusals/{{userId}}": 3,
    f"DELETE {_RESOLUTION}/recusals/{{userId}}": 3,
    f"POST {_RESOLUTION}/close": 4,
    f"POST {_RESOLUTION}/withdraw": 3,
    f"POST {_PAPER_REQUEST}/delivery": 3,  # the body names the document
    f"POST {_PAPER_REQUEST}/decision": 3,  # the request names it
    "DELETE /api/v1/boards/{boardId}/committees/{committeeId}": 4,  # no resolution of it may be open
    "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}": 3,  # nor of the meeting
    "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}": 3,  # votes are read after the guards
    # the body names the member; the roster those whose notifications are searched; mark and end are apart
    "POST /api/v1/boards/{boardId}/unregistered-users/{unregisteredUserId}/merge": 6,
    "PUT /api/invite/accept/{boardInviteId}": 3,  # the path does not name the board
    "PUT /api/invite/decline/{boardInviteId}": 3,
    "PUT /api/invite/join/{inviteCode}": 3,
    "PUT /api/invite/retract/{boardInviteId}": 3,
    "GET /api/v1/guest/{token}": 3,  # the link names who made it and the token that did, which may have ended
    # members deliver by their account, so the address is looked up; the request names its meeting
    "GET /api/v1/paper/{paperToken}": 3,
    "POST /api/v1/paper/{paperToken}/versions": 6,  # the first of a board counts files and papers
    "POST /api/v1/paper/{paperToken}/versions/{versionId}/complete": 4,
    "PUT /api/v1/guest/{token}/slots/{slotId}/vote": 4,  # a guest may not use a member's address
}


def budget(name: str) -> int:
    """Returns how many sequential calls a route may make."""
    route = ROUTES_BY_NAME[name]
    if route.method != "GET":
        return MORE.get(name, WRITE)
    many = route.shape in {"collection", "array"} or not route.admission.versioned
    return MORE.get(name, READ_LIST if many else READ_ONE)


@pytest.mark.parametrize("name", ROUTE_NAMES)
def test_a_route_stays_in_its_round_trips(name: str, scenario: BoardScenario, pool: InlinePool, outbox: Outbox) -> None:
    del outbox
    for_invitees = ("accept/{boardInviteId}", "decline/{boardInviteId}", "join/{inviteCode}")
    caller = person(OUTSIDER_EMAIL.partition("@")[0]) if name.endswith(for_invitees) else scenario.owner
    request = sample_request(name, scenario, caller)
    with count_store_calls(pool) as calls:
        response = request.by(caller.client)
    assert response.status == ROUTES_BY_NAME[name].status or "preview" in name, response.text
    assert len(calls.sequential) <= budget(name), calls.sequential


def test_every_exception_is_a_route() -> None:
    assert MORE.keys() <= ROUTES_BY_NAME.keys()
