"""The resources that the path of a route names, each created on first access."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from governance import ids, instants
from governance.domain.notifications import unsubscribing
from governance.errors import Code
from governance.ids import BoardId, PersonId, UserId
from governance.limits import DOCUMENT_VERSIONS, WEBHOOKS_PER_BOARD
from governance.models.exports.export import StoredExport
from governance.models.members.unregistered_user import Bounce
from governance.settings import Secret, settings
from governance.store.boards import boards
from governance.store.documents import document_versions
from governance.store.exports import exports
from governance.store.history import leaves
from governance.store.history.leaves import Mark
from governance.store.members import unregistered_users
from governance.store.notifications import notifications
from governance.store.schema.keys import key_of
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import ROUTES, Client, Response
from tests.harness.history import audit_items
from tests.harness.minutes import approving_meeting, store_remark, store_version
from tests.harness.paper_tokens import link_to, store_request
from tests.harness.sample_bodies import LATER, NEW_VERSION, SERIES, body_of, counter
from tests.harness.stored_versions import ready_version, sealed_minutes, sent_version
from tests.harness.uploads import pretend_sent
from tests.store.stored_items import NOTIFICATION

PARAMETER = re.compile(r"\{(\w+)\}")
_OF_LIST = re.compile(rf"(.+)/{PARAMETER.pattern}")
_CREATING = {route.path for route in ROUTES if route.method == "POST"}
_OF_LISTS = [of_list for route in ROUTES if (of_list := _OF_LIST.fullmatch(route.path))]
LISTS = {of_list[2]: of_list[1] for of_list in _OF_LISTS if of_list[1] in _CREATING}
"""The path of the list that a parameter names an entry of."""


class PathResources(dict[str, str]):
    """The ids in a route's path. Each resource is created on first access, by the owner or for the caller."""

    def __init__(self, scenario: BoardScenario, caller: Person, route: str) -> None:
        super().__init__()
        self.board = scenario
        self.caller = caller
        self.route = route

    def __missing__(self, name: str) -> str:
        self[name] = CREATORS[name](self) if name in CREATORS else self.create_in_list(name)
        return self[name]

    @property
    def on_board(self) -> BoardId:
        return BoardId(self.board.board_id)

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def path(self, *parts: str) -> str:
        return "/".join([self.board.path, *parts])

    def fill(self, pattern: str) -> str:
        """Returns a route's path with the ids of its resources."""
        return PARAMETER.sub(lambda match: self[match[1]], pattern)

    def create(self, path: str, body: dict[str, Any]) -> str:
        """Creates a resource as the owner and returns its id."""
        response = self.owner.post(path, body)
        assert response.status < 300, response.text
        return _id(response)

    def create_in_list(self, name: str) -> str:
        """Creates a resource of the board as the owner in the list of its kind, with the valid body for that.

        The route may name another board, or none.
        """
        path = LISTS[name].replace("{boardId}", self.board.board_id)
        return self.create(self.fill(path), body_of(f"POST {LISTS[name]}", self))


def _id(response: Response) -> str:
    data = response.json.get("data", response.json)
    return str(data.get("id") or data.get("_id") or data.get("inviteId"))


def member(resources: PathResources) -> str:
    return resources.board.join(person(f"target{next(counter)}")).id


def _editor(resources: PathResources) -> str:
    """Lets a guest join, who may edit the dashboard already unless the right is to be granted."""
    guest = resources.board.join(person(f"target{next(counter)}"), access_type="guest")
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
    path = resources.fill(subject.partition(" ")[2] or "/api/v1/boards/{boardId}/meetings/{meetingId}")
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
    email = OUTSIDER_EMAIL if answering else f"invited{next(counter)}@example.com"
    return resources.create(f"/api/invite/{resources.board.board_id}", {"inviteeEmail": email})


def _code(resources: PathResources) -> str:
    resources.create(f"/api/invite/{resources.board.board_id}", {"inviteeEmail": OUTSIDER_EMAIL})
    return str(resources.owner.get(f"/api/invite/{resources.board.board_id}/code").json["inviteCode"])


def _guest_link(resources: PathResources) -> str:
    path = resources.path("meetings", resources["meetingId"], "guest-link")
    return str(resources.owner.post(path).data["token"])


def _earlier_meeting(resources: PathResources) -> str:
    """Creates a meeting that left something open."""
    meeting_id = resources.create_in_list("meetingId")
    resources.owner.put(resources.path("meetings", meeting_id, "agenda"), {"items": [{"title": "Open"}]})
    return meeting_id


def _meeting(resources: PathResources) -> str:
    """Creates a meeting; one of a series where the route reads that."""
    if not resources.route.endswith("/meetings/{meetingId}/series"):
        return resources.create_in_list("meetingId")
    path = resources.path("series", resources["seriesId"], "occurrences", resources["key"], "open")
    return resources.create(path, {})


def _agenda_item(resources: PathResources) -> str:
    """Gives the meeting an agenda of one item."""
    agenda = resources.path("meetings", resources["meetingId"], "agenda")
    return str(resources.owner.put(agenda, {"items": [{"title": "Open"}]}).data["items"][0]["id"])


def _unsubscribe_token(resources: PathResources) -> str:
    about = unsubscribing.Subscription(resources.caller.id, "voteRequests")
    address = resources.caller.email
    return unsubscribing.token(settings().secret(Secret.INVITE_LINK), about, address, instants.now())


def _notification(resources: PathResources) -> str:
    now = instants.now()
    told: dict[str, Any] = {
        "id": ids.time_ordered_id(instants.millis(now)),
        "user_id": resources.caller.id,
        "delivered_at": now,
    }
    told |= {"refs": {"boardId": resources.board.board_id}, "created_at": now, "updated_at": now}
    notification = NOTIFICATION.model_copy(update=told)
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


def _version(resources: PathResources) -> str:
    """Creates a version whose file has been sent; it is ready where it is to be downloaded.

    On a document that has as many as it may have, it takes the place of all others.
    """
    if "/paper-requests/" in resources.route or "{paperToken}" in resources.route or "paperToken" in resources:
        return sent_version(resources.board.board_id, resources["paperRequestId"], _asked(resources))
    if "/signed-file/" in resources.route:
        return sealed_minutes(resources.board.board_id, resources["meetingId"], resources.owner, is_copy=True)
    document_id = resources["documentId"]
    document = document_versions.of_document(resources.board.board_id, document_id)
    if document and len(document.versions) == DOCUMENT_VERSIONS:
        transact([document_versions.delete(document)])
    if resources.route.endswith("/content"):
        return ready_version(resources.board.board_id, document_id, resources.owner)
    created = resources.owner.post(resources.path("documents", document_id, "versions"), NEW_VERSION)
    pretend_sent(created.data["upload"], NEW_VERSION["size"])
    return _id(created)


def _resolution(resources: PathResources) -> str:
    """Drafts a resolution on which the owner votes, and the caller and a guest where they can be named.

    It is a draft where only a draft will do, else it is open, or closed for its certificate.
    """
    board, route = resources.board, resources.route
    caller = {"userId": UserId(resources.caller.id)}
    others = [caller] if boards.members_among(board.board_id, [resources.caller.id]) else []
    if route.endswith("/proxy"):
        others.append({"userId": UserId(resources["voter"])})
    voters = [*others, *([] if caller["userId"] == board.owner.id and others else [{"userId": board.owner.id}])]
    is_counted = "/certificate" in route or route.endswith("/close")
    body = {
        "title": "Resolution",
        "text": "The board resolves.",
        "voters": [{"userId": board.owner.id}] if is_counted else voters,
        "closesAt": instants.shift(instants.now(), days=30),
        "rule": {"proxies": True},
    }
    id_ = resources.create(resources.path("resolutions"), body)
    path = resources.path("resolutions", id_)
    if (route.startswith(("PATCH ", "DELETE ")) and route.endswith("{resolutionId}")) or route.endswith("/open"):
        return id_
    resources.owner.post(f"{path}/open")
    if is_counted:
        resources.owner.put(f"{path}/ballot", {"choice": "for"})
    if "/certificate" in route:
        resources.owner.post(f"{path}/close")
    return id_


def _asked(resources: PathResources) -> UserId:
    """Returns a member who is asked for a paper: the caller where they are one, else the owner."""
    caller = UserId(resources.caller.id)
    return caller if boards.members_among(resources.board.board_id, [caller]) else resources.board.owner.id


def _paper(resources: PathResources) -> str:
    """Creates a document with a file that can be read."""
    document = resources.create(resources.path("documents"), {"title": "Paper"})
    version = ready_version(resources.board.board_id, document, resources.owner)
    resources.owner.patch(resources.path("documents", document), {"latestVersionId": version})
    return document


def _paper_request(resources: PathResources) -> str:
    """Stores a request for a paper of the caller, whatever the status of its meeting; delivered where it is decided."""
    delivered = resources["paper"] if resources.route.endswith("/decision") else None
    return store_request(resources.board, resources["meetingId"], _asked(resources), delivered)


def _paper_token(resources: PathResources) -> str:
    """Asks a person without an account for a paper; returns the token of their link."""
    person = {"firstName": "Anna", "email": f"anna{next(counter)}@example.com"}
    person_id = PersonId(resources.create(resources.path("unregistered-users"), person))
    return link_to(resources.on_board, resources["paperRequestId"], person_id)


def _voter(resources: PathResources) -> str:
    """Lets a guest join to whom a proxy may be given."""
    return resources.board.join(person(f"target{next(counter)}"), access_type="guest").user_id


def _user(resources: PathResources) -> str:
    """Returns an editor of a dashboard, or a voter of a resolution: the caller where they are one, else the owner."""
    if "/recusals/" not in resources.route:
        return _editor(resources)
    known = boards.members_among(resources.board.board_id, [resources.caller.id])
    return resources.caller.id if known else resources.board.owner.id


def _flag_person(board_id: str, person_id: str) -> None:
    """Flags a person as a mail that bounced does."""
    old = unregistered_users.find(BoardId(board_id), PersonId(person_id))
    assert old is not None
    bounce = Bounce(kind="bounce", at=instants.now(), reason="General")
    transact(unregistered_users.replace(old, old.model_copy(update={"bounce": bounce, "version": old.version + 1})))


def _unregistered_user(resources: PathResources) -> str:
    """Adds a person without an account, archived where the route makes them active again."""
    person_id = resources.create_in_list("unregisteredUserId")
    if resources.route.endswith("/bounce-flag"):
        _flag_person(resources.board.board_id, person_id)
    if resources.route.endswith("/unarchive"):
        resources.owner.post(resources.path("unregistered-users", person_id, "archive"))
    return person_id


def _webhook(resources: PathResources) -> str:
    """Creates a webhook; on a board that has as many as it may have, it takes the place of another."""
    path = resources.path("webhooks")
    existing = resources.owner.get(path).data
    if len(existing) == WEBHOOKS_PER_BOARD:
        resources.owner.delete(f"{path}/{existing[0]['id']}")
    return resources.create_in_list("webhookId")


def _logged_entry(resources: PathResources) -> str:
    """Returns the id of an entry of the audit log whose row says that it is logged."""
    resources.create_in_list("meetingId")
    row = audit_items(resources.board.board_id)[-1]
    leaves.mark([Mark(key_of(row), False, ((0, 0),))])
    return str(row["SK"].rpartition("#")[2])


OUTSIDER_EMAIL = "outsider@example.com"
CREATORS: dict[str, Callable[[PathResources], str]] = {
    "boardId": lambda resources: resources.board.board_id,
    "memberId": member,
    "tokenId": _token,
    "feedId": _feed,
    "entryId": _logged_entry,
    "versionId": _version,
    "userId": _user,
    "resolutionId": _resolution,
    "flagId": _flag,
    "paperRequestId": _paper_request,
    "asked": _asked,
    "paper": _paper,
    "commentId": _comment,
    "unregisteredUserId": _unregistered_user,
    "webhookId": _webhook,
    "deliveryId": lambda resources: resources.create(resources.path("webhooks", resources["webhookId"], "test"), {}),
    "exportId": _export,
    "boardInviteId": _invite,
    "inviteCode": _code,
    "token": _guest_link,
    "paperToken": _paper_token,
    "unsubscribeToken": _unsubscribe_token,
    "meetingId": _meeting,
    "key": lambda _: SERIES["start"],
    "fromMeetingId": _earlier_meeting,
    "signer": lambda resources: resources.board.owner.id,
    "inMeetingId": lambda resources: approving_meeting(resources.owner, resources.path("meetings")),
    "plannedMeetingId": lambda resources: resources.create(
        resources.path("meetings"), {"title": "Planned", "status": "scheduled", "startTime": LATER}
    ),
    "itemId": _agenda_item,
    "year": lambda _: LATER[:4],
    "version": lambda resources: store_version(
        resources.board.board_id, resources["meetingId"], resources.board.owner.id
    ),
    "remarkId": lambda resources: store_remark(resources.on_board, resources["meetingId"], resources.caller.id),
    "voter": _voter,
    "notificationId": _notification,
}
