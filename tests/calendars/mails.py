"""Writes mails as calendar programs send them and as the mail service stores them, and hands them to the function."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from governance import instants
from governance.deliveries.worker import HANDLERS
from governance.models.queue import DeliveryKind
from governance.settings import settings
from governance.store import due
from tests.harness import sdk
from tests.harness.client import FUNCTIONS, load
from tests.harness.privileges import acting_as

_handler = load(FUNCTIONS / "inbound" / "handler.py").lambda_handler


def stamp(instant: str) -> str:
    """Writes an instant as calendars do."""
    return instant[:19].replace("-", "").replace(":", "") + "Z"


def reply(event: Any, status: str, email: str, **properties: str) -> str:
    """Writes the calendar with which an attendee answers to an invitation."""
    attendee = f"ATTENDEE;PARTSTAT={status}:mailto:{email}"
    return itip("REPLY", event, attendee, **properties)


def itip(method: str, event: Any, *lines: str, **properties: str) -> str:
    """Writes a calendar about the event of an invitation; properties that are given replace the usual ones."""
    usual = {
        "UID": str(event["uid"]),
        "DTSTAMP": stamp(instants.now()),
        "SEQUENCE": str(event["sequence"]),
        "ORGANIZER": str(event["organizer"]),
    }
    written = {**usual, **properties}
    body = [f"{name}:{value}" for name, value in written.items() if value]
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", f"METHOD:{method}", "BEGIN:VEVENT")
    return "\r\n".join([*head, *body, *lines, "END:VEVENT", "END:VCALENDAR", ""])


def results(domain: str) -> str:
    """Writes the header of the mail service for a mail that SPF and DKIM verify."""
    return (
        f"amazonses.com; spf=pass (spfCheck: domain of {domain} designates 192.0.2.1 as permitted sender) "
        f"client-ip=192.0.2.1; envelope-from=bounce@{domain}; helo=mail.{domain}; dkim=pass header.i=@{domain}; "
        f"dmarc=pass header.from={domain};"
    )


def received_spf(authentication_results: str) -> str:
    """Returns the mail service's other header, which says the same of SPF; empty if the results say nothing of it."""
    stated = re.search(r"spf=(.*?helo=[^;]*;)", authentication_results, re.DOTALL)
    return stated[1] if stated else ""


def mail(sender: str, to: str, calendar: str | None, **headers: str) -> bytes:
    """Writes a mail with a calendar in it, as the mail service stores it; headers that are given replace others."""
    domain = sender.rpartition("@")[2]
    usual = {
        "X-SES-Spam-Verdict": "PASS",
        "X-SES-Virus-Verdict": "PASS",
        "Authentication-Results": results(domain),
        "Received-SPF": received_spf(results(domain)),
        "From": f"Somebody <{sender}>",
        "To": to,
        "Subject": "Accepted: Spring",
    }
    message = EmailMessage(policy=SMTP)
    message.set_content("Somebody has answered.")
    if calendar is not None:
        message.add_alternative(calendar, subtype="calendar", params={"method": "REPLY"}, cte="base64")
    given = usual | {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value)
    return head.encode() + message.as_bytes()


def deliver(*mails: bytes) -> list[str | None]:
    """Hands mails to the function in one event. Returns the reason of each that it set aside."""
    event = store(*mails)
    refused = handle(event)
    return [refused.get(record["s3"]["object"]["key"]) for record in event["Records"]]


def store(*mails: bytes) -> dict[str, Any]:
    """Stores mails as the mail service does. Returns the event of the bucket that tells of them."""
    client = sdk.s3()
    keys = [f"received/{number}" for number in range(len(mails))]
    records = []
    for key, raw in zip(keys, mails, strict=True):
        client.put_object(Bucket=settings().bucket_name, Key=key, Body=raw)
        records.append({"s3": {"bucket": {"name": settings().bucket_name}, "object": {"key": key}}})
    return {"Records": records}


def handle(event: dict[str, Any]) -> dict[str, str]:
    """Hands an event to the function. Returns the reasons of the mails that it set aside, by their keys."""
    with acting_as("inbound"):
        refused: dict[str, str] = _handler(event, None)
    return refused


def create_mailed_comments() -> None:
    """Creates the comments that members have mailed, as the deliveries do within a minute."""
    soon = instants.shift(instants.now(), minutes=1)
    messages = [message for found in due.due_before(soon, 25) for message in found.values()]
    with acting_as("deliveries"):
        for message in messages:
            if message.kind is DeliveryKind.MAILED_COMMENT:
                assert [*HANDLERS[message.kind](message.body)] == []


def moved(**changes: Any) -> list[str]:
    """Returns the lines of a calendar that move a meeting."""
    times = {"DTSTART;TZID=Europe/Paris": "20990301T100000", "DTEND": "20990301T103000Z"} | changes
    return [f"{name}:{value}" for name, value in times.items() if value]
