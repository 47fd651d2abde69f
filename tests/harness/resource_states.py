"""Requests to a route whose path names a resource in a given state: absent, foreign, hidden, restricted, finalized."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from governance import instants
from governance.domain.invites import invite_link
from governance.ids import BoardId, membership_id, new_id
from governance.models.planning.plan_item import StoredPlanItem
from governance.settings import Secret, settings
from governance.store.planning import plan
from governance.store.schema.entities import GUEST_LINK
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Update
from tests.harness.actors import Actors
from tests.harness.board_scenario import Person
from tests.harness.client import Client
from tests.harness.paper_tokens import change_link
from tests.harness.path_resources import PathResources
from tests.harness.sample_requests import SampleRequest, sample_request
from tests.harness.stored_versions import ready_version

ABSENT_ID = "0123456789abcdef01234567"
_ABSENT = {
    "inviteCode": "0f5b8c0e-6d7a-4c1b-9a39-5f1f6d1a2b3c",
    "token": "A" * 64,
    "paperToken": "A" * 80,
    "unsubscribeToken": "A" * 40,
}
_PARAMETER = re.compile(r"\{(\w+)\}")
_PARENTS = {
    "slotId": "meetingId",
    "dashboardId": "reportId",
    "actionItemId": "meetingId",
    "deliveryId": "webhookId",
    "versionId": "documentId",
    "userId": "dashboardId",
    "flagId": "dashboardId",
    "commentId": "meetingId",
    "version": "meetingId",
    "remarkId": "meetingId",
    "itemId": "meetingId",
}
_LINKS = ("token", "paperToken")
_ON_MEETING = ("meetingId", "slotId", "actionItemId", "token", "version", "remarkId")
_PROBES = re.compile("/invite/(status|preview)/")
_OF_PROBES = {"absent", "malformed", "linked"}
_OWN = re.compile(r"/me/(tokens|calendar-feeds)/|/notification/|/unsubscribe/")
_INVITED = "PUT /api/invite/accept/{boardInviteId}"
Named = Mapping[str, str]


def belongs_to_caller(route: str, state: str = "") -> bool:
    """Returns whether the route is only about resources that belong to the caller."""
    return "self" in state or _OWN.search(route) is not None


class ResourceStates:
    """Brings the resource that a route names into a state, on the actors' board."""

    def __init__(self, actors: Actors) -> None:
        self.actors = actors
        self.board = actors.board

    @property
    def owner(self) -> Client:
        return self.board.owner.client

    def request(self, route: str, state: str, column: str) -> SampleRequest | None:
        """Returns a valid request for a resource in this state, or None if the route has no such state."""
        names = _PARAMETER.findall(route)
        if state != "valid" and (not names or (_PROBES.search(route) and state not in _OF_PROBES)):
            return None
        return _STATES[state](self, route, names, self.actors.caller(column))

    def _valid(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        del names
        return self._sample(route, caller)

    def _sample(self, route: str, caller: Person, **named: str) -> SampleRequest:
        return sample_request(route, self.board, caller, **named)

    # -- absent

    def _absent(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return self._sample(route, caller, **{names[-1]: _ABSENT.get(names[-1], ABSENT_ID)})

    def _malformed(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return self._sample(route, caller, **{names[-1]: "Not-an-id"})

    def _no_parent(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The last resource of the path exists, but the parent in the path does not."""
        parent = next((name for name in (*_LINKS, _PARENTS.get(names[-1])) if name in names[:-1]), None)
        if parent is None:
            return None
        existing = PathResources(self.board, caller, route)[names[-1]]
        return self._sample(route, caller, **{parent: _ABSENT.get(parent, ABSENT_ID), names[-1]: existing})

    def _no_board(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if names[0] != "boardId" or len(names) == 1:
            return None
        existing = PathResources(self.board, caller, route)
        return self._sample(route, caller, **{name: existing[name] for name in names} | {"boardId": ABSENT_ID})

    def _deleted(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The resource's board is deleted."""
        if belongs_to_caller(route):
            return None
        return self._after(self._valid(route, names, caller), self.owner.delete(self.board.path).status)

    # -- foreign

    def _foreign(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The resource exists, but on another board or for another user."""
        leaf = names[-1]
        if leaf in {"boardId", *_LINKS, "unsubscribeToken", "year"}:
            return None
        if leaf == "inviteCode":
            code = self.actors.other.owner.client.get(f"/api/invite/{self.actors.other.board_id}/code").json[
                "inviteCode"
            ]
            return self._sample(route, caller, inviteCode=code)
        foreign = PathResources(self.actors.other, self.actors.other.owner, "/me/" if "/me/" in route else "")
        return self._sample(route, caller, **{leaf: foreign[leaf]})

    def _foreign_board(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The whole path belongs to another board."""
        del caller
        return sample_request(route, self.actors.other) if names[0] == "boardId" else None

    def _sibling(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The resource is on this board, but under another parent than the path says."""
        if names[-1] not in _PARENTS or not ({_PARENTS[names[-1]], *_LINKS} & {*names}):
            return None
        return self._sample(route, caller, **{names[-1]: PathResources(self.board, caller, route)[names[-1]]})

    # -- hidden

    def _draft(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """A draft of the collaborator, or a resource of one. Its guest link was created before it became a draft."""
        if "resolutionId" in names:
            return self._sample(route, caller, resolutionId=self._drafted(), **self._voter(names, caller))
        meeting_names = _on_meeting(names)
        if not meeting_names or _is_of_cancelled(route):
            return None
        named = self._meeting_of(self.actors.clients["collaborator"])
        request = self._sample(route, caller, **{name: named[name] for name in meeting_names})
        response = self.actors.clients["collaborator"].patch(self._meeting(named), {"status": "draft"})
        assert response.status == 200, response.text
        return request

    def _committee(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """What the collaborator has in a committee of the collaborator and the guest; a manager's matter."""
        if not {"documentId", "resolutionId", "backlogItemId", "planItemId"} & {*names}:
            return None
        people = self.actors.people
        seats = [membership_id(self.board.board_id, people[name].id) for name in ("collaborator", "guest")]
        committee = self.owner.post(f"{self.board.path}/committees", {"name": "Audit", "memberIds": seats})
        if "resolutionId" in names:
            drafted = self._drafted(committeeId=committee.data["id"])
            return self._sample(route, caller, resolutionId=drafted, **self._voter(names, caller))
        if "planItemId" in names:
            return self._sample(route, caller, planItemId=self._matter(committee.data["id"]))
        if "backlogItemId" in names:
            item = {"title": "Secret", "committeeId": committee.data["id"]}
            added = self.actors.clients["collaborator"].post(f"{self.board.path}/backlog", item)
            return self._sample(route, caller, backlogItemId=added.data["id"])
        document = {"title": "Secret", "committeeId": committee.data["id"]}
        response = self.actors.clients["collaborator"].post(f"{self.board.path}/documents", document)
        ids = {"documentId": str(response.data["id"])}
        if "versionId" in names:
            ids["versionId"] = ready_version(
                self.board.board_id, ids["documentId"], self.actors.clients["collaborator"]
            )
        if "commentId" in names:
            path = f"{self.board.path}/documents/{ids['documentId']}/comments"
            created = self.actors.clients["collaborator"].post(path, {"text": "Why?"})
            ids["commentId"] = str(created.data["id"])
        return self._sample(route, caller, **ids)

    def _matter(self, committee_id: str) -> str:
        """Stores a matter of a committee, whose members may not make one here."""
        at = instants.now()
        months = tuple(range(1, 13))
        matter = StoredPlanItem(
            id=new_id(),
            board_id=self.board.board_id,
            title="Secret",
            months=months,
            committee_id=committee_id,
            created_at=at,
            updated_at=at,
        )
        transact(plan.create(matter))
        return matter.id

    def _drafted(self, **members: str) -> str:
        """Lets the collaborator draft a resolution."""
        closes_at = instants.shift(instants.now(), days=30)
        body = {"title": "Secret", "text": "We resolve.", "closesAt": closes_at, **members}
        return str(self.actors.clients["collaborator"].post(f"{self.board.path}/resolutions", body).data["id"])

    @staticmethod
    def _voter(names: list[str], caller: Person) -> Named:
        return {"userId": caller.id} if "userId" in names else {}

    # -- its board or parent does not allow the request

    def _restricted(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if belongs_to_caller(route):
            return None
        request = self._valid(route, names, caller)
        self.board.set_billing_state("CANCELLED")
        return request

    def _restricted_self(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        request = self._self(route, names, caller)
        self.board.set_billing_state("CANCELLED")
        return request

    def _finalized(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if "reportId" in names:
            named = PathResources(self.board, caller, route)
            path, steps = self._report(named, names), ("published", "finalized")
        elif _is_of_cancelled(route):
            return None
        elif meeting_names := _on_meeting(names):
            named = self._meeting_of(self.owner)
            path, steps, names = self._meeting(named), ("completed", "finalized"), meeting_names
        else:
            return None
        request = self._sample(route, caller, **{name: named[name] for name in names})
        for status in steps:
            assert self.owner.patch(path, {"status": status}).status == 200
        return request

    def _booked(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        if names[-1] != "slotId":
            return None
        named = self._meeting_of(self.owner)
        slot = f"{self._meeting(named)}/slots/{named['slotId']}"
        request = self._sample(route, caller, **{name: named[name] for name in names})
        return self._after(request, self.owner.post(f"{slot}/confirm").status)

    # -- ended

    def _revoked(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        request = self._valid(route, names, caller) if names[-1] == "tokenId" else None
        return request and self._after(request, request.by(caller.client).status)

    def _responded(self, route: str, names: list[str], caller: Person, *, action: str, by: str) -> SampleRequest | None:
        """An invite that was accepted, declined or retracted."""
        if names[-1] != "boardInviteId":
            return None
        invite = PathResources(self.board, caller, _INVITED)["boardInviteId"]
        request = self._sample(route, caller, boardInviteId=invite)
        return self._after(request, self.actors.clients[by].put(f"/api/invite/{action}/{invite}").status)

    def _code_off(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        request = self._valid(route, names, caller) if names[-1] == "inviteCode" else None
        return request and self._after(request, self.owner.patch(self.board.path, {"inviteCodeEnabled": False}).status)

    def _link(
        self, route: str, names: list[str], caller: Person, *, end: Callable[[ResourceStates, PathResources], int]
    ) -> SampleRequest | None:
        """A guest link, or one to a paper, that is no longer valid."""
        if names[0] not in _LINKS:
            return None
        named = self._meeting_of(self.owner)
        request = self._sample(route, caller, **{name: named[name] for name in names})
        return self._after(request, end(self, named))

    def _closed(self, named: PathResources) -> int:
        if "paperToken" in named:
            path = f"{self._meeting(named)}/paper-requests/{named['paperRequestId']}"
            return self.owner.patch(path, {"status": "cancelled"}).status
        return self.owner.delete(f"{self._meeting(named)}/guest-link").status

    def _replaced(self, named: PathResources) -> int:
        if "paperToken" in named:
            return self._change_link(named, digest="0" * 64)
        return self.owner.post(f"{self._meeting(named)}/guest-link").status

    def _expired(self, named: PathResources) -> int:
        past = "2020-01-01T00:00:00.000Z"
        if "paperToken" in named:
            return self._change_link(named, expires_at=past)
        key = GUEST_LINK.key_for(boardId=self.board.board_id, meetingId=named["meetingId"])
        transact([Update(key, "SET expiresAt = :past", {}, {":past": past}, EXISTS)])
        return 200

    def _change_link(self, named: PathResources, **changes: str) -> int:
        change_link(BoardId(self.board.board_id), named["paperRequestId"], **changes)
        return 200

    # -- the caller's or the owner's membership

    def _self(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return self._membership(route, names, caller, caller)

    def _the_owner(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        return self._membership(route, names, caller, self.board.owner)

    def _membership(self, route: str, names: list[str], caller: Person, member: Person) -> SampleRequest | None:
        if names[-1] != "memberId":
            return None
        return self._sample(route, caller, memberId=membership_id(self.board.board_id, member.id))

    def _linked(self, route: str, names: list[str], caller: Person) -> SampleRequest | None:
        """The link from an invitation e-mail."""
        if names != ["inviteCode"] or not _PROBES.search(route):
            return None
        named = PathResources(self.board, caller, _INVITED)
        link = invite_link.token(settings().secret(Secret.INVITE_LINK), named["boardInviteId"])
        request = self._sample(route, caller, inviteCode=named["inviteCode"])
        sent = self.owner.post(f"/api/invite/{named['boardInviteId']}/send-email")
        return self._after(replace(request, query=f"i={link}"), sent.status)

    # -- helpers

    def _meeting_of(self, client: Client) -> PathResources:
        """Creates a scheduled meeting as this client, with a slot, an action item and a guest link."""
        named = PathResources(self.board, self.board.owner, "")
        body = {"title": "Meeting", "status": "scheduled"}
        named["meetingId"] = client.post(f"{self.board.path}/meetings", body).data["id"]
        for name in _ON_MEETING:
            named[name]
        return named

    def _meeting(self, named: Named) -> str:
        return f"{self.board.path}/meetings/{named['meetingId']}"

    def _report(self, named: Named, names: list[str]) -> str:
        for name in names:
            named[name]
        return f"{self.board.path}/reports/{named['reportId']}"

    @staticmethod
    def _after(request: SampleRequest | None, status: int) -> SampleRequest | None:
        assert status < 300, "the resource could not be brought into the state"
        return request


def _on_meeting(names: list[str]) -> list[str]:
    """Returns those of these names that say what is on a meeting, or on a paper that is asked for there."""
    return [name for name in names if name in _ON_MEETING or "paperToken" in names]


def _is_of_cancelled(route: str) -> bool:
    """Returns whether a route is about a meeting that is cancelled, whose status does not change."""
    return route.endswith("/cancellation") and not route.startswith("PUT")


State = Callable[[ResourceStates, str, list[str], Person], SampleRequest | None]
_STATES: Mapping[str, State] = {
    "valid": ResourceStates._valid,
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
    "accepted": partial(ResourceStates._responded, action="accept", by="outsider"),
    "declined": partial(ResourceStates._responded, action="decline", by="outsider"),
    "retracted": partial(ResourceStates._responded, action="retract", by="owner"),
    "code-off": ResourceStates._code_off,
    "closed": partial(ResourceStates._link, end=ResourceStates._closed),
    "replaced": partial(ResourceStates._link, end=ResourceStates._replaced),
    "expired": partial(ResourceStates._link, end=ResourceStates._expired),
    "self": ResourceStates._self,
    "restricted-self": ResourceStates._restricted_self,
    "the-owner": ResourceStates._the_owner,
    "linked": ResourceStates._linked,
}
STATES = tuple(_STATES)
