"""A person without an account who stands everywhere on a board, and the member whom they turn out to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from governance.domain.meetings import personal_link
from governance.domain.members import merging as merging_rules
from governance.ids import PersonId, UserId, new_id
from governance.instants import now
from governance.settings import Secret, settings
from governance.store.boards import boards
from governance.store.calendars import calendar_invitations
from governance.store.meetings import personal_links
from governance.store.members import unregistered_users
from governance.store.notifications import notifications
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client, Response
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario
from tests.harness.table_snapshot import TableSnapshot
from tests.store.stored_items import INVITATION, NOTIFICATION

ADDRESS = "anna.berg@example.org"
_RECORDS = ("AUDIT#", "EVENTS#", "DELIVERIES#", "LOG#", "IDEMPOTENCY#")
"""Partitions of what happened, where the id of a merged person stays; recorded answers last a day."""


@dataclass
class MergeScenario:
    """Anna, the person; Ann, the member; a meeting to come, one in progress, and one that is final."""

    board: BoardScenario
    ann: Person
    anna: str
    ahead: MeetingScenario
    running: MeetingScenario
    final: MeetingScenario
    slots: list[dict[str, Any]]
    task: str

    @property
    def path(self) -> str:
        """The path of the person."""
        return f"{self.board.path}/unregistered-users/{self.anna}"

    @property
    def member_id(self) -> str:
        """The id of the member."""
        members = self.board.owner.client.all(f"{self.board.path}/members")
        return next(str(member["id"]) for member in members if member["userId"] == self.ann.id)

    def merge(self, member_id: str | None = None, **members: Any) -> Response:
        """Merges the person into the member."""
        body = {"memberId": member_id or self.member_id, **members}
        return self.board.owner.client.post(f"{self.path}/merge", body)

    def votes(self, number: int) -> list[tuple[str | None, str | None, str]]:
        """Returns who voted what on a slot, but the owner who proposed it: user id, address and vote."""
        listed = next(slot for slot in self.ahead.listed() if slot["id"] == self.slots[number]["id"])
        return [
            (entry["userId"], entry["email"], entry["vote"])
            for entry in listed["feedbacks"]
            if entry["vote"] != "didNotVote" and entry["userId"] != self.board.owner.id
        ]

    def attendance(self, meeting: MeetingScenario) -> list[dict[str, Any]]:
        """Returns the attendance in the minutes of a meeting."""
        rows: list[dict[str, Any]] = self.board.owner.client.get(f"{meeting.path}/minutes").data["attendance"]
        return rows


def vote_as_guest(meeting: MeetingScenario, slot: dict[str, Any], email: str, **members: Any) -> None:
    """Votes by a new guest link of the meeting."""
    link = meeting.board.owner.client.post(f"{meeting.path}/guest-link").data["token"]
    cast = Client().put(f"/api/v1/guest/{link}/slots/{slot['id']}/vote", {"email": email, **members})
    assert cast.status == 200, cast.text


def personal_token(meeting: MeetingScenario, person_id: str) -> str:
    """Returns the token of the link in the e-mails to a person, which is stored as the deliveries do."""
    person = unregistered_users.find(meeting.board.board_id, PersonId(person_id))
    assert person is not None
    meeting_id = meeting.path.rpartition("/")[2]
    token = personal_link.token(settings().secret(Secret.INVITE_LINK), person, meeting_id)
    transact([personal_links.put(person, meeting_id, personal_link.link(token, person, now()))])
    return token


def vote_personally(meeting: MeetingScenario, slot: dict[str, Any], person_id: str, **members: Any) -> None:
    """Votes by the link in the e-mails to a person."""
    token = personal_token(meeting, person_id)
    cast = Client().put(f"/api/v1/guest/{token}/slots/{slot['id']}/vote", members)
    assert cast.status == 200, cast.text


def new_merge_scenario(board: BoardScenario, *, rich: bool = True) -> MergeScenario:
    """Creates a person who presents, attends, has a task and has voted; only once each unless it is `rich`."""
    owner = board.owner.client
    ann = board.member("ann")
    ahead, running, final = (new_meeting_scenario(board, title=title) for title in ("Ahead", "Running", "Final"))
    slots = [ahead.slot(start=from_now(days=day)) for day in (2, 3)]
    if rich:
        assert ahead.vote(ann.client, slots[1], "challenging").status == 200
    added = owner.post(f"{board.path}/unregistered-users", {"firstName": "Anna", "lastName": "Berg", "email": ADDRESS})
    anna = added.data["id"]
    vote_personally(ahead, slots[0], anna, vote="ok", comment="Gladly")
    if rich:
        vote_personally(ahead, slots[1], anna, vote="cant")
    presents = {"title": "Accounts", "presenterUnregisteredUserId": anna}
    agenda = {"items": [presents, {"title": "Else", "presenterName": "Bob"}, *([presents] if rich else [])]}
    assert owner.put(f"{ahead.path}/agenda", agenda).status == 200
    if rich:
        assert owner.post(f"{board.path}/agenda-templates", {"name": "T", "items": [presents]}).status == 201
        assert owner.post(f"{board.path}/backlog", presents).status == 201
    entries = [{"unregisteredUserId": anna, "present": "remote"}, {"userId": board.owner.id, "present": "in_person"}]
    for meeting in (running, final) if rich else (final,):
        assert meeting.patch(status="in_progress").status == 200
        assert owner.put(f"{meeting.path}/minutes", {"attendance": entries}).status == 200
    final.finalize()
    task = owner.post(f"{ahead.path}/action-items", {"title": "Send the accounts"}).json["data"]["_id"]
    assigned = owner.put(f"{ahead.path}/action-items/{task}/unregistered-assignee", {"unregisteredUserId": anna})
    assert assigned.status == 200, assigned.text
    return MergeScenario(board, ann, anna, ahead, running, final, slots, task)


def invite_by_calendar(merge: MergeScenario, email: str = ADDRESS) -> None:
    """Stores a calendar invitation to the person, as the deliveries do; `email` is the address that it went to."""
    meeting_id = merge.ahead.path.rpartition("/")[2]
    of_person = {"user_id": UserId(merge.anna), "board_id": merge.board.board_id, "meeting_id": meeting_id}
    invitation = INVITATION.model_copy(update={**of_person, "token": "a" * 32, "email": email})
    transact(calendar_invitations.put(None, invitation, now(), is_person=True))


def tell_of_an_answer(merge: MergeScenario) -> None:
    """Stores a notification of the member that the person has answered, as the deliveries do."""
    at = now()
    answer: dict[str, Any] = {"type": "meeting_rsvp_changed", "message": "accepted the meeting."}
    answer |= {"refs": {"boardId": merge.board.board_id, "unregisteredUserId": merge.anna}}
    at_once = {"delivered_at": at, "created_at": at, "updated_at": at}
    told = NOTIFICATION.model_copy(update={"id": new_id(), "user_id": merge.ann.id, **answer, **at_once})
    transact([notifications.create(told)])


def begin_merge(merge: MergeScenario) -> None:
    """Marks the person as a request does that is killed then."""
    (member,) = [member for member in boards.members(merge.board.board_id) if member.user_id == merge.ann.id]
    old = unregistered_users.find(merge.board.board_id, PersonId(merge.anna))
    assert old is not None
    marked = merging_rules.begun(old, member, merge.board.owner.id, now(), now())
    transact(unregistered_users.replace(old, marked))


def rows_naming(person_id: str) -> list[tuple[str, str]]:
    """Returns the keys of all rows of the table that name a person, but their own and those of what happened."""
    own = {"UNREGISTERED#" + person_id}
    return [
        (pk, sk)
        for (pk, sk), item in TableSnapshot().items.items()
        if person_id in json.dumps([pk, sk, item], default=str)
        and sk not in own
        and not (pk.startswith("EMAIL#") and sk.endswith(f"#{person_id}"))
        and not pk.startswith(_RECORDS)
    ]
