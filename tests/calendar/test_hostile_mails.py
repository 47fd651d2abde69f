"""Mails made of anything: none crashes the function, and none changes anything that its sender may not change."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from governance.calendars import reader
from governance.mail import received
from governance.mail.received import MailRefused
from tests.calendar.mails import itip, mail

EVENT = {"uid": f"{'a' * 24}@x", "sequence": 0, "organizer": "mailto:x@example.com"}
GOOD = mail("ben@example.com", f"meetings+{'a' * 32}@x.org", itip("REPLY", EVENT, "ATTENDEE:mailto:ben@example.com"))
HEADERS = ("From", "To", "Authentication-Results", "Content-Type", "Content-Transfer-Encoding", "X-SES-Spam-Verdict")
PROPERTIES = ("UID", "DTSTAMP", "SEQUENCE", "ATTENDEE", "DTSTART", "DTEND", "DURATION", "COMMENT", "METHOD", "TZID")
_fuzz = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def parsed(raw: bytes) -> bool:
    """Reads a mail to its end. Returns whether it is one to act on; raises for a crash."""
    try:
        message = reader.read(received.parse(raw).calendar)
        for question in (lambda: message.answer("ben@example.com"), message.times):
            try:
                question()
            except MailRefused:
                continue
    except MailRefused:
        return False
    return True


def test_the_unchanged_mail_is_read() -> None:
    assert parsed(GOOD)


@_fuzz
@given(st.binary(max_size=2000))
def test_bytes_are_no_mail(raw: bytes) -> None:
    assert not parsed(raw)


@_fuzz
@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=20))
def test_a_damaged_mail_crashes_nothing(changes: list[tuple[int, int]]) -> None:
    raw = bytearray(GOOD)
    for at, value in changes:
        raw[at] = value
    parsed(bytes(raw))


@_fuzz
@given(st.sampled_from(HEADERS), st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_a_strange_header_crashes_nothing(name: str, value: str) -> None:
    parsed(f"{name}: {value}\r\n".encode("utf-8", "surrogatepass") + GOOD)


@_fuzz
@given(
    st.lists(st.tuples(st.sampled_from(PROPERTIES), st.text(max_size=20), st.text(max_size=60)), min_size=1, max_size=8)
)
def test_a_strange_calendar_crashes_nothing(lines: list[tuple[str, str, str]]) -> None:
    written = [f"{name}{';' + parameter if parameter else ''}:{value}" for name, parameter, value in lines]
    calendar = itip("REQUEST", EVENT, *written).encode("utf-8", "surrogatepass")
    try:
        text = calendar.decode()
    except UnicodeDecodeError:
        return
    try:
        message = reader.read(text)
        message.times()
    except MailRefused:
        return


@pytest.mark.parametrize(
    "content",
    [
        "BEGIN:VCALENDAR\r\n" * 5000,
        "BEGIN:VEVENT\r\nEND:VCALENDAR\r\n",
        "\r\n ".join("x" * 10 for _ in range(3000)),
        itip("REPLY", EVENT, "DTSTART;TZID=../../etc/passwd:20990101T000000"),
        itip("REPLY", EVENT, "DTSTART:99999999T999999Z"),
        itip("REPLY", EVENT, "DURATION:P99999999999999W"),
        itip("REPLY", EVENT, "SEQUENCE:" + "9" * 5000),
    ],
)
def test_a_calendar_made_to_break_readers_is_set_aside_or_read(content: str) -> None:
    parsed(mail("ben@example.com", "x@example.com", content))


def test_a_refusal_says_nothing_of_the_mail() -> None:
    secret = "a-very-private-word"
    with pytest.raises(MailRefused) as refused:
        reader.read(received.parse(GOOD.replace(b"ben@", secret.encode() + b"@", 1)).calendar).times()
    shown: Any = json.dumps([str(refused.value), repr(refused.value)])
    assert secret not in shown
