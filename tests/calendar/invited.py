"""A meeting that a member was invited to by mail, and the member's answers from a calendar."""

from __future__ import annotations

from tests.calendar.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendar.mails import deliver, itip, mail, reply
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.meeting_scenario import MeetingScenario
from tests.harness.outbox import Outbox


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
