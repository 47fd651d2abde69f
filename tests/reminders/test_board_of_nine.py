"""A board of nine, of whom four have no account: from the first mail to the finalized meeting, in one scenario."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from typing import Any

import pytest

from tests.calendar.calendar_invitation_mails import calendar_of
from tests.calendar.mails import deliver, mail, reply
from tests.harness.board_scenario import Person, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, from_now, new_meeting_scenario
from tests.harness.merge_scenario import rows_naming
from tests.harness.outbox import Outbox, text_of
from tests.harness.people import add, people
from tests.mail.reports import bounce, complaint, report
from tests.reminders.conftest import World
from tests.reminders.test_people import token_in

WITHOUT_ACCOUNT = {"anna": "Berg", "bob": "Carter", "carl": "Dahl", "dina": "Evers"}


class Board:
    """The nine: an owner and four members with an account, and four people without one."""

    def __init__(self, world: World) -> None:
        self.world, self.scenario, self.outbox = world, world.board, world.outbox
        self.members = [self.scenario.member(name) for name in ("maya", "nora", "otto", "piet")]
        self.people = {
            name: add(self.scenario, firstName=name.title(), lastName=last, email=f"{name}@example.org")
            for name, last in WITHOUT_ACCOUNT.items()
        }
        self.read = 0

    def mails(self, name: str) -> list[EmailMessage]:
        """Returns the mails to somebody without an account."""
        self.world.deliver()
        return [each for each in self.outbox.mails if each["To"] == f"{name}@example.org"]

    def shown(self, name: str) -> dict[str, Any]:
        """Returns a person as the owner sees them."""
        found: dict[str, Any] = self.scenario.owner.client.get(
            f"{people(self.scenario)}/{self.people[name]['id']}"
        ).data
        return found

    def request_to(self, name: str) -> dict[str, Any]:
        """Returns the last request for a mail to somebody."""
        address = [f"{name}@example.org"]
        return next(each for each in reversed(self.outbox.requests) if each["Destination"]["ToAddresses"] == address)


def check_mails(outbox: Outbox) -> None:
    """Reads every mail with the standard library, as a mail program would."""
    for raw in outbox.raw:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert not message.defects, message.defects
        assert all(not part.defects for part in message.walk())
        assert message["Subject"].strip()
        assert text_of(message).strip()
        if "List-Unsubscribe" in message:
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.usefixtures("bucket")
def test_from_the_first_mail_to_the_finalized_meeting(world: World) -> None:
    board = Board(world)
    owner = board.scenario.owner.client
    meeting, slots = _vote(board)
    _bounce_and_complain(board)
    _answer_by_mail(board, meeting, slots[0])
    ann = _register(board)
    _hold(board, meeting)
    _merge(board, meeting, ann)
    assert meeting.patch(status="finalized").status == 200
    minutes = owner.get(f"{meeting.path}/minutes").data
    assert minutes["status"] == "final"
    assert [entry["userId"] for entry in minutes["attendance"][:2]] == [board.scenario.owner.id, ann.id]
    assert rows_naming(board.people["anna"]["id"]) == []
    check_mails(board.outbox)


def _vote(board: Board) -> tuple[MeetingScenario, list[dict[str, Any]]]:
    """Two times are proposed; all four are asked by a link of their own, and three vote."""
    meeting = new_meeting_scenario(board.scenario, title="Annual meeting")
    slots = [meeting.slot(from_now(days=day)) for day in (10, 11)]
    board.world.pass_time(seconds=61)
    tokens = {name: token_in(board.mails(name)[-1]) for name in WITHOUT_ACCOUNT}
    assert len({*tokens.values()}) == 4
    for name in ("anna", "bob", "carl"):
        path = f"/api/v1/guest/{tokens[name]}/slots/{slots[0]['id']}/vote"
        assert Client().put(path, {"vote": "ok"}).status == 200
    assert meeting.vote(board.members[0].client, slots[0]).status == 200
    return meeting, slots


def _bounce_and_complain(board: Board) -> None:
    """The mail to Carl comes back, and Dina complains: both get no more."""
    assert report(bounce(board.request_to("carl")), complaint(board.request_to("dina"))) == []
    assert [board.shown(name)["bounce"]["kind"] for name in ("carl", "dina")] == ["bounce", "complaint"]
    assert [board.shown(name)["bounce"] for name in ("anna", "bob")] == [None, None]


def _answer_by_mail(board: Board, meeting: MeetingScenario, slot: dict[str, Any]) -> None:
    """The meeting is booked; the two who are still mailed are invited, and answer from their calendars."""
    assert meeting.confirm(slot).status == 200
    before = {name: len(board.mails(name)) for name in ("carl", "dina")}
    for name, answer in (("anna", "ACCEPTED"), ("bob", "DECLINED")):
        invitation = next(each for each in reversed(board.mails(name)) if each["Reply-To"])
        (event,) = calendar_of(invitation).walk("VEVENT")
        address = f"{name}@example.org"
        assert deliver(mail(address, str(invitation["Reply-To"]), reply(event, answer, address))) == [None]
    listed = board.scenario.owner.client.get(f"{meeting.path}/unregistered-rsvps").data
    given = {entry["unregisteredUserId"]: entry["status"] for entry in listed}
    assert given[board.people["anna"]["id"]] == "accepted"
    assert given[board.people["bob"]["id"]] == "declined"
    assert {name: len(board.mails(name)) for name in before} == before


def _register(board: Board) -> Person:
    """Anna Berg registers and joins; the owner hears that she seems to be there already."""
    ann = person("ann")
    assert ann.client.patch("/api/v1/me", {"firstName": "Anna", "lastName": "Berg"}).status == 200
    invited = board.scenario.owner.client.post(f"/api/invite/{board.scenario.board_id}", {"inviteeEmail": ann.email})
    assert ann.client.put(f"/api/invite/accept/{invited.json['inviteId']}").status == 200
    (told,) = board.world.told(board.scenario.owner, "merge_recommendation")
    assert told.startswith("It seems that “Anna Berg”, who has no account, and the member “Anna Berg”")
    return ann


def _hold(board: Board, meeting: MeetingScenario) -> None:
    """The meeting takes place: Anna presents, attends, and gets a task."""
    owner, anna = board.scenario.owner, board.people["anna"]["id"]
    agenda = {"items": [{"title": "Accounts", "presenterUnregisteredUserId": anna}]}
    assert owner.client.put(f"{meeting.path}/agenda", agenda).status == 200
    assert meeting.patch(status="in_progress").status == 200
    attendance = [
        {"userId": owner.id, "present": "in_person"},
        {"unregisteredUserId": anna, "present": "remote"},
        {"unregisteredUserId": board.people["bob"]["id"], "present": "absent"},
    ]
    assert owner.client.put(f"{meeting.path}/minutes", {"attendance": attendance}).status == 200
    task = owner.client.post(f"{meeting.path}/action-items", {"title": "Send the accounts"}).json["data"]["_id"]
    path = f"{meeting.path}/action-items/{task}/unregistered-assignee"
    assert owner.client.put(path, {"unregisteredUserId": anna}).status == 200
    board.world.pass_time(seconds=30)
    assert meeting.patch(status="completed").status == 200


def _merge(board: Board, meeting: MeetingScenario, ann: Person) -> None:
    """Everything of Anna's becomes the member's."""
    owner = board.scenario.owner.client
    members = owner.all(f"{board.scenario.path}/members")
    member_id = next(each["id"] for each in members if each["userId"] == ann.id)
    path = f"{people(board.scenario)}/{board.people['anna']['id']}/merge"
    expected = {"agendaItems": 1, "attendances": 1, "actionItems": 1, "guestVotes": 1, "rsvps": 1}
    for dry_run in (True, False):
        merged = owner.post(path, {"memberId": member_id, "dryRun": dry_run})
        assert (merged.status, merged.data["moved"]) == (200, expected)
    rsvps = {entry["userId"]: entry["status"] for entry in owner.get(f"{meeting.path}/rsvps").data}
    assert rsvps[ann.id] == "accepted"
    (slot,) = [each for each in meeting.listed() if each["feedbacks"] and each["id"] == meeting.listed()[0]["id"]]
    assert next(each["vote"] for each in slot["feedbacks"] if each["userId"] == ann.id) == "ok"
