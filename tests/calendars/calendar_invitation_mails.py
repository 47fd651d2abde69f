"""Meetings that are mailed as invitations, and what their mails say."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import icalendar

from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.meeting_scenario import MeetingScenario, from_now
from tests.harness.outbox import Outbox
from tests.harness.stream import event_records, process_records


def schedule(scenario: BoardScenario, client: Client | None = None, **members: Any) -> MeetingScenario:
    body = {"title": "Spring", "status": "scheduled", "startTime": from_now(days=3), **members}
    created = (client or scenario.owner.client).post(f"{scenario.path}/meetings", body)
    assert created.status == 201, created.text
    return MeetingScenario(scenario, f"{scenario.path}/meetings/{created.data['id']}")


def settle(scenario: BoardScenario) -> None:
    """Delivers every event of the board again, as often as the queue asks for it."""
    assert process_records(event_records(scenario.board_id)) == []


def calendar_of(mail: EmailMessage) -> icalendar.Calendar:
    parsed = icalendar.Calendar.from_ical(calendar_text(mail))
    assert isinstance(parsed, icalendar.Calendar)
    (inline,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    assert inline.get_param("method") == str(parsed["method"])
    return parsed


def calendar_text(mail: EmailMessage) -> bytes:
    """Returns the calendar of a mail, which is a part to show and an attachment."""
    (inline,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    (attached,) = [part for part in mail.walk() if part.get_content_type() == "application/ics"]
    text: Any = inline.get_payload(decode=True)
    assert text == attached.get_payload(decode=True)
    assert isinstance(text, bytes)
    return text


def told(outbox: Outbox) -> list[tuple[str, str, str, int]]:
    """What the mails say: recipient, method, title, sequence."""
    said = []
    for mail in outbox.mails:
        calendar = calendar_of(mail)
        (event,) = calendar.walk("VEVENT")
        said.append((str(mail["To"]), str(calendar["method"]), str(event["summary"]), int(str(event["sequence"]))))
    return said
