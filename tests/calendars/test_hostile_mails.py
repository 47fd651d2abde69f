"""Mails made of anything: none crashes the function, and one that is set aside has changed nothing in the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from governance.calendars import reader
from governance.limits import CALENDAR_BYTES, CALENDAR_COMPONENTS
from governance.mail import received
from governance.mail.received import MailRefused, Refusal
from tests.calendars.invited import Target
from tests.calendars.mails import deliver, itip, mail, moved, reply, results

pytestmark = pytest.mark.usefixtures("bucket")

HEADERS = ("From", "To", "Authentication-Results", "Content-Type", "Content-Transfer-Encoding", "X-SES-Spam-Verdict")
PROPERTIES = ("UID", "DTSTAMP", "SEQUENCE", "ATTENDEE", "DTSTART", "DTEND", "DURATION", "COMMENT", "METHOD", "TZID")
_fuzz = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


def test_the_unchanged_mails_are_acted_on(target: Target) -> None:
    assert [target.send(target.reply), target.send(target.move)] == [None, None]


@pytest.mark.slow
@_fuzz
@given(st.binary(max_size=2000))
def test_bytes_are_no_mail(target: Target, raw: bytes) -> None:
    assert target.send(raw) is not None


@pytest.mark.slow
@_fuzz
@given(st.data())
def test_a_damaged_mail_is_acted_on_or_set_aside(target: Target, data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from([target.reply, target.move])))
    changes = st.lists(st.tuples(st.integers(0, len(raw) - 1), st.integers(0, 255)), min_size=1, max_size=20)
    for at, value in data.draw(changes):
        raw[at] = value
    target.send(bytes(raw))


@pytest.mark.slow
@_fuzz
@given(
    st.sampled_from(HEADERS),
    st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")),
    st.sampled_from([1, 10, 100, 1000]),
)
def test_a_strange_header_is_read_or_set_aside(target: Target, name: str, value: str, times: int) -> None:
    target.send(f"{name}: {value * times}\r\n".encode("utf-8", "surrogatepass") + target.reply)


@pytest.mark.slow
@_fuzz
@given(
    st.lists(st.tuples(st.sampled_from(PROPERTIES), st.text(max_size=20), st.text(max_size=60)), min_size=1, max_size=8)
)
def test_a_strange_calendar_is_read_or_set_aside(target: Target, lines: list[tuple[str, str, str]]) -> None:
    written = [f"{name}{';' + parameter if parameter else ''}:{value}" for name, parameter, value in lines]
    calendar = itip("REQUEST", target.invited.event, *written, SEQUENCE="1").encode("utf-8", "replace")
    target.send(target.of(calendar.decode()))


def head(target: Target, **headers: str) -> bytes:
    """Returns the headers of a verified mail of the member, with some replaced."""
    return mail(target.invited.ben.email, target.invited.address, None, **headers).partition(b"Content-Type")[0]


Mail = Callable[[Target], bytes]


def _headers(**headers: str) -> Mail:
    return lambda target: head(target, **headers) + b"\r\n"


def _of_type(content_type: bytes, body: bytes = b"\xff\xfe") -> Mail:
    return lambda target: head(target) + b"Content-Type: " + content_type + b"\r\n\r\n" + body


def _calendar(*lines: str, **properties: str) -> Mail:
    return lambda t: t.of(itip("REQUEST", t.invited.event, *lines, SEQUENCE="1", **properties))


HOSTILE: dict[str, tuple[Refusal, Mail]] = {
    "groups in the sender": (Refusal.NO_SENDER, _headers(From="a:" * 2000)),
    "comments in the sender": (Refusal.NO_SENDER, _headers(From="(" * 8000)),
    "a long header": (Refusal.TOO_LARGE, _headers(To="(" * 20_000)),
    "a long folded header": (Refusal.TOO_LARGE, _headers(X="a\r\n " * 6000)),
    "many headers": (Refusal.TOO_LARGE, lambda t: b"X: y\r\n" * 12_000 + t.reply),
    "a parameter with many semicolons": (Refusal.TOO_LARGE, _of_type(b'text/plain; a="' + b";" * 300_000 + b'"')),
    "long headers of a part": (
        Refusal.TOO_LARGE,
        _of_type(
            b"multipart/mixed; boundary=x", b'--x\r\nContent-Type: text/plain; a="' + b";" * 20_000 + b'"\r\n\r\n'
        ),
    ),
    "many parts": (Refusal.TOO_LARGE, _of_type(b"multipart/mixed; boundary=x", b"--x\r\n\r\n" * 51)),
    "a charset with a null": (Refusal.NO_CALENDAR, _of_type(b'text/plain; charset="a\0b"')),
    "a calendar's charset with a null": (Refusal.BAD_CALENDAR, _of_type(b'text/calendar; charset="a\0b"')),
    "a charset of names": (Refusal.BAD_CALENDAR, _of_type(b"text/calendar; charset=idna")),
    "an undefined charset": (Refusal.BAD_CALENDAR, _of_type(b"text/calendar; charset=undefined")),
    "a boundary in a charset with a null": (Refusal.UNREADABLE, _of_type(b"multipart/mixed; boundary*=a%00b''x")),
    "no boundary": (
        Refusal.NO_CALENDAR,
        _of_type(b"multipart/mixed", b"--\r\nContent-Type: text/calendar\r\n\r\nx\r\n"),
    ),
    "a calendar without end": (Refusal.BAD_CALENDAR, lambda t: t.of("BEGIN:VCALENDAR\r\n" * 50)),
    "a calendar that ends twice": (Refusal.BAD_CALENDAR, lambda t: t.of("BEGIN:VEVENT\r\nEND:VCALENDAR\r\n")),
    "a folder as zone": (Refusal.BAD_CALENDAR, _calendar("DTSTART;TZID=Europe:20990101T000000")),
    "a path as zone": (Refusal.BAD_CALENDAR, _calendar("DTSTART;TZID=../../etc/passwd:20990101T000000")),
    "a long zone": (Refusal.BAD_CALENDAR, _calendar(f"DTSTART;TZID={'a' * 5000}:20990101T000000")),
    "a deep zone": (Refusal.BAD_CALENDAR, _calendar(f"DTSTART;TZID={'/a' * 20_000}:20990101T000000")),
    "the zone of the machine": (Refusal.BAD_CALENDAR, _calendar("DTSTART;TZID=localtime:20990101T000000")),
    "no such day": (Refusal.BAD_CALENDAR, _calendar("DTSTART:99999999T999999Z")),
    "the end of time": (Refusal.BAD_CALENDAR, _calendar("DTSTART:99991231T233000Z")),
    "a long duration": (Refusal.BAD_CALENDAR, _calendar("DTSTART:20990101T000000Z", "DURATION:P99999999999999W")),
    "a large number": (Refusal.BAD_CALENDAR, lambda t: t.of(itip("REQUEST", t.invited.event, SEQUENCE="9" * 5000))),
    "two revisions": (Refusal.BAD_CALENDAR, _calendar(*moved(), "SEQUENCE:7")),
    "a large calendar": (
        Refusal.BAD_CALENDAR,
        _calendar(*moved(), *[f"X-{n}:{'x' * 1000}" for n in range(CALENDAR_BYTES // 1000)]),
    ),
    "many components": (
        Refusal.BAD_CALENDAR,
        _calendar(*moved(), *["BEGIN:VALARM", "END:VALARM"] * (CALENDAR_COMPONENTS - 1)),
    ),
    "two events": (Refusal.BAD_CALENDAR, _calendar(*moved(), "END:VEVENT", "BEGIN:VEVENT")),
    "two calendars": (
        Refusal.BAD_CALENDAR,
        _calendar(*moved(), "END:VEVENT", "END:VCALENDAR", "BEGIN:VCALENDAR", "BEGIN:VEVENT"),
    ),
}


def test_mails_made_to_break_readers_are_set_aside(target: Target) -> None:
    reasons = {name: target.send(hostile(target)) for name, (_, hostile) in HOSTILE.items()}
    assert reasons == {name: reason for name, (reason, _) in HOSTILE.items()}


def test_comments_without_end_in_the_recipient_stop_nothing(target: Target) -> None:
    good = mail(
        target.invited.ben.email,
        f"{target.invited.address} {'(' * 8000}",
        reply(target.invited.event, "ACCEPTED", target.invited.ben.email),
    )
    assert target.send(good) is None


def test_the_largest_calendar_and_the_most_components_are_read(target: Target) -> None:
    assert target.send(_calendar(*moved(), *["BEGIN:VALARM", "END:VALARM"] * (CALENDAR_COMPONENTS - 2))(target)) is None
    assert target.send(_calendar(*moved(), f"X:{'x' * (CALENDAR_BYTES - 600)}")(target)) is None


ZONE = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+1400
TZOFFSETTO:+1400
{rule}
END:STANDARD
END:VTIMEZONE
"""


def move_in(
    target: Target, zone: str, *, rule: str = "X-RULE:none", sender: str | None = None, defines: bool = True
) -> str | None:
    """Sends a move to ten o'clock in a zone, which the mail defines as far in the east."""
    calendar = itip("REQUEST", target.invited.event, f"DTSTART;TZID={zone}:20990115T100000", SEQUENCE="1")
    defined = ZONE.format(name=zone, rule=rule).replace("\n", "\r\n") if defines else ""
    text = calendar.replace("BEGIN:VEVENT", f"{defined}BEGIN:VEVENT", 1)
    return deliver(mail(sender or target.invited.ben.email, target.invited.address, text))[0]


ZONES = (
    "W. Europe Standard Time",
    "Europe/Paris",
    "/freeassociation.sourceforge.net/Europe/Paris",
    "/x.org/1_2/Europe/Paris",
)


@pytest.mark.parametrize("rule", ["X-RULE:none", "RRULE:FREQ=SECONDLY", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"])
def test_a_zone_is_what_the_database_says_and_not_the_mail(target: Target, rule: str) -> None:
    for zone in ZONES:
        assert move_in(target, zone, rule=rule) is None
        assert target.invited.times[0] == "2099-01-15T09:00:00.000Z"
        target.before.restore()


def test_a_zone_that_a_mail_made_up_is_unknown_to_the_next_one(target: Target) -> None:
    assert move_in(target, "Customized Time Zone", sender="eve@evil.org") == Refusal.UNKNOWN_ADDRESS
    assert move_in(target, "Customized Time Zone", defines=False) == Refusal.BAD_CALENDAR
    assert move_in(target, "Customized Time Zone", rule="RRULE:FREQ=SECONDLY") == Refusal.BAD_CALENDAR
    assert move_in(target, "Customized Time Zone") is None
    assert target.invited.times[0] == "2099-01-14T20:00:00.000Z"
    target.before.restore()
    assert move_in(target, "Customized Time Zone", defines=False) == Refusal.BAD_CALENDAR


def test_the_calendar_of_a_stranger_is_not_read(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> Any:
        raise AssertionError("the calendar was read")

    monkeypatch.setattr(reader, "read", fail)
    assert target.send(mail("eve@evil.org", target.invited.address, "x")) == Refusal.UNKNOWN_ADDRESS
    assert target.send(mail(target.invited.ben.email, "meetings@x.org", "x")) == Refusal.UNKNOWN_ADDRESS


def test_a_mail_that_is_not_verified_is_not_read_to_its_end(target: Target) -> None:
    broken = b"Content-Type: multipart/mixed; boundary*=a%00b''x\r\n\r\n"
    assert target.send(head(target, Authentication_Results=results("evil.org")) + broken) == Refusal.UNVERIFIED


def test_a_refusal_says_nothing_of_the_mail(target: Target) -> None:
    secret = "a-very-private-word"
    with pytest.raises(MailRefused) as refused:
        received.parse(target.reply.replace(b"ben@", secret.encode() + b"@@", 1))
    shown: Any = json.dumps([str(refused.value), repr(refused.value)])
    assert secret not in shown
