"""A valid request to every route, shared by the round-trip, authorization and OpenAPI tests."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from governance import ids, instants
from governance.domain import document_version as rules
from governance.domain import unsubscribing
from governance.errors import Code
from governance.http.route import Route
from governance.ids import BoardId
from governance.limits import DOCUMENT_VERSIONS, WEBHOOKS_PER_BOARD
from governance.models.export import StoredExport
from governance.models.notification import StoredNotification
from governance.settings import Secret, settings
from governance.store import document_versions, exports, notifications
from governance.store.schema.entities import EXPORT_RUNNING
from governance.store.table import transact
from governance.store.writes import Delete
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import ROUTES, Client, Response
from tests.harness.uploads import pretend_sent

_PARAMETER = re.compile(r"\{(\w+)\}")
_numbers = itertools.count(1)
LATER = "2099-01-01T09:00:00Z"
ROUTE_NAMES = sorted(f"{route.method} {route.path}" for route in ROUTES)
ROUTES_BY_NAME: Mapping[str, Route] = {f"{route.method} {route.path}": route for route in ROUTES}


class PathResources(dict[str, str]):
    """The ids in a route's path. Each resource is created on first access, by the owner or for the caller."""

    def __init__(self, scenario: BoardScenario, caller: Person, route: str) -> None:
        super().__init__()
        self.board = scenario
        self.caller = caller
        self.route = route

    def __missing__(self, name: str) -> str:
        self[name] = _CREATE[name](self)
        return self[name]

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def path(self, *parts: str) -> str:
        return "/".join([self.board.path, *parts])

    def create(self, path: str, body: dict[str, Any]) -> str:
        """Creates a resource as the owner and returns its id."""
        response = self.owner.post(path, body)
        assert response.status < 300, response.text
        return _id(response)


def _id(response: Response) -> str:
    data = response.json.get("data", response.json)
    return str(data.get("id") or data.get("_id") or data.get("inviteId"))


def _slot_start() -> str:
    return instants.shift(instants.Instant(LATER[:-1] + ".000Z"), minutes=next(_numbers))


def _member(resources: PathResources) -> str:
    return resources.board.join(person(f"target{next(_numbers)}")).id


def _editor(resources: PathResources) -> str:
    """Lets a guest join, who may edit the dashboard already unless the right is to be granted."""
    guest = resources.board.join(person(f"target{next(_numbers)}"), access_type="guest")
    if not resources.route.startswith("PUT"):
        report, dashboard = resources["reportId"], resources["dashboardId"]
        resources.owner.put(resources.path("reports", report, "dashboards", dashboard, "access", guest.user_id))
    return guest.user_id


def _flag(resources: PathResources) -> str:
    """Makes a figure of the dashboard contradict its inputs."""
    dashboard = resources.path("reports", resources["reportId"], "dashboards", resources["dashboardId"])
    stated = {"finance.revenue": 100, "finance.cost-of-revenue": 40, "finance.gross-profit": 70}
    fields = [
        {"fieldId": id_, "rogueId": id_, "isStub": False, "label": id_, "displayOrder": 1, "value": value}
        for id_, value in stated.items()
    ]
    resources.owner.patch(dashboard, {"uniform": {"fields": fields}})
    return str(resources.owner.get(f"{dashboard}/flags").data[0]["id"])


def _comment(resources: PathResources) -> str:
    """Comments on what the route names; the caller does it where they can, because nobody else changes the text."""
    subject, _, _ = resources.route.partition("/comments")
    pattern = subject.partition(" ")[2] or _MEETING_PATH
    path = _PARAMETER.sub(lambda match: resources[match[1]], pattern)
    created = resources.caller.client.post(f"{path}/comments", {"text": "Why?"})
    return _id(created) if created.status == 201 else resources.create(f"{path}/comments", {"text": "Why?"})


def _token(resources: PathResources) -> str:
    """Creates a token; where as many are active as may be, it takes the place of another."""
    body = {"name": "robot", "preset": "read_only", "expiresInDays": None}
    if "/me/" in resources.route:
        return _id(resources.caller.client.post("/api/v1/me/tokens", body))
    path = resources.path("tokens")
    created = resources.owner.post(path, body)
    if created.status != Code.CONFLICT.status:
        assert created.status < 300, created.text
        return _id(created)
    (active, *_) = [token for token in resources.owner.all(path) if token["status"] == "active"]
    resources.owner.delete(f"{path}/{active['id']}")
    return resources.create(path, body)


def _feed(resources: PathResources) -> str:
    return _id(resources.caller.client.post("/api/v1/me/calendar-feeds", {"name": "Mine"}))


def _invite(resources: PathResources) -> str:
    """Invites the outsider where the route answers the invite, elsewhere a new address."""
    answering = resources.route.endswith(("accept/{boardInviteId}", "decline/{boardInviteId}"))
    email = OUTSIDER_EMAIL if answering else f"invited{next(_numbers)}@example.com"
    return resources.create(f"/api/invite/{resources.board.board_id}", {"inviteeEmail": email})


def _code(resources: PathResources) -> str:
    resources.create(f"/api/invite/{resources.board.board_id}", {"inviteeEmail": OUTSIDER_EMAIL})
    return str(resources.owner.get(f"/api/invite/{resources.board.board_id}/code").json["inviteCode"])


def _guest_link(resources: PathResources) -> str:
    path = resources.path("meetings", resources["meetingId"], "guest-link")
    return str(resources.owner.post(path).data["token"])


def _earlier_meeting(resources: PathResources) -> str:
    """Creates a meeting that left something open."""
    path = resources.path("meetings")
    meeting_id = resources.create(path, _MEETING)
    resources.owner.put(f"{path}/{meeting_id}/agenda", {"items": [{"title": "Open"}]})
    return meeting_id


def _unsubscribe_token(resources: PathResources) -> str:
    about = unsubscribing.Subscription(resources.caller.id, "voteRequests")
    return unsubscribing.token(settings().secret(Secret.INVITE_LINK), about)


def _notification(resources: PathResources) -> str:
    now = instants.now()
    notification = StoredNotification(
        id=ids.time_ordered_id(instants.millis(now)),
        user_id=resources.caller.id,
        type="board_update",
        message="The board was changed.",
        refs={"boardId": resources.board.board_id},
        in_app=True,
        mail="none",
        delivered_at=now,
        created_at=now,
        updated_at=now,
    )
    transact([notifications.create(notification)])
    return notification.id


def _export(resources: PathResources) -> str:
    """Stores an export that the caller asked for, of the board or of their own; none runs."""
    of_board = "/boards/" in resources.route
    export = StoredExport(
        id=ids.time_ordered_id(instants.millis(instants.now())),
        user_id=resources.caller.id,
        board_id=resources.board.board_id if of_board else None,
        status="failed",
        created_at=instants.now(),
    )
    transact([exports.create(export)[0]])
    return export.id


def ready_version(board_id: BoardId, document_id: str, creator: Client) -> str:
    """Stores a version whose file has been sent, though there is no bucket; returns its id."""
    created = creator.post(f"/api/v1/boards/{board_id}/documents/{document_id}/versions", _VERSION)
    assert created.status == 201, created.text
    old = rules.existing(document_versions.of_document(board_id, document_id))
    transact([document_versions.replace(old, rules.completed(old, rules.find(old, created.data["id"])))])
    return _id(created)


def _version(resources: PathResources) -> str:
    """Creates a version whose file has been sent; it is ready where it is to be downloaded.

    On a document that has as many as it may have, it takes the place of all others.
    """
    document_id = resources["documentId"]
    found = document_versions.of_document(resources.board.board_id, document_id)
    if found and len(found.versions) == DOCUMENT_VERSIONS:
        transact([document_versions.delete(found)])
    if resources.route.endswith("/content"):
        return ready_version(resources.board.board_id, document_id, resources.owner)
    created = resources.owner.post(resources.path("documents", document_id, "versions"), _VERSION)
    pretend_sent(created.data["upload"], _VERSION["size"])
    return _id(created)


def _end_exports(resources: PathResources) -> None:
    for exported in (resources.board.board_id, resources.caller.id):
        transact([Delete(EXPORT_RUNNING.key_for(exportedId=exported))])


def _cycle(resources: PathResources) -> dict[str, str]:
    return {"name": "Cycle", "reportId": resources.create(resources.path("reports"), {"title": "R"}), "dueAt": LATER}


def _webhook(resources: PathResources) -> str:
    """Creates a webhook; on a board that has as many as it may have, it takes the place of another."""
    path = resources.path("webhooks")
    existing = resources.owner.get(path).data
    if len(existing) == WEBHOOKS_PER_BOARD:
        resources.owner.delete(f"{path}/{existing[0]['id']}")
    return resources.create(path, _WEBHOOK)


OUTSIDER_EMAIL = "outsider@example.com"
_MEETING = {"title": "Meeting", "status": "scheduled"}
_VERSION: dict[str, Any] = {"fileName": "Paper.pdf", "mimeType": "application/pdf", "size": 1, "sha256": "0" * 64}
_BET = {"title": "Bet", "dueOn": LATER[:10]}
_WEBHOOK = {"url": "https://hooks.example.com/boards", "events": ["meeting.*"]}
_CREATE: dict[str, Callable[[PathResources], str]] = {
    "boardId": lambda resources: resources.board.board_id,
    "memberId": _member,
    "tokenId": _token,
    "feedId": _feed,
    "meetingId": lambda resources: resources.create(resources.path("meetings"), _MEETING),
    "slotId": lambda resources: resources.create(
        resources.path("meetings", resources["meetingId"], "slots"),
        {"startTime": _slot_start(), "timezone": "Europe/Paris"},
    ),
    "actionItemId": lambda resources: resources.create(
        resources.path("meetings", resources["meetingId"], "action-items"), {"title": "Item"}
    ),
    "committeeId": lambda resources: resources.create(
        resources.path("committees"), {"name": f"Committee {next(_numbers)}", "memberIds": []}
    ),
    "documentId": lambda resources: resources.create(resources.path("documents"), {"title": "Document"}),
    "versionId": _version,
    "reportId": lambda resources: resources.create(resources.path("reports"), {"title": "Report"}),
    "dashboardId": lambda resources: resources.create(
        resources.path("reports", resources["reportId"], "dashboards"), {"dashboardType": "uniform"}
    ),
    "userId": _editor,
    "cycleId": lambda resources: resources.create(resources.path("cycles"), _cycle(resources)),
    "betId": lambda resources: resources.create(resources.path("bets"), _BET),
    "flagId": _flag,
    "commentId": _comment,
    "webhookId": _webhook,
    "deliveryId": lambda resources: resources.create(resources.path("webhooks", resources["webhookId"], "test"), {}),
    "exportId": _export,
    "boardInviteId": _invite,
    "inviteCode": _code,
    "token": _guest_link,
    "unsubscribeToken": _unsubscribe_token,
    "notificationId": _notification,
}

_DASHBOARD = "/api/v1/boards/{boardId}/reports/{reportId}/dashboards/{dashboardId}"
_DISMISSAL = f"{_DASHBOARD}/flags/{{flagId}}/dismissal"
_DOCUMENT = "/api/v1/boards/{boardId}/documents/{documentId}"
_MEETING_PATH = "/api/v1/boards/{boardId}/meetings/{meetingId}"
_POLL = "/api/v1/boards/{boardId}/meetings/{meetingId}/poll"
_DUE = "/api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}/due"
_AGENDA = "/api/v1/boards/{boardId}/meetings/{meetingId}/agenda"
_MINUTES = "/api/v1/boards/{boardId}/meetings/{meetingId}/minutes"
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
        "startTime": _slot_start(),
        "timezone": "Europe/Paris",
    },
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/slots/{slotId}/vote": lambda _: {"vote": "challenging"},
    f"PUT {_POLL}": lambda _: {"closesAt": LATER},
    _REMINDERS: lambda _: {"about": "votes"},
    f"PUT {_AGENDA}": lambda _: {"items": [{"title": "Opening"}]},
    f"POST {_AGENDA}/carry-over": lambda resources: {"fromMeetingId": _earlier_meeting(resources)},
    f"PUT {_MINUTES}": lambda _: {"items": [{"text": "Welcome"}]},
    f"PUT {_DUE}": lambda _: {"dueOn": LATER[:10]},
    "PUT /api/v1/boards/{boardId}/meetings/{meetingId}/rsvp": lambda _: {"status": "tentative"},
    "POST /api/v1/boards/{boardId}/meetings/{meetingId}/action-items": lambda _: {"title": "Item"},
    "PATCH /api/v1/boards/{boardId}/meetings/{meetingId}/action-items/{actionItemId}": lambda _: {"order": 1},
    "PATCH /api/action-items/{actionItemId}/status": lambda _: {"status": "completed"},
    "PATCH /api/board/{boardId}/action-items/{actionItemId}": lambda _: {"status": "completed"},
    "POST /api/v1/boards/{boardId}/documents": lambda _: {"title": "Document"},
    "PATCH /api/v1/boards/{boardId}/documents/{documentId}": lambda _: {"documentType": "minutes"},
    "POST /api/v1/boards/{boardId}/documents/{documentId}/versions": lambda _: _VERSION,
    "POST /api/v1/boards/{boardId}/committees": lambda _: {"name": f"Committee {next(_numbers)}", "memberIds": []},
    "PATCH /api/v1/boards/{boardId}/committees/{committeeId}": lambda _: {"name": f"Committee {next(_numbers)}"},
    "POST /api/v1/boards/{boardId}/webhooks": lambda _: _WEBHOOK,
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
    f"POST {_DASHBOARD}/ownership-transfer": lambda resources: {"userId": _editor(resources)},
    "POST /api/v1/boards/{boardId}/cycles": _cycle,
    "PATCH /api/v1/boards/{boardId}/cycles/{cycleId}": lambda _: {"name": "Renamed"},
    "POST /api/v1/boards/{boardId}/cycles/{cycleId}/publish": lambda _: {"force": True},
    "POST /api/v1/boards/{boardId}/bets": lambda _: _BET,
    "PATCH /api/v1/boards/{boardId}/bets/{betId}": lambda _: {"status": "won"},
    "POST /api/invite/{boardId}": lambda _: {"inviteeEmail": f"invited{next(_numbers)}@example.com"},
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


def sample_request(name: str, scenario: BoardScenario, caller: Person | None = None, **named: str) -> SampleRequest:
    """Builds a request to a route and creates the resources in its path, except the ids given in `named`."""
    route = ROUTES_BY_NAME[name]
    assert set(_PARAMETER.findall(route.path)) <= _CREATE.keys(), (
        f"{name} has a path parameter that no function creates"
    )
    resources = PathResources(scenario, caller or scenario.owner, name)
    resources.update(named)
    path = _PARAMETER.sub(lambda match: resources[match[1]], route.path)
    if name == "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/guest-link" and not named:
        resources["token"]
    if name == "DELETE /api/v1/boards/{boardId}/meetings/{meetingId}/rsvp" and not named:
        resources.caller.client.put(path, {"status": "accepted"})
    if name == "DELETE /api/v1/unsubscribe/{unsubscribeToken}":
        resources.owner.post(path)
    if name.startswith("POST ") and name.endswith("/exports"):
        _end_exports(resources)
    if name == f"GET {_DASHBOARD}/access":
        resources["userId"]
    if name == _REMINDERS and not named:  # somebody who has not voted on a slot
        resources["slotId"]
        _member(resources)
    put_existing(name, path, resources.owner)
    body = _BODIES[name](resources) if name in _BODIES else None
    assert (body is not None) == (route.body is not None), f"{name} needs a body in the table of samples"
    return SampleRequest(route.method, path, body)
