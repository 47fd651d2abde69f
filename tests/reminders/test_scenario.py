"""Eight people from their invitation to a booked, moved and cancelled meeting; every mail is read as they read it.

Olivia owns the board. Ann votes and accepts, Ben votes late, Cleo has turned vote requests off, Dan declines, Eve wants
no invitations, Finn reads in New York, and Gus is a guest of the board, who votes on nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from governance import instants
from governance.store import notifications
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario
from tests.harness.outbox import text_of
from tests.reminders.conftest import World

NAMES = ("ann", "ben", "cleo", "dan", "eve", "finn", "gus")
PARIS = ZoneInfo("Europe/Paris")
INVITED = "Olivia Tester invites you to the board Board"
VOTE = "Vote on 3 new times for the meeting “Spring”."
ENDS_SOON = "The vote on the times of the meeting “Spring” ends soon, and you have not voted."
ASKED = "Olivia Tester asks you to vote on the times of the meeting “Spring”."
TOMORROW = "The meeting “Spring” is tomorrow."


def _day(days: int) -> str:
    return f"{instants.shift(instants.now(), days=days)[:10]}T10:00:00Z"


class Cast:
    """The seven who are invited, by name, and the owner."""

    def __init__(self, world: World) -> None:
        self.world, self.board = world, world.board
        self.owner = world.board.owner
        self.people = {name: person(name) for name in NAMES}

    def __getitem__(self, name: str) -> Person:
        return self.people[name]

    def new_mails(self) -> dict[str, list[EmailMessage]]:
        """Returns the mails since the last call, by the name of their reader."""
        self.world.deliver()
        mails, self.world.outbox.raw = self.world.outbox.mails, []
        names = {user.email: name for name, user in {**self.people, "olivia": self.owner}.items()}
        found: dict[str, list[EmailMessage]] = {}
        for mail in mails:
            found.setdefault(names[str(mail["To"])], []).append(mail)
        return found

    def new_subjects(self) -> dict[str, list[str]]:
        """Returns the subjects of the mails since the last call; a mail that breaks a rule of all mails fails."""
        found = self.new_mails()
        for mail in (mail for mails in found.values() for mail in mails):
            check_mail(mail)
        return {name: [str(mail["Subject"]) for mail in mails] for name, mails in found.items()}

    def told(self, *types: str) -> set[str]:
        """Returns the names of those who have a notification of one of these types."""
        self.world.deliver()
        everyone = {**self.people, "olivia": self.owner}
        return {
            name
            for name, user in everyone.items()
            if any(each.type in types and each.in_app for each in notifications.newest(user.id))
        }


def check_mail(mail: EmailMessage) -> None:
    """Asserts what holds of every mail to a member: it says why it came, leads to a page, and can be turned off."""
    text = text_of(mail)
    assert "This e-mail was sent to " + str(mail["To"]) in text
    assert "/boards/" in text
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "/api/v1/unsubscribe/" in str(mail["List-Unsubscribe"])
    assert {"text/plain", "text/html"} <= {part.get_content_type() for part in mail.walk()}


def calendars(mail: EmailMessage) -> Iterator[icalendar.Calendar]:
    """Yields the calendars in a mail: the part that programs read, and the file attached."""
    for part in mail.walk():
        if part.get_content_type() in {"text/calendar", "application/ics"}:
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            parsed = icalendar.Calendar.from_ical(content)
            assert isinstance(parsed, icalendar.Calendar)
            yield parsed


def event_of(mail: EmailMessage, method: str) -> Any:
    """Returns the one event of a calendar mail; its parts say the same."""
    parsed = list(calendars(mail))
    assert len(parsed) == 2
    assert parsed[0].to_ical() == parsed[1].to_ical()
    assert str(parsed[0]["method"]) == method
    (event,) = parsed[0].walk("VEVENT")
    assert [str(each) for each in (event["attendee"],)] == [f"mailto:{mail['To']}"]
    return event


@pytest.fixture
def cast(world: World) -> Cast:
    """The eight people; seven of them are not members yet."""
    return Cast(world)


def join_all(cast: Cast, scenario: BoardScenario) -> None:
    """Invites the seven by mail; each finds the invite, and joins by it."""
    path = f"/api/invite/{scenario.board_id}"
    for name in NAMES:
        access = "guest" if name == "gus" else "collaborator"
        body = {"inviteeEmail": cast[name].email, "accessType": access}
        invite = cast.owner.client.post(path, body).json["inviteId"]
        assert cast.owner.client.post(f"/api/invite/{invite}/send-email").status == 200
    mails = cast.new_mails()
    assert {name: [str(mail["Subject"]) for mail in found] for name, found in mails.items()} == {
        name: [INVITED] for name in NAMES
    }
    for name in NAMES:
        (waiting,) = cast[name].client.get("/api/v1/me/invites").data
        assert cast[name].client.put(f"/api/invite/accept/{waiting['inviteId']}").status == 200
        assert cast[name].client.get("/api/v1/me/invites").data == []
    cast.world.deliver()
    cast.world.outbox.raw.clear()


def choose_mails(cast: Cast) -> None:
    """Cleo wants no vote requests, Eve no invitations; Finn is in New York."""
    assert cast["cleo"].client.put("/api/v1/me/calendar", {"voteRequests": False}).status == 200
    assert cast["eve"].client.put("/api/v1/me/calendar", {"invitations": False}).status == 200
    assert cast["finn"].client.patch("/api/v1/me", {"timezone": "America/New_York"}).status == 200


def collect_votes(cast: Cast, meeting: MeetingScenario) -> list[dict[str, Any]]:
    """Asks for votes on three times; all but Ben and Cleo vote, and Ben only when asked by hand."""
    slots = [meeting.slot(_day(days), durationInMinutes=90) for days in (20, 21, 22)]
    cast.world.pass_time(seconds=61)
    voters = ("ann", "ben", "dan", "eve", "finn")
    assert cast.new_subjects() == {name: [VOTE] for name in voters}
    closes_at = instants.shift(instants.now(), days=3)
    assert cast.owner.client.put(f"{meeting.path}/poll", {"closesAt": closes_at}).status == 200
    for name in ("ann", "dan", "eve", "finn"):
        assert meeting.vote(cast[name].client, slots[1]).status == 200
    assert meeting.vote(cast.owner.client, slots[1]).status == 200
    assert meeting.vote(cast["gus"].client, slots[1]).status == 403
    cast.world.pass_time(hours=12)
    asked = cast.owner.client.post(f"{meeting.path}/reminders", {"about": "votes"})
    assert set(asked.data["recipients"]) == {cast["ben"].id, cast["cleo"].id}
    cast.world.pass_time(minutes=11)
    assert cast.new_subjects() == {"ben": [ASKED]}
    cast.world.pass_time(days=1, hours=12)
    assert cast.new_subjects() == {"ben": [ENDS_SOON]}
    assert cast.told("vote_reminder") == {"ben", "cleo"}
    assert meeting.vote(cast["ben"].client, slots[1]).status == 200
    cast.world.pass_time(days=1)
    late = meeting.vote(cast["cleo"].client, slots[1])
    assert (late.failure, late.details["reason"]) == ((409, "CONFLICT"), "SLOT_VOTES_CLOSED")
    assert cast.new_subjects() == {}
    return slots


def read_calendar_mails(cast: Cast, method: str) -> dict[str, Any]:
    """Reads the calendar mails since the last call; returns their events by the reader's name."""
    found = cast.new_mails()
    assert found.keys() == {"olivia", "ann", "ben", "cleo", "dan", "finn", "gus"}
    events = {}
    for name, (mail,) in found.items():
        check_mail(mail)
        events[name] = event_of(mail, method)
    assert len({str(event["uid"]) for event in events.values()}) == 1
    return events


@pytest.mark.slow
def test_eight_people_from_their_invitation_to_the_end_of_their_meeting(cast: Cast, scenario: BoardScenario) -> None:
    join_all(cast, scenario)
    choose_mails(cast)
    meeting = new_meeting_scenario(scenario)
    _, slot, other = collect_votes(cast, meeting)

    assert meeting.confirm(slot).status == 200
    booked = read_calendar_mails(cast, "REQUEST")
    check_times(booked, slot)
    assert cast.told("meeting_scheduled") == set(NAMES)

    assert meeting.confirm(other).status == 200
    moved = read_calendar_mails(cast, "REQUEST")
    check_times(moved, other)
    assert all(moved[name]["sequence"] > booked[name]["sequence"] for name in moved)
    assert cast.told("meeting_changed") == set(NAMES)

    answers = {"ann": "accepted", "ben": "tentative", "dan": "declined"}
    for name, status in answers.items():
        assert cast[name].client.put(f"{meeting.path}/rsvp", {"status": status}).status == 200
    cast.world.deliver()
    cast.world.outbox.raw.clear()
    start = instants.to_datetime(other["startTime"])
    until_reminder = start - instants.to_datetime(instants.now())
    cast.world.pass_time(seconds=until_reminder.total_seconds() - 24 * 3600 + 2)
    check_reminders(cast.new_mails(), start)
    assert cast.told("meeting_reminder") == {"olivia", "ann", "cleo", "eve", "finn", "gus"}

    assert cast.owner.client.delete(meeting.path).status == 200
    cancelled = read_calendar_mails(cast, "CANCEL")
    assert all(cancelled[name]["sequence"] > moved[name]["sequence"] for name in cancelled)
    assert {str(event["status"]) for event in cancelled.values()} == {"CANCELLED"}
    assert cast.told("meeting_cancelled") == set(NAMES)
    cast.world.pass_time(days=2)
    assert cast.new_subjects() == {}


def check_times(events: dict[str, Any], slot: dict[str, Any]) -> None:
    """Asserts that each calendar has the slot's start in the slot's zone, and its length."""
    start = instants.to_datetime(slot["startTime"])
    assert {event["dtstart"].dt for event in events.values()} == {start.astimezone(PARIS)}
    assert {str(event["dtstart"].params["TZID"]) for event in events.values()} == {"Europe/Paris"}
    assert {(event["dtend"].dt - event["dtstart"].dt).total_seconds() for event in events.values()} == {90 * 60}


def check_reminders(mails: dict[str, list[EmailMessage]], start: datetime) -> None:
    """Asserts who is reminded by mail: all but the undecided, who declined, and who wants none; each in their zone."""
    assert {name: [str(mail["Subject"]) for mail in found] for name, found in mails.items()} == {
        name: [TOMORROW] for name in ("olivia", "ann", "cleo", "finn", "gus")
    }
    (mail,) = mails["finn"]
    check_mail(mail)
    in_paris, in_new_york = (start.astimezone(ZoneInfo(zone)) for zone in ("Europe/Paris", "America/New_York"))
    assert f"{in_new_york:%H:%M}" in text_of(mail)
    assert f"{in_paris:%H:%M}" in text_of(mail)


def test_one_click_turns_off_what_the_mail_belongs_to_and_nothing_else(cast: Cast, scenario: BoardScenario) -> None:
    join_all(cast, scenario)
    meeting = new_meeting_scenario(scenario)
    meeting.slot(_day(20))
    cast.world.pass_time(seconds=61)
    (mail,) = cast.new_mails()["ann"]
    path = "/api/v1" + str(mail["List-Unsubscribe"]).strip("<>").partition("/api/v1")[2]
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert Client().call("POST", path, raw="List-Unsubscribe=One-Click", headers=form).status == 200
    meeting.slot(_day(21))
    cast.world.pass_time(minutes=12)
    assert "ann" not in cast.new_subjects()
    assert meeting.patch(startTime=_day(22)).status == 200
    assert len(cast.new_mails()["ann"]) == 1
    assert "ann" in cast.told("slot_proposed")
