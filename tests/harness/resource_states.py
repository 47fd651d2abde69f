"""What a route names, in each state that it may be in: not there, another's, hidden, restricted, final, over."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from governance.domain import invite_link
from governance.ids import membership_id
from governance.settings import settings
from governance.store.schema import GUEST_LINK
from governance.store.table import transact
from governance.store.writes import EXISTS, Update
from tests.harness.actors import Actors
from tests.harness.board_scenario import Person
from tests.harness.client import Client
from tests.harness.sample_requests import PathResources, SampleRequest, sample_request

ABSENT_ID = "0123456789abcdef01234567"
_ABSENT = {"inviteCode": "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c", "token": "A" * 64}
_PARAMETER = re.compile(r"\{(\w+)\}")
_PARENTS = {"slotId": "meetingId", "dashboardId": "reportId", "actionItemId": "meetingId"}
_ON_MEETING = ("meetingId", "slotId", "actionItemId", "token")
_PROBES = re.compile("/invite/(status|preview)/")
_OF_PROBES = {"absent", "malformed", "linked"}
_OWN = re.compile(r"/me/tokens/|/notification/")
_INVITED = "PUT /api/invite/accept/{boardInviteId}"
Named = Mapping[str, str]


def is_ones_own(route: str, state: str = "") -> bool:
    """Whether it is only about what belongs to whoever calls."""
    return "oneself" in state or _OWN.search(route) is not None


class ResourceStates:
    """The cast's board, and what it takes to bring what a route names into a state."""

    def __init__(self, actors: Actors) -> None:
        self.actors = actors
        self.board = actors.board

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def request(self, route: str, state: str, column: str) -> SampleRequest | None:
        """A sound request of this caller, over a thing in this state; None where the route knows no such state."""
        names = _PARAMETER.findall(route)
        if state != "sound" and (not names or (_PROBES.search(route) and state not in _OF_PROBES)):
            return None
        return _STATES[state](self, route, names, self.actors.caller(column))

    def _sound(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        del names
        return sample_request(route, self.board, caller)

    # -- it is not there

    def _absent(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return sample_request(route, self.board, caller, **{names[-1]: _ABSENT.get(names[-1], ABSENT_ID)})

    def _malformed(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return sample_request(route, self.board, caller, **{names[-1]: "Not-an-id"})

    def _no_parent(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """What the path names last is there, but what it lies in by the path is not."""
        parent = next((name for name in ("token", _PARENTS.get(names[-1])) if name in names[:-1]), None)
        if parent is None:
            return None
        there = PathResources(self.board, caller, route)[names[-1]]
        return sample_request(route, self.board, caller, **{parent: _ABSENT.get(parent, ABSENT_ID), names[-1]: there})

    def _no_board(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if names[0] != "boardId" or len(names) == 1:
            return None
        there = PathResources(self.board, caller, route)
        return sample_request(
            route, self.board, caller, **{name: there[name] for name in names} | {"boardId": ABSENT_ID}
        )

    def _deleted(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The board that it lies on is deleted."""
        if is_ones_own(route):
            return None
        return self._after(self._sound(route, names, caller), self.owner.delete(self.board.path).status)

    # -- it is another's

    def _foreign(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """It is there, but not on this board, or not this caller's."""
        leaf = names[-1]
        if leaf in {"boardId", "token"}:
            return None
        if leaf == "inviteCode":
            code = self.actors.other.owner.client.get(f"/api/invite/{self.actors.other.board_id}/code").json[
                "inviteCode"
            ]
            return sample_request(route, self.board, caller, inviteCode=code)
        theirs = PathResources(self.actors.other, self.actors.other.owner, "/me/" if "/me/" in route else "")
        return sample_request(route, self.board, caller, **{leaf: theirs[leaf]})

    def _foreign_board(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The whole path is another board's."""
        del caller
        return sample_request(route, self.actors.other) if names[0] == "boardId" else None

    def _sibling(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """It is on this board, but not in what it lies in by the path."""
        if names[-1] not in _PARENTS or not ({_PARENTS[names[-1]], "token"} & {*names}):
            return None
        return sample_request(
            route, self.board, caller, **{names[-1]: PathResources(self.board, caller, route)[names[-1]]}
        )

    # -- it is hidden

    def _draft(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """A draft of the collaborator's, or what hangs on one; guests had its link before it was one."""
        wanted = [name for name in names if name in _ON_MEETING]
        if not wanted:
            return None
        found = self._meeting_of(self.actors.clients["collaborator"])
        made = self.actors.clients["collaborator"].patch(self._meeting(found), {"status": "draft"})
        assert made.status == 200, made.text
        return sample_request(route, self.board, caller, **{name: found[name] for name in wanted})

    def _committee(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The collaborator's document in a committee of him and the guest."""
        if names[-1] != "documentId":
            return None
        seats = [membership_id(self.board.board_id, self.actors.people[who].id) for who in ("collaborator", "guest")]
        committee = self.owner.post(f"{self.board.path}/committees", {"name": "Audit", "memberIds": seats})
        document = {"title": "Secret", "committeeId": committee.data["id"]}
        made = self.actors.clients["collaborator"].post(f"{self.board.path}/documents", document)
        return sample_request(route, self.board, caller, documentId=made.data["id"])

    # -- its board, or what it lies in, does not allow it

    def _restricted(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if is_ones_own(route):
            return None
        request = self._sound(route, names, caller)
        self.board.bill("CANCELLED")
        return request

    def _restricted_oneself(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        request = self._oneself(route, names, caller)
        self.board.bill("CANCELLED")
        return request

    def _finalized(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if "reportId" in names:
            found = PathResources(self.board, caller, route)
            path, steps = self._report(found, names), ("published", "finalized")
        elif wanted := [name for name in names if name in _ON_MEETING]:
            found = self._meeting_of(self.owner)
            path, steps, names = self._meeting(found), ("completed", "finalized"), wanted
        else:
            return None
        for status in steps:
            assert self.owner.patch(path, {"status": status}).status == 200
        return sample_request(route, self.board, caller, **{name: found[name] for name in names})

    def _booked(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if names[-1] != "slotId":
            return None
        found = self._meeting_of(self.owner)
        slot = f"{self._meeting(found)}/slots/{found['slotId']}"
        request = sample_request(route, self.board, caller, **{name: found[name] for name in names})
        return self._after(request, self.owner.post(f"{slot}/confirm").status)

    # -- it is over

    def _revoked(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        request = self._sound(route, names, caller) if names[-1] == "tokenId" else None
        return request and self._after(request, request.by(caller.client).status)

    def _answered(self, route: str, names: list[str], caller: Person, *, act: str, by: str) -> SampleRequest | None:
        """An invite that is accepted, declined or retracted."""
        if names[-1] != "boardInviteId":
            return None
        invite = PathResources(self.board, caller, _INVITED)["boardInviteId"]
        request = sample_request(route, self.board, caller, boardInviteId=invite)
        return self._after(request, self.actors.clients[by].put(f"/api/invite/{act}/{invite}").status)

    def _code_off(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        request = self._sound(route, names, caller) if names[-1] == "inviteCode" else None
        return request and self._after(request, self.owner.patch(self.board.path, {"inviteCodeEnabled": False}).status)

    def _link(
        self, route: str, names: list[str], caller: Person, *, end: Callable[[ResourceStates, PathResources], int]
    ) -> SampleRequest | None:
        """A guest link that opens nothing any more."""
        if names[0] != "token":
            return None
        found = self._meeting_of(self.owner)
        request = sample_request(route, self.board, caller, **{name: found[name] for name in names})
        return self._after(request, end(self, found))

    def _closed(self, found: PathResources) -> int:
        return self.owner.delete(f"{self._meeting(found)}/guest-link").status

    def _replaced(self, found: PathResources) -> int:
        return self.owner.post(f"{self._meeting(found)}/guest-link").status

    def _expired(self, found: PathResources) -> int:
        key = GUEST_LINK.at(boardId=self.board.board_id, meetingId=found["meetingId"])
        past = {":past": "2020-01-01T00:00:00.000Z"}
        transact([Update(key, "SET expiresAt = :past", {}, past, EXISTS)])
        return 200

    # -- it is oneself, or the owner

    def _oneself(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return self._membership(route, names, caller, caller)

    def _the_owner(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return self._membership(route, names, caller, self.board.owner)

    def _membership(self, route: str, names: list[str], caller: Person, whose: Person) -> SampleRequest | None:
        if names[-1] != "memberId":
            return None
        return sample_request(route, self.board, caller, memberId=membership_id(self.board.board_id, whose.id))

    def _linked(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The link that an invite's mail carries."""
        if names != ["inviteCode"] or not _PROBES.search(route):
            return None
        found = PathResources(self.board, caller, _INVITED)
        link = invite_link.token(settings().cursor_secret, found["boardInviteId"])
        request = sample_request(route, self.board, caller, inviteCode=found["inviteCode"])
        sent = self.owner.post(f"/api/invite/{found['boardInviteId']}/send-email")
        return self._after(replace(request, query=f"i={link}"), sent.status)

    # -- short ways

    def _meeting_of(self, client: Client) -> PathResources:
        """A scheduled meeting of whoever calls, with a slot, an action item, and a link for guests."""
        found = PathResources(self.board, self.board.owner, "")
        body = {"title": "Meeting", "status": "scheduled"}
        found["meetingId"] = client.post(f"{self.board.path}/meetings", body).data["id"]
        for name in _ON_MEETING:
            found[name]
        return found

    def _meeting(self, found: Named) -> str:
        return f"{self.board.path}/meetings/{found['meetingId']}"

    def _report(self, found: Named, names: list[str]) -> str:
        for name in names:
            found[name]
        return f"{self.board.path}/reports/{found['reportId']}"

    @staticmethod
    def _after(request: SampleRequest | None, status: int) -> SampleRequest | None:
        assert status < 300, "it is not in the state that it ought to be in"
        return request


State = Callable[[ResourceStates, str, list[str], Person], SampleRequest | None]
_STATES: Mapping[str, State] = {
    "sound": ResourceStates._sound,
    "absent": ResourceStates._absent,
    "malformed": ResourceStates._malformed,
    "no-parent": ResourceStates._no_parent,
    "no-board": ResourceStates._no_board,
    "deleted-board": ResourceStates._deleted,
    "foreign": ResourceStates._foreign,
    "foreign-board": ResourceStates._foreign_board,
    "sibling": ResourceStates._sibling,
    "draft": ResourceStates._draft,
    "committee": ResourceStates._committee,
    "restricted": ResourceStates._restricted,
    "finalized": ResourceStates._finalized,
    "booked": ResourceStates._booked,
    "revoked": ResourceStates._revoked,
    "accepted": partial(ResourceStates._answered, act="accept", by="outsider"),
    "declined": partial(ResourceStates._answered, act="decline", by="outsider"),
    "retracted": partial(ResourceStates._answered, act="retract", by="owner"),
    "code-off": ResourceStates._code_off,
    "closed": partial(ResourceStates._link, end=ResourceStates._closed),
    "replaced": partial(ResourceStates._link, end=ResourceStates._replaced),
    "expired": partial(ResourceStates._link, end=ResourceStates._expired),
    "oneself": ResourceStates._oneself,
    "restricted-oneself": ResourceStates._restricted_oneself,
    "the-owner": ResourceStates._the_owner,
    "linked": ResourceStates._linked,
}
STATES = tuple(_STATES)
