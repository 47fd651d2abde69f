"""A meeting that a member was invited to by mail, and the member's answers from a calendar."""

from __future__ import annotations

from tests.calendars.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendars.mails import deliver, itip, mail, moved, reply
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.meeting_scenario import MeetingScenario
from tests.harness.outbox import Outbox
from tests.harness.table_snapshot import TableSnapshot


def want_calendar_invitations(user: Person, wanted: bool = True) -> None:
    """Switches invitations by mail on or off."""
    response = user.client.put("/api/v1/me/calendar", {"invitations": wanted})
    assert response.status == 200
    assert user.client.get("/api/v1/me/calendar").data == response.data


def new_invited(scenario: BoardScenario, outbox: Outbox) -> Invited:
    """Invites Ben, a collaborator who wants invitations, to a meeting."""
    ben = scenario.member("ben")
    want_calendar_invitations(ben)
    return Invited(scenario, ben, outbox)


class Invited:
    """A meeting that Ben is invited to, the event in the mail and the address for the reply."""

    def __init__(self, scenario: BoardScenario, ben: Person, outbox: Outbox) -> None:
        self.scenario, self.ben, self.outbox = scenario, ben, outbox
        self.meeting: MeetingScenario = schedule(scenario)
        self.refresh()

    def refresh(self) -> None:
        """Delivers the events so far, and takes the newest mail for the invitation."""
        settle(self.scenario)
        (self.event,) = calendar_of(self.outbox.last).walk("VEVENT")
        self.address = str(self.outbox.last["Reply-To"])

    def answer(self, status: str, **properties: str) -> str | None:
        """Sends Ben's reply; returns why it was set aside."""
        return deliver(mail(self.ben.email, self.address, reply(self.event, status, self.ben.email, **properties)))[0]

    def ask(self, method: str, *lines: str, **properties: str) -> str | None:
        """Sends a request or a cancellation of Ben's."""
        return deliver(mail(self.ben.email, self.address, itip(method, self.event, *lines, **properties)))[0]

    @property
    def rsvp(self) -> tuple[str, str | None]:
        entries = self.scenario.owner.client.get(f"{self.meeting.path}/rsvps").data
        (entry,) = [entry for entry in entries if entry["userId"] == self.ben.id]
        return entry["status"], entry["comment"]

    @property
    def times(self) -> tuple[str | None, str | None]:
        data = self.scenario.owner.client.get(self.meeting.path).data
        return data["startTime"], data["endTime"]


def notified(user: Person) -> list[str]:
    return [row["type"] for row in user.client.get("/api/notification/").json]


class Target:
    """An invited member's good mails, and the table before they are sent."""

    def __init__(self, invited: Invited) -> None:
        self.invited = invited
        self.before = TableSnapshot()
        self.reply = self.of(reply(invited.event, "ACCEPTED", invited.ben.email))
        self.move = self.of(itip("REQUEST", invited.event, *moved(), SEQUENCE="1"))

    def of(self, calendar: str) -> bytes:
        """Returns a mail from the member with this calendar."""
        return mail(self.invited.ben.email, self.invited.address, calendar)

    def send(self, raw: bytes) -> str | None:
        """Sends a mail. Returns why it was set aside, which changes nothing; what was done is undone."""
        (reason,) = deliver(raw)
        if reason is None:
            self.before.restore()
        else:
            assert self.before.changes() == {}
        return reason

    def answer_in(self, raw: bytes) -> tuple[str, str | None]:
        """Sends a reply, which must be taken; returns the answer that it gave, which is undone."""
        assert deliver(raw) == [None]
        given = self.invited.rsvp
        self.before.restore()
        return given
