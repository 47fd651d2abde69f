"""Most cases name things that are there: otherwise nearly every one would end at a 404, or at a rule about ids.

What a case removes is made anew, and all of it now and then: a meeting that was finalized takes no more cases.
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
from tests.harness.sample_requests import PathResources

_LEFT_AS_DRAWN = 8
_RENEWED_AFTER = 20
_OUR_ID = re.compile("[0-9a-f]{24}")
_ONCE_ONLY = ("accept/{boardInviteId}", "join/{inviteCode}")
"""Afterwards the caller is a member: nobody can invite him again."""
_BY_MAIL = ("GET /api/v1/invite/preview/{inviteCode}", "GET /api/v1/invite/status/{inviteCode}")
"""What the link in an invite's mail opens."""
_OF_CHAINS_ALONE = ("DELETE /api/v1/boards/{boardId}", "DELETE /api/v1/me/tokens/{tokenId}")
"""The board that all stand on stays; and a caller's own tokens are not made by the maker of things."""
_USED_UP = ("decline/{boardInviteId}", "retract/{boardInviteId}", "send-email")
_STARTS = (instants.shift("2099-01-01T09:00:00.000Z", minutes=number) for number in itertools.count())
_MEMBERS: dict[str, Callable[[PathResources], Any]] = {
    "memberId": lambda things: things["memberId"],
    "memberIds": lambda things: [things["memberId"]],
    "assigneeUserId": lambda things: things.board.owner.id,
    "committeeId": lambda things: things.made(
        things.path("committees"), {"name": things["memberId"], "memberIds": [_own_seat(things)]}
    ),
    "meetingIds": lambda things: [things["meetingId"]],
    "timezone": lambda _: "Europe/Paris",
    "language": lambda _: "fr-CH",
    "avatarUrl": lambda _: "https://pictures.example.com/1.png",
    "startTime": lambda _: next(_STARTS),
    "endTime": lambda _: instants.shift(next(_STARTS), days=1),
}
"""Members of bodies whose rules no schema says; each with a value that keeps them."""


def _own_seat(things: PathResources) -> str:
    members = things.owner.get(things.path("members")).data
    return str({member["userId"]: member["id"] for member in members}[things.board.owner.id])


class Targets(PathResources):
    """The things that cases of a route are aimed at; a board that is deleted is not the one they all stand on."""

    def __init__(self, actors: Actors, caller: str, route: str) -> None:
        super().__init__(actors.board, actors.people[caller], route)
        self._outbox = actors.outbox

    def __missing__(self, name: str) -> str:
        if name == "i":
            self.owner.post(f"/api/invite/{super().__getitem__('boardInviteId')}/send-email")
            self["inviteCode"], self[name] = self._outbox.link()
            return self[name]
        if name == "boardId" and self.route == "DELETE /api/v1/boards/{boardId}":
            self[name] = self.made("/api/v1/boards", {"name": "Short-lived"})
            return self[name]
        if name == "meetingId" and self.route.endswith("guest-link"):
            self[name] = self.made(self.path("meetings"), {"title": "Meeting", "status": "scheduled"})
            self["token"] = str(self.owner.post(self.path("meetings", self[name], "guest-link")).data["token"])
            return self[name]
        return super().__missing__(name)


def aim(things: PathResources) -> None:
    """Point the cases of one route at these things; schemathesis takes such a hook for the whole process only."""
    seen = Counter[str]()

    def point(case: Any) -> None:
        seen["cases"] += 1
        if _is_used_up(things.route) or (seen["cases"] % _RENEWED_AFTER == 0 and not things.route.endswith(_ONCE_ONLY)):
            things.clear()
        if seen["cases"] % _LEFT_AS_DRAWN == 0:
            return
        if things.route in _BY_MAIL:
            case.query = {**(case.query or {}), "i": things["i"]}
        if case.path_parameters:
            case.path_parameters = {name: things[name] for name in case.path_parameters}
        if seen["cases"] % 2:
            _fill(case, things)

    _hook(point)


def aim_chains(things: PathResources) -> None:
    """Point the steps of chains at these things where no earlier step gave an id."""
    seen = Counter[str]()

    def point(case: Any) -> None:
        seen["since"] += 1
        if seen["since"] > seen["until"]:
            things.clear()
            seen["since"] = 0
        # What this step removes is no place for the next one.
        seen["until"] = 0 if case.method == "DELETE" else _RENEWED_AFTER
        # Under the key of an earlier chain comes back what that one made, and removed.
        case.headers.pop("Idempotency-Key", None)
        # A chain may have given the board away, and its owner's rights with it: then nothing more can be made.
        with suppress(AssertionError, LookupError):
            if case.path_parameters and case.operation.label not in _OF_CHAINS_ALONE:
                case.path_parameters = {
                    name: value if _OUR_ID.fullmatch(str(value)) else things[name]
                    for name, value in case.path_parameters.items()
                }
            _fill(case, things)

    _hook(point)


def _is_used_up(route: str) -> bool:
    return route.startswith("DELETE") or route.endswith(_USED_UP)


def _hook(point: Callable[[Any], None]) -> None:
    schemathesis.hooks.unregister_all()

    @schemathesis.hook
    def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
        point(case)


def _fill(case: Any, things: PathResources) -> None:
    """Put values that keep the rules into a body that keeps its schema."""
    if case.meta is None or not case.meta.generation.mode.is_positive or not isinstance(case.body, dict):
        return
    named = {name: value for name, value in case.body.items() if name in _MEMBERS and value is not None}
    if named:
        case.body = {**case.body, **{name: _MEMBERS[name](things) for name in named}}
