"""A valid request to every route, shared by the round-trip, authorization and OpenAPI tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.http.route import Route
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import ROUTES, Client, Response
from tests.harness.minutes import approve_minutes, circulate_minutes
from tests.harness.path_resources import (
    CREATORS,
    LISTS,
    PARAMETER,
    PathResources,
    member,
)
from tests.harness.sample_bodies import LATER, body_of
from tests.harness.stored_versions import sealed_minutes
from tests.harness.workers_done import add_pack, end_exports, end_pack

ROUTE_NAMES = sorted(f"{route.method} {route.path}" for route in ROUTES)
ROUTES_BY_NAME: Mapping[str, Route] = {f"{route.method} {route.path}": route for route in ROUTES}

_DASHBOARD = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}"
_DISMISSAL = f"{_DASHBOARD}/flags/{{flagId}}/dismissal"
_POLL = "/api/v1/boards/{boardId}/meetings/{meetingId}/poll"
_DUE = "/api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}/due"
_CANCELLATION = "/api/v1/boards/{boardId}/meetings/{meetingId}/cancellation"
_AGENDA = "/api/v1/boards/{boardId}/meetings/{meetingId}/agenda"
_MINUTES = "/api/v1/boards/{boardId}/meetings/{meetingId}/minutes"
_RESOLUTION = "/api/v1/boards/{boardId}/resolutions/{resolutionId}"
_REMINDERS = "POST /api/v1/boards/{boardId}/meetings/{meetingId}/reminders"
EXISTING: dict[str, dict[str, Any]] = {
    f"PUT {_POLL}": {"closesAt": LATER, "remind": False},
    f"GET {_POLL}": {"closesAt": LATER},
    f"DELETE {_POLL}": {"closesAt": LATER},
    f"GET {_CANCELLATION}": {},
    f"DELETE {_CANCELLATION}": {},
    f"GET {_MINUTES}": {"items": []},
    f"PUT {_MINUTES}": {"items": []},
    f"DELETE {_MINUTES}": {"items": []},
    f"PUT {_AGENDA}": {"items": []},
    f"DELETE {_DUE}": {"dueOn": LATER[:10]},
    f"DELETE {_DISMISSAL}": {"reason": "Rounded by hand"},
}
"""Routes of a resource without an id, with the body of the PUT that creates it."""


QUERIES = {"GET /api/v1/boards/{boardId}/series/{seriesId}/occurrences": "from=2098-01-01&to=2099-01-01"}
"""The queries of routes that need one."""


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


_OF_APPROVED = ("/minutes/corrections", "/minutes/document")
"""The ends of routes that are about approved minutes."""


def put_existing(name: str, path: str, owner: Client) -> None:
    """Creates what a route of a resource without an id reads, changes or deletes."""
    if name.endswith("/minutes"):
        owner.patch(path.removesuffix("/minutes"), {"status": "completed"})
    if name in EXISTING:
        owner.put(path, EXISTING[name])
    if name.endswith(("/minutes/restoration", "/minutes/approval", "/minutes/circulation")):
        minutes = path.rpartition("/")[0]
        put_existing(f"DELETE {_MINUTES}", minutes, owner)
        if name.endswith("/restoration"):
            owner.delete(minutes)
    if name.endswith(_OF_APPROVED) or name in (f"POST {_MINUTES}/remarks", f"POST {_MINUTES}/approval"):
        _circulate(name, path, owner)
    if name.startswith("DELETE ") and name.endswith("/resolution"):
        owner.put(path)


def _circulate(name: str, path: str, owner: Client) -> None:
    """Circulates the minutes that a route is about; approves them if it is about approved ones, and corrects them."""
    minutes = path.rpartition("/")[0]
    owner.patch(minutes.removesuffix("/minutes"), {"startTime": "2098-01-07T09:00:00Z"})
    put_existing("/minutes/circulation", path, owner)
    is_circulated = owner.post(f"{minutes}/circulation").status == 201
    if is_circulated and name.endswith(_OF_APPROVED):
        approve_minutes(owner, minutes)
    if name == f"GET {_MINUTES}/corrections":
        owner.post(path, {"items": [{"text": "Welcome back"}]})


def assign_person(name: str, path: str, resources: PathResources) -> None:
    """Gives an action item to a person without an account, which a route reads or takes back."""
    if name.endswith("/unregistered-assignee") and not name.startswith("PUT"):
        resources.owner.put(path, {"unregisteredUserId": resources["unregisteredUserId"]})


def make_signable(name: str, path: str, resources: PathResources) -> None:
    """Approves the minutes that a route signs, and makes every member of the board a signer."""
    if not name.endswith("/minutes/signatures"):
        return
    owner, board = resources.owner, path.partition("/meetings/")[0]
    _circulate(f"POST {_MINUTES}/corrections", path, owner)
    members = owner.get(f"{board}/members").json.get("data", [])
    signers = [{"userId": member["userId"], "role": "Member"} for member in members]
    owner.put(f"{board}/minutes-signers", {"signers": signers[:10]})


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
    if name.startswith("DELETE ") and name.endswith("/occurrences/{key}"):
        resources.owner.put(path, {"cancelled": True})
    if name == _REMINDERS:  # somebody who has not voted on a slot
        resources["slotId"]
        member(resources)
    if name.startswith("DELETE ") and _RESOLUTION in name:
        put_vote(name, path, resources)


def sample_request(name: str, scenario: BoardScenario, caller: Person | None = None, **named: str) -> SampleRequest:
    """Builds a request to a route and creates the resources in its path, except the ids given in `named`."""
    route = ROUTES_BY_NAME[name]
    assert set(PARAMETER.findall(route.path)) <= {*CREATORS, *LISTS}, (
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
    if name.endswith("/pack/publication"):
        add_pack(resources)
    if name.endswith("/minutes/signed-file"):
        sealed_minutes(resources.board.board_id, resources["meetingId"], resources.owner)
    if name == f"POST {_AGENDA}/approvals":
        circulate_minutes(resources.owner, resources.path("meetings"))
    if name == f"GET {_DASHBOARD}/access":
        resources["userId"]
    assign_person(name, path, resources)
    make_signable(name, path, resources)
    put_existing(name, path, resources.owner)
    body = body_of(name, resources) if route.body else None
    return SampleRequest(route.method, path, body, QUERIES.get(name, ""))
