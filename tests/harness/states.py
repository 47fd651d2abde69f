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
from tests.harness.cast import Cast
from tests.harness.client import Client
from tests.harness.routes import Sample, Things, sample
from tests.harness.world import Person

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


class States:
    """The cast's board, and what it takes to bring what a route names into a state."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.world = cast.world

    @property
    def owner(self) -> Client:
        return self.world.owner.client

    def request(self, route: str, state: str, column: str) -> Sample | None:
        """A sound request of this caller, over a thing in this state; None where the route knows no such state."""
        names = _PARAMETER.findall(route)
        if state != "sound" and (not names or (_PROBES.search(route) and state not in _OF_PROBES)):
            return None
        return _STATES[state](self, route, names, self.cast.caller(column))

    def _sound(self, route: str, names: list[str], caller: Person) -> Sample | None:
        del names
        return sample(route, self.world, caller)

    # -- it is not there

    def _absent(self, route: str, names: list[str], caller: Person) -> Sample | None:
        return sample(route, self.world, caller, **{names[-1]: _ABSENT.get(names[-1], ABSENT_ID)})

    def _malformed(self, route: str, names: list[str], caller: Person) -> Sample | None:
        return sample(route, self.world, caller, **{names[-1]: "Not-an-id"})

    def _no_parent(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """What the path names last is there, but what it lies in by the path is not."""
        parent = next((name for name in ("token", _PARENTS.get(names[-1])) if name in names[:-1]), None)
        if parent is None:
            return None
        there = Things(self.world, caller, route)[names[-1]]
        return sample(route, self.world, caller, **{parent: _ABSENT.get(parent, ABSENT_ID), names[-1]: there})

    def _no_board(self, route: str, names: list[str], caller: Person) -> Sample | None:
        if names[0] != "boardId" or len(names) == 1:
            return None
        there = Things(self.world, caller, route)
        return sample(route, self.world, caller, **{name: there[name] for name in names} | {"boardId": ABSENT_ID})

    def _deleted(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """The board that it lies on is deleted."""
        if is_ones_own(route):
            return None
        return self._after(self._sound(route, names, caller), self.owner.delete(self.world.path).status)

    # -- it is another's

    def _foreign(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """It is there, but not on this board, or not this caller's."""
        leaf = names[-1]
        if leaf in {"boardId", "token"}:
            return None
        if leaf == "inviteCode":
            code = self.cast.other.owner.client.get(f"/api/invite/{self.cast.other.board_id}/code").json["inviteCode"]
            return sample(route, self.world, caller, inviteCode=code)
        theirs = Things(self.cast.other, self.cast.other.owner, "/me/" if "/me/" in route else "")
        return sample(route, self.world, caller, **{leaf: theirs[leaf]})

    def _foreign_board(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """The whole path is another board's."""
        del caller
        return sample(route, self.cast.other) if names[0] == "boardId" else None

    def _sibling(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """It is on this board, but not in what it lies in by the path."""
        if names[-1] not in _PARENTS or not ({_PARENTS[names[-1]], "token"} & {*names}):
            return None
        return sample(route, self.world, caller, **{names[-1]: Things(self.world, caller, route)[names[-1]]})

    # -- it is hidden

    def _draft(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """A draft of the collaborator's, or what hangs on one; guests had its link before it was one."""
        wanted = [name for name in names if name in _ON_MEETING]
        if not wanted:
            return None
        found = self._meeting_of(self.cast.clients["collaborator"])
        made = self.cast.clients["collaborator"].patch(self._meeting(found), {"status": "draft"})
        assert made.status == 200, made.text
        return sample(route, self.world, caller, **{name: found[name] for name in wanted})

    def _committee(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """The collaborator's document in a committee of him and the guest."""
        if names[-1] != "documentId":
            return None
        seats = [membership_id(self.world.board_id, self.cast.people[who].id) for who in ("collaborator", "guest")]
        committee = self.owner.post(f"{self.world.path}/committees", {"name": "Audit", "memberIds": seats})
        document = {"title": "Secret", "committeeId": committee.data["id"]}
        made = self.cast.clients["collaborator"].post(f"{self.world.path}/documents", document)
        return sample(route, self.world, caller, documentId=made.data["id"])

    # -- its board, or what it lies in, does not allow it

    def _restricted(self, route: str, names: list[str], caller: Person) -> Sample | None:
        if is_ones_own(route):
            return None
        request = self._sound(route, names, caller)
        self.world.bill("CANCELLED")
        return request

    def _restricted_oneself(self, route: str, names: list[str], caller: Person) -> Sample | None:
        request = self._oneself(route, names, caller)
        self.world.bill("CANCELLED")
        return request

    def _finalized(self, route: str, names: list[str], caller: Person) -> Sample | None:
        if "reportId" in names:
            found = Things(self.world, caller, route)
            path, steps = self._report(found, names), ("published", "finalized")
        elif wanted := [name for name in names if name in _ON_MEETING]:
            found = self._meeting_of(self.owner)
            path, steps, names = self._meeting(found), ("completed", "finalized"), wanted
        else:
            return None
        for status in steps:
            assert self.owner.patch(path, {"status": status}).status == 200
        return sample(route, self.world, caller, **{name: found[name] for name in names})

    def _booked(self, route: str, names: list[str], caller: Person) -> Sample | None:
        if names[-1] != "slotId":
            return None
        found = self._meeting_of(self.owner)
        slot = f"{self._meeting(found)}/slots/{found['slotId']}"
        request = sample(route, self.world, caller, **{name: found[name] for name in names})
        return self._after(request, self.owner.post(f"{slot}/confirm").status)

    # -- it is over

    def _revoked(self, route: str, names: list[str], caller: Person) -> Sample | None:
        request = self._sound(route, names, caller) if names[-1] == "tokenId" else None
        return request and self._after(request, request.by(caller.client).status)

    def _answered(self, route: str, names: list[str], caller: Person, *, act: str, by: str) -> Sample | None:
        """An invite that is accepted, declined or retracted."""
        if names[-1] != "boardInviteId":
            return None
        invite = Things(self.world, caller, _INVITED)["boardInviteId"]
        request = sample(route, self.world, caller, boardInviteId=invite)
        return self._after(request, self.cast.clients[by].put(f"/api/invite/{act}/{invite}").status)

    def _code_off(self, route: str, names: list[str], caller: Person) -> Sample | None:
        request = self._sound(route, names, caller) if names[-1] == "inviteCode" else None
        return request and self._after(request, self.owner.patch(self.world.path, {"inviteCodeEnabled": False}).status)

    def _link(
        self, route: str, names: list[str], caller: Person, *, end: Callable[[States, Things], int]
    ) -> Sample | None:
        """A guest link that opens nothing any more."""
        if names[0] != "token":
            return None
        found = self._meeting_of(self.owner)
        request = sample(route, self.world, caller, **{name: found[name] for name in names})
        return self._after(request, end(self, found))

    def _closed(self, found: Things) -> int:
        return self.owner.delete(f"{self._meeting(found)}/guest-link").status

    def _replaced(self, found: Things) -> int:
        return self.owner.post(f"{self._meeting(found)}/guest-link").status

    def _expired(self, found: Things) -> int:
        key = GUEST_LINK.at(boardId=self.world.board_id, meetingId=found["meetingId"])
        past = {":past": "2020-01-01T00:00:00.000Z"}
        transact([Update(key, "SET expiresAt = :past", {}, past, EXISTS)])
        return 200

    # -- it is oneself, or the owner

    def _oneself(self, route: str, names: list[str], caller: Person) -> Sample | None:
        return self._membership(route, names, caller, caller)

    def _the_owner(self, route: str, names: list[str], caller: Person) -> Sample | None:
        return self._membership(route, names, caller, self.world.owner)

    def _membership(self, route: str, names: list[str], caller: Person, whose: Person) -> Sample | None:
        if names[-1] != "memberId":
            return None
        return sample(route, self.world, caller, memberId=membership_id(self.world.board_id, whose.id))

    def _linked(self, route: str, names: list[str], caller: Person) -> Sample | None:
        """The link that an invite's mail carries."""
        if names != ["inviteCode"] or not _PROBES.search(route):
            return None
        found = Things(self.world, caller, _INVITED)
        link = invite_link.token(settings().cursor_secret, found["boardInviteId"])
        request = sample(route, self.world, caller, inviteCode=found["inviteCode"])
        sent = self.owner.post(f"/api/invite/{found['boardInviteId']}/send-email")
        return self._after(replace(request, query=f"i={link}"), sent.status)

    # -- short ways

    def _meeting_of(self, client: Client) -> Things:
        """A scheduled meeting of whoever calls, with a slot, an action item, and a link for guests."""
        found = Things(self.world, self.world.owner, "")
        body = {"title": "Meeting", "status": "scheduled"}
        found["meetingId"] = client.post(f"{self.world.path}/meetings", body).data["id"]
        for name in _ON_MEETING:
            found[name]
        return found

    def _meeting(self, found: Named) -> str:
        return f"{self.world.path}/meetings/{found['meetingId']}"

    def _report(self, found: Named, names: list[str]) -> str:
        for name in names:
            found[name]
        return f"{self.world.path}/reports/{found['reportId']}"

    @staticmethod
    def _after(request: Sample | None, status: int) -> Sample | None:
        assert status < 300, "it is not in the state that it ought to be in"
        return request


State = Callable[[States, str, list[str], Person], Sample | None]
_STATES: Mapping[str, State] = {
    "sound": States._sound,
    "absent": States._absent,
    "malformed": States._malformed,
    "no-parent": States._no_parent,
    "no-board": States._no_board,
    "deleted-board": States._deleted,
    "foreign": States._foreign,
    "foreign-board": States._foreign_board,
    "sibling": States._sibling,
    "draft": States._draft,
    "committee": States._committee,
    "restricted": States._restricted,
    "finalized": States._finalized,
    "booked": States._booked,
    "revoked": States._revoked,
    "accepted": partial(States._answered, act="accept", by="outsider"),
    "declined": partial(States._answered, act="decline", by="outsider"),
    "retracted": partial(States._answered, act="retract", by="owner"),
    "code-off": States._code_off,
    "closed": partial(States._link, end=States._closed),
    "replaced": partial(States._link, end=States._replaced),
    "expired": partial(States._link, end=States._expired),
    "oneself": States._oneself,
    "restricted-oneself": States._restricted_oneself,
    "the-owner": States._the_owner,
    "linked": States._linked,
}
STATES = tuple(_STATES)
