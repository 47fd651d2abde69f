"""A valid request to every route, shared by the round-trip, authorization and OpenAPI tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from governance.http.route import Route
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import ROUTES, Client, Response
from tests.harness.path_resources import (
    CREATORS,
    LATER,
    NEW_BET,
    NEW_PERSON,
    NEW_VERSION,
    NEW_WEBHOOK,
    PARAMETER,
    PathResources,
    counter,
    earlier_meeting,
    editor,
    end_exports,
    end_pack,
    member,
    new_cycle,
    slot_start,
    voter,
)

ROUTE_NAMES = sorted(f"{route.method} {route.path}" for route in ROUTES)
ROUTES_BY_NAME: Mapping[str, Route] = {f"{route.method} {route.path}": route for route in ROUTES}

_DASHBOARD = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}"
_DISMISSAL = f"{_DASHBOARD}/flags/{{flagId}}/dismissal"
_DOCUMENT = "/api/v1/boards/{boardId}/documents/{documentId}"
_MEETING_PATH = "/api/v1/boards/{boardId}/meetings/{meetingId}"
_POLL = "/api/v1/boards/{boardId}/meetings/{meetingId}/poll"
_DUE = "/api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}/due"
_AGENDA = "/api/v1/boards/{boardId}/meetings/{meetingId}/agenda"
_MINUTES = "/api/v1/boards/{boardId}/meetings/{meetingId}/minutes"
_RESOLUTION = "/api/v1/boards/{boardId}/resolutions/{resolutionId}"
_REMINDERS = "POST /api/v1/boards/{boardId}/meetings/{meetingId}/reminders"
EXISTING: dict[str, dict[str, Any]] = {
    f"PUT {_POLL}": {"closesAt": LATER, "remind": False},
    f"GET {_POLL}": {"closesAt": LATER},
    f"DELETE {_POLL}": {"closesAt": LATER},
    f"GET {_MINUTES}": {"items": []},
    f"PUT {_MINUTES}": {"items": []},
    f"DELETE {_MINUTES}": {"items": []},
    f"PUT {_AGENDA}": {"items": []},
    f"DELETE {_DUE}": {"dueOn": LATER[:10]},
    f"DELETE {_DISMISSAL}": {"reason": "Rounded by hand"},
}
"""Routes of a resource without an id, with the body of the PUT that creates it."""
_EVALUATION = {"action": {"name": "getMe"}, "resource": {"type": "route", "id": "/api/v1/me"}}
_TOKEN = {"name": "robot", "expiresInDays": 30}
SHEET = "rogueId,value,date\nrevenue.arr,4820000,2026-10-31\n"
"""The text of a spreadsheet that fills a dashboard."""
_BODIES: dict[str, Callable[[PathResources], Any]] = {
    f"PUT {_DISMISSAL}": lambda _: {"reason": "Rounded by hand"},
    "POST /api/v1/access/evaluation": lambda _: _EVALUATION,
    "POST /api/v1/access/evaluations": lambda _: {"evaluations": [_EVALUATION]},
    "PATCH /api/v1/me": lambda _: {"timezone": "Europe/Paris"},
    "POST /api/v1/me/tokens": lambda _: {**_TOKEN, "preset": "read_only"},
    "POST /api/v1/me/calendar-feeds": lambda _: {"name": "Mine"},
    "PUT /api/v1/me/calendar": lambda _: {"invitations": False},
    "POST /api/v1/boards": lambda _: {"name": "Another"},
    "PATCH /api/v1/boards/{boardId}": lambda _: {"name": "Renamed"},
    "PATCH /api/v1/boards/{boardId}/members/{memberId}": lambda _: {"accessType": "guest"},
    "POST /api/v1/boards/{boardId}/ownership-transfer": lambda resources: {"memberId": resources["memberId"]},
    "POST /api/v1/boards/{boardId}/tokens": lambda _: {**_TOKEN, "preset": "read_write"},
    "POST /api/v1/boards/{boardId}/meetings": lambda _: {"title": "Meeting", "status": "scheduled"},
    "PATCH /api/v1/boards/{boardId}/meetings/{meetingId}": lambda _: {"title": "Renamed"},
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/slots": lambda _: {
        "startTime": slot_start(),
        "timezone": "Europe/Paris",
    },
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}/vote": lambda _: {"vote": "challenging"},
    f"PUT {_POLL}": lambda _: {"closesAt": LATER},
    _REMINDERS: lambda _: {"about": "votes"},
    f"PUT {_AGENDA}": lambda _: {"items": [{"title": "Opening"}]},
    f"POST {_AGENDA}/carry-over": lambda resources: {"fromMeetingId": earlier_meeting(resources)},
    f"PUT {_MINUTES}": lambda _: {"items": [{"text": "Welcome"}]},
    f"PUT {_DUE}": lambda _: {"dueOn": LATER[:10]},
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/rsvp": lambda _: {"status": "tentative"},
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/action-items": lambda _: {"title": "Item"},
    "PATCH /api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}": lambda _: {"order": 1},
    "PATCH /api/action-items/{actionItemId}/status": lambda _: {"status": "completed"},
    "PATCH /api/board/{boardId}/action-items/{actionItemId}": lambda _: {"status": "completed"},
    "POST /api/v1/boards/{boardId}/documents": lambda _: {"title": "Document"},
    "PATCH /api/v1/boards/{boardId}/documents/{documentId}": lambda _: {"documentType": "minutes"},
    "POST /api/v1/boards/{boardId}/documents/{documentId}/versions": lambda _: NEW_VERSION,
    "POST /api/v1/boards/{boardId}/committees": lambda _: {"name": f"Committee {next(counter)}", "memberIds": []},
    "PATCH /api/v1/boards/{boardId}/committees/{committeeId}": lambda _: {"name": f"Committee {next(counter)}"},
    "POST /api/v1/boards/{boardId}/webhooks": lambda _: NEW_WEBHOOK,
    "PATCH /api/v1/boards/{boardId}/webhooks/{webhookId}": lambda _: {"name": "Renamed"},
    "POST /api/v1/boards/{boardId}/reports": lambda _: {"title": "Report"},
    "PATCH /api/v1/boards/{boardId}/reports/{reportId}": lambda _: {"status": "published"},
    "POST /api/v1/boards/{boardId}/reports/{reportId}/dashboards": lambda _: {"dashboardType": "uniform"},
    "PATCH /api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}": lambda _: {"title": "Renamed"},
    f"PUT {_DASHBOARD}/figures": lambda _: {"csv": SHEET},
    **{f"POST {subject}/comments": lambda _: {"text": "Why?"} for subject in (_MEETING_PATH, _DOCUMENT, _DASHBOARD)},
    **{
        f"PATCH {subject}/comments/{{commentId}}": lambda _: {"text": "How?"}
        for subject in (_MEETING_PATH, _DOCUMENT, _DASHBOARD)
    },
    f"POST {_DASHBOARD}/ownership-transfer": lambda resources: {"userId": editor(resources)},
    "POST /api/v1/boards/{boardId}/cycles": new_cycle,
    "PATCH /api/v1/boards/{boardId}/cycles/{cycleId}": lambda _: {"name": "Renamed"},
    "POST /api/v1/boards/{boardId}/cycles/{cycleId}/publish": lambda _: {"force": True},
    "POST /api/v1/boards/{boardId}/bets": lambda _: NEW_BET,
    "PATCH /api/v1/boards/{boardId}/bets/{betId}": lambda _: {"status": "won"},
    f"POST {_RESOLUTION.removesuffix('/{resolutionId}')}": lambda _: {"title": "Resolution", "text": "We resolve."},
    f"PATCH {_RESOLUTION}": lambda _: {"title": "Renamed"},
    f"PUT {_RESOLUTION}/ballot": lambda _: {"choice": "for"},
    f"PUT {_RESOLUTION}/proxy": lambda resources: {"userId": voter(resources)},
    f"PUT {_RESOLUTION}/recusals/{{userId}}": lambda _: {"reason": "Has an interest"},
    f"POST {_RESOLUTION}/withdraw": lambda _: {"reason": "Came too early"},
    "POST /api/v1/boards/{boardId}/unregistered-users": lambda _: NEW_PERSON,
    "PATCH /api/v1/boards/{boardId}/unregistered-users/{unregisteredUserId}": lambda _: {"receivesMail": False},
    f"PUT {_MEETING_PATH}/action-items/{{actionItemId}}/unregistered-assignee": lambda resources: {
        "unregisteredUserId": resources["unregisteredUserId"]
    },
    "POST /api/v1/boards/{boardId}/unregistered-users/{unregisteredUserId}/merge": lambda resources: {
        "memberId": resources["memberId"]
    },
    "POST /api/invite/{boardId}": lambda _: {"inviteeEmail": f"invited{next(counter)}@example.com"},
    "PUT /api/v1/guest/{token}/slots/{slotId}/vote": lambda _: {"email": "guest@example.org", "vote": "ok"},
    "PUT /api/notification/preferences": lambda _: {"eventCategory": "action_item", "channels": ["in_app"]},
}


@dataclass(frozen=True)
class SampleRequest:
    """A valid request to a route: its path with ids, its body and its query."""

    method: str
    path: str
    body: Any = None
    query: str = ""

    def by(self, client: Client) -> Response:
        """Sends the request as this caller."""
        return client.call(self.method, self.path, self.body, query=self.query)


def put_existing(name: str, path: str, owner: Client) -> None:
    """Creates what a route of a resource without an id reads, changes or deletes."""
    if name.endswith("/minutes"):
        owner.patch(path.removesuffix("/minutes"), {"status": "completed"})
    if name in EXISTING:
        owner.put(path, EXISTING[name])
    if name.startswith("DELETE ") and name.endswith("/resolution"):
        owner.put(path)


def assign_person(name: str, path: str, resources: PathResources) -> None:
    """Gives an action item to a person without an account, which a route reads or takes back."""
    if name.endswith("/unregistered-assignee") and not name.startswith("PUT"):
        resources.owner.put(path, {"unregisteredUserId": resources["unregisteredUserId"]})


def put_vote(name: str, path: str, resources: PathResources) -> None:
    """Casts the ballot, gives the proxy or recuses the voter that a route takes back."""
    by_name: Mapping[str, Any] = {
        "/ballot": {"choice": "for"},
        "/proxy": {"userId": resources.get("voter")},
        "/recusals/{userId}": {"reason": "Has an interest"},
    }
    if body := next((body for end, body in by_name.items() if name.endswith(end)), None):
        resources.caller.client.put(path, body)


def _create_what_changes(name: str, path: str, resources: PathResources) -> None:
    """Creates what the request deletes, or reminds somebody of."""
    if name == "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/guest-link":
        resources["token"]
    if name == "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/rsvp":
        resources.caller.client.put(path, {"status": "accepted"})
    if name == _REMINDERS:  # somebody who has not voted on a slot
        resources["slotId"]
        member(resources)
    if name.startswith("DELETE ") and _RESOLUTION in name:
        put_vote(name, path, resources)


def sample_request(name: str, scenario: BoardScenario, caller: Person | None = None, **named: str) -> SampleRequest:
    """Builds a request to a route and creates the resources in its path, except the ids given in `named`."""
    route = ROUTES_BY_NAME[name]
    assert set(PARAMETER.findall(route.path)) <= CREATORS.keys(), (
        f"{name} has a path parameter that no function creates"
    )
    resources = PathResources(scenario, caller or scenario.owner, name)
    resources.update(named)
    path = resources.fill(route.path)
    if not named:
        _create_what_changes(name, path, resources)
    if name.startswith("POST ") and name.endswith("/exports"):
        end_exports(resources)
    if name.endswith("/meetings/{meetingId}/pack"):
        end_pack(resources)
    if name == f"GET {_DASHBOARD}/access":
        resources["userId"]
    assign_person(name, path, resources)
    put_existing(name, path, resources.owner)
    body = _BODIES[name](resources) if name in _BODIES else None
    assert (body is not None) == (route.body is not None), f"{name} needs a body in the table of samples"
    return SampleRequest(route.method, path, body)
