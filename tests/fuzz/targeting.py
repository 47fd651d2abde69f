"""Points most cases at existing resources; otherwise nearly every case would end with a 404.

Resources that a case deletes are created again, and all of them from time to time: a finalized meeting refuses changes.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import schemathesis

from governance import instants
from tests.fuzz.actors import Actors
from tests.harness.path_resources import PathResources
from tests.harness.sample_bodies import SHEET
from tests.harness.sample_requests import ROUTES_BY_NAME, assign_person, put_existing

_LEFT_AS_DRAWN = 8
_RENEWED_AFTER = 20
_LONG_TAGS_AFTER = 5
_LONG_TAGS = '"a"' + ", " * 3_000 + "x"
"""A malformed conditional header, which must be refused as fast as a short one."""
_FRAMING = ("Connection", "Content-Length", "Expect", "Host", "Transfer-Encoding", "Upgrade")
"""Headers that are the client's and API Gateway's own: a malformed one never reaches the service."""
_OUR_ID = re.compile("[0-9a-f]{24}")
_ONCE_ONLY = ("accept/{boardInviteId}", "join/{inviteCode}")
"""Afterwards the caller is a member, who cannot be invited again."""
_BY_MAIL = ("GET /api/v1/invite/preview/{inviteCode}", "GET /api/v1/invite/status/{inviteCode}")
"""The routes behind the link in an invitation e-mail."""
_NOT_REDIRECTED_IN_CHAINS = ("DELETE /api/v1/boards/{boardId}", "DELETE /api/v1/me/tokens/{tokenId}")
"""The shared board must stay, and the resources do not include the caller's own tokens."""
_USED_UP = ("decline/{boardInviteId}", "retract/{boardInviteId}", "send-email")
_STARTS = (instants.shift(instants.Instant("2099-01-01T09:00:00.000Z"), minutes=number) for number in itertools.count())
_MEMBERS: dict[str, Callable[[PathResources], Any]] = {
    "memberId": lambda resources: resources["memberId"],
    "memberIds": lambda resources: [resources["memberId"]],
    "documentId": lambda resources: resources["paper"],
    "assigneeUserId": lambda resources: resources.board.owner.id,
    "unregisteredUserId": lambda resources: resources["unregisteredUserId"],
    "userId": lambda resources: resources.get("voter", resources.board.owner.id),
    "committeeId": lambda resources: resources.create(
        resources.path("committees"), {"name": resources["memberId"], "memberIds": [_owner_membership(resources)]}
    ),
    "fromMeetingId": lambda resources: resources.create(
        resources.path("meetings"), {"title": "Earlier", "status": "scheduled"}
    ),
    "reportId": lambda resources: resources.create(resources.path("reports"), {"title": "Report"}),
    "dueAt": lambda _: next(_STARTS),
    "meetingId": lambda resources: resources["plannedMeetingId"],
    "meetingIds": lambda resources: [resources["meetingId"]],
    "templateId": lambda resources: resources["templateId"],
    "attendance": lambda resources: [{"userId": resources.board.owner.id, "present": "remote"}],
    "agendaItemId": lambda _: None,
    "actionItemIds": lambda _: [],
    "csv": lambda _: SHEET,
    "timezone": lambda _: "Europe/Paris",
    "language": lambda _: "fr-CH",
    "avatarUrl": lambda _: "https://pictures.example.com/1.png",
    "startTime": lambda _: next(_STARTS),
    "endTime": lambda _: instants.shift(next(_STARTS), days=1),
}
"""Body fields with rules that no schema expresses, at any depth, each with a function that returns a valid value."""
_DAYS = {"from": "2098-01-01", "to": "2098-06-01"}
"""A range of days that is no longer than one may be, and has occurrences."""


def _owner_membership(resources: PathResources) -> str:
    members = resources.owner.get(resources.path("members")).data
    return str({member["userId"]: member["id"] for member in members}[resources.board.owner.id])


class TargetResources(PathResources):
    """The resources that the cases of a route name. A route that deletes a board gets a board of its own."""

    def __init__(self, actors: Actors, caller: str, route: str) -> None:
        super().__init__(actors.board, actors.people[caller], route)
        self._outbox = actors.outbox

    def __missing__(self, name: str) -> str:
        if name == "i":
            self.owner.post(f"/api/invite/{super().__getitem__('boardInviteId')}/send-email")
            self["inviteCode"], self[name] = self._outbox.link()
            return self[name]
        if name == "boardId" and self.route == "DELETE /api/v1/boards/{boardId}":
            self[name] = self.create("/api/v1/boards", {"name": "Short-lived"})
            return self[name]
        if name == "meetingId" and self.route.endswith("guest-link"):
            self[name] = self.create(self.path("meetings"), {"title": "Meeting", "status": "scheduled"})
            self["token"] = str(self.owner.post(self.path("meetings", self[name], "guest-link")).data["token"])
            return self[name]
        return super().__missing__(name)


def target_route(resources: PathResources) -> None:
    """Points the cases of one route at these resources. schemathesis registers the hook for the whole process."""
    counts = Counter[str]()

    def redirect(case: Any) -> None:
        counts["cases"] += 1
        if _is_used_up(resources.route) or (
            counts["cases"] % _RENEWED_AFTER == 0 and not resources.route.endswith(_ONCE_ONLY)
        ):
            resources.clear()
        if ROUTES_BY_NAME[resources.route].tagged and counts["cases"] % _LONG_TAGS_AFTER == 0:
            case.headers["If-None-Match"] = _LONG_TAGS
        if counts["cases"] % _LEFT_AS_DRAWN == 0:
            return
        if resources.route in _BY_MAIL:
            case.query = {**(case.query or {}), "i": resources["i"]}
        if case.path_parameters:
            case.path_parameters = {name: resources[name] for name in case.path_parameters}
            assign_person(resources.route, case.formatted_path, resources)
            put_existing(resources.route, case.formatted_path, resources.owner)
        if counts["cases"] % 2:
            _fill(case, resources)

    _hook(redirect)


def target_chains(resources: PathResources) -> None:
    """Points the steps of chains at these resources where no earlier step of the chain gave an id."""
    counts = Counter[str]()

    def redirect(case: Any) -> None:
        counts["since"] += 1
        if counts["since"] > counts["until"]:
            resources.clear()
            counts["since"] = 0
        # The next step cannot use what this one deletes.
        counts["until"] = 0 if case.method == "DELETE" else _RENEWED_AFTER
        # The idempotency key of an earlier chain would replay a resource that the chain deleted.
        case.headers.pop("Idempotency-Key", None)
        # A chain may have transferred or deleted the board; then the owner can create nothing on it.
        with suppress(AssertionError, LookupError):
            if case.path_parameters and case.operation.label not in _NOT_REDIRECTED_IN_CHAINS:
                case.path_parameters = {
                    name: value if _OUR_ID.fullmatch(str(value)) else resources[name]
                    for name, value in case.path_parameters.items()
                }
            _fill(case, resources)

    _hook(redirect)


def _is_used_up(route: str) -> bool:
    return route.startswith("DELETE") or route.endswith(_USED_UP)


def _hook(redirect: Callable[[Any], None]) -> None:
    schemathesis.hooks.unregister_all()

    @schemathesis.hook
    def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
        # API Gateway ends a path at a question mark, even an encoded one: the case would be one of another route.
        if any("%3F" in str(value) for value in (case.path_parameters or {}).values()):
            case.path_parameters = {n: str(value).replace("%3F", "!") for n, value in case.path_parameters.items()}
        for name in _FRAMING:
            case.headers.pop(name, None)
        redirect(case)


def _fill(case: Any, resources: PathResources) -> None:
    """Puts values that follow the rules into a query and a body that match their schemas."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if (case.query or {}).keys() >= _DAYS.keys():
        case.query = {**case.query, **_DAYS}
    if isinstance(case.body, dict):
        case.body = _filled(case.body, resources)


def _filled(value: Any, resources: PathResources) -> Any:
    if isinstance(value, list):
        return [_filled(entry, resources) for entry in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _MEMBERS[name](resources) if name in _MEMBERS and member is not None else _filled(member, resources)
        for name, member in value.items()
    }
