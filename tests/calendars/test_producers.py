"""Replies as many programs write them: the verified sender and the token say who answers, not how it is written."""

from __future__ import annotations

import base64
from collections.abc import Callable
from quopri import encodestring

import pytest

from governance.mail.received import Refusal
from tests.calendars.invited import Invited, Target
from tests.calendars.mails import deliver, itip, mail, reply

pytestmark = pytest.mark.usefixtures("bucket")
Reply = Callable[[Invited], bytes]
_ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "base64": base64.encodebytes,
    "quoted-printable": encodestring,
    "8bit": bytes,
}
EMAIL = "ben@example.com"


def by(sender: str) -> Reply:
    """Returns a reply whose `From` is written so."""
    return lambda i: mail(EMAIL, i.address, reply(i.event, "ACCEPTED", EMAIL), From=sender)


def to(recipient: str) -> Reply:
    return lambda i: mail(EMAIL, recipient.format(i.address), reply(i.event, "ACCEPTED", EMAIL))


def lines(*attendees: str, **properties: str) -> Reply:
    """Returns a reply with these lines and properties; an empty property is left out."""
    return lambda i: mail(EMAIL, i.address, itip("REPLY", i.event, *attendees, **properties))


def of_type(content_type: str, encoding: str, prefix: str = "") -> Reply:
    """Returns a reply whose calendar is a part of another type."""

    def written(invited: Invited) -> bytes:
        head = mail(EMAIL, invited.address, None).partition(b"Content-Type")[0]
        content = (prefix + reply(invited.event, "ACCEPTED", EMAIL)).encode()
        encoded = _ENCODINGS[encoding](content)
        part = f"Content-Type: {content_type}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()
        text = b"--x\r\nContent-Type: text/plain\r\n\r\nBen has accepted.\r\n"
        return (
            head
            + b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n'
            + text
            + b"--x\r\n"
            + part
            + encoded
            + b"\r\n--x--"
        )

    return written


OWN = f"ATTENDEE;PARTSTAT=ACCEPTED:mailto:{EMAIL}"
TAKEN: dict[str, Reply] = {
    "a comma in the name": by(f"Doe, Ben <{EMAIL}>"),
    "a comma in an encoded name": by(f"=?utf-8?Q?Do=C3=AB,_Ben?= <{EMAIL}>"),
    "raw UTF-8 in the name": by(f"Doë, Ben (Büro) <{EMAIL}>"),
    "an address as the name": by(f"{EMAIL} <{EMAIL}>"),
    "another address as the name": by(f"ben@home.example.org <{EMAIL}>"),
    "an address in the quoted name": by(f'"ben@home.example.org, Eve <eve@example.org>" <{EMAIL}>'),
    "a name behind the address": by(f"{EMAIL} (Ben (Doe), Ltd.)"),
    "dots, brackets and one quote in the name": by(f'Dr. Ben [Finance] "Doe <{EMAIL}>'),
    "semicolons in the name": by(f"Doe; Ben; <{EMAIL.upper()}>"),
    "the plus of the token as in a URL": lambda i: to(i.address.replace("+", "%2B"))(i),
    "an attendee written as in a URL": lines(f"ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:{EMAIL.replace('@', '%40')}"),
    "a quoted attendee": lines(f'ATTENDEE;PARTSTAT="ACCEPTED":"mailto:{EMAIL}"'),
    "an alias of the attendee": lines("ATTENDEE;PARTSTAT=ACCEPTED:mailto:benjamin@corp.example.com"),
    "an attendee by a path and an address beside it": lines(
        f"ATTENDEE;EMAIL={EMAIL};PARTSTAT=ACCEPTED:/123/principal/", "ATTENDEE;PARTSTAT=DECLINED:mailto:eve@example.com"
    ),
    "an attendee without a scheme": lines(f"ATTENDEE;CN=Doe, Ben: CFO;PARTSTAT=ACCEPTED:{EMAIL}"),
    "an attendee's address as number": lines("ATTENDEE;PARTSTAT=accepted;X-NUM-GUESTS=0:invalid:nomail"),
    "the sender among several attendees": lines("ATTENDEE;PARTSTAT=DECLINED:mailto:eve@example.com", OWN),
    "a scheme in capitals": lines(f"ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:{EMAIL}"),
    "an attendee in capitals": lines(f"ATTENDEE;PARTSTAT=ACCEPTED:mailto:{EMAIL.upper()}"),
    "no stamp": lines(OWN, DTSTAMP=""),
    "a floating stamp": lines(OWN, DTSTAMP="20260101T120000"),
    "a date as stamp": lines(OWN, DTSTAMP="20260101"),
    "a stamp before all time": lines(OWN, DTSTAMP="00010101T000000Z"),
    "a stamp in a zone of the sender's own": lines(
        OWN, "DTSTAMP;TZID=Customized Time Zone:20260101T120000", DTSTAMP=""
    ),
    "a stamp in a zone with a colon": lines(OWN, "DTSTAMP;TZID=tzone://Microsoft/Utc:20990101T120000", DTSTAMP=""),
    "times in zones nobody knows": lines(OWN, "DTSTART;TZID=tzone://Microsoft/Custom:20990101T120000"),
    "a file of any type": of_type('application/octet-stream; name="invite.ics"', "base64"),
    "a text": of_type("text/plain; charset=utf-8", "quoted-printable", "\ufeff\r\n"),
    "a file of another type for calendars": of_type("text/x-vcalendar", "8bit"),
}


def test_a_reply_is_taken_however_its_program_writes_it(target: Target) -> None:
    answers = {program: target.answer_in(written(target.invited))[0] for program, written in TAKEN.items()}
    assert answers == dict.fromkeys(TAKEN, "accepted")


REFUSED: dict[str, tuple[Refusal, Reply]] = {
    "two addresses": (Refusal.NO_SENDER, by(f"eve@example.com, Ben <{EMAIL}>")),
    "two addresses in brackets": (Refusal.NO_SENDER, by(f"<eve@example.com> <{EMAIL}>")),
    "two names with addresses": (Refusal.NO_SENDER, by(f"Eve <eve@example.com>; Ben <{EMAIL}>")),
    "the second address in a name that does not end": (Refusal.NO_SENDER, by(f'Ben <{EMAIL}>, "Eve <eve@example.com>')),
    "an address before a name": (Refusal.NO_SENDER, by(f"<{EMAIL}> eve@example.com")),
    "no address": (Refusal.NO_SENDER, by("Ben")),
    "two headers": (Refusal.NO_SENDER, by(f"Ben <{EMAIL}>\r\nFrom: Ben <{EMAIL}>")),
    "nobody of theirs among several": (
        Refusal.NOT_UNDERSTOOD,
        lines("ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b@example.com"),
    ),
    "no answer": (Refusal.NOT_UNDERSTOOD, lines(f"ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:{EMAIL}")),
    "no time as stamp": (Refusal.BAD_CALENDAR, lines(OWN, DTSTAMP="yesterday")),
    "a file that is not a calendar": (Refusal.NO_CALENDAR, of_type("application/octet-stream", "base64", "x")),
}


def test_what_leaves_open_who_answers_is_set_aside(target: Target) -> None:
    reasons = {program: target.send(written(target.invited)) for program, (_, written) in REFUSED.items()}
    assert reasons == {program: reason for program, (reason, _) in REFUSED.items()}


def test_a_reply_without_a_stamp_counts_from_its_arrival(invited: Invited) -> None:
    assert invited.ben.client.put(f"{invited.meeting.path}/rsvp", {"status": "declined"}).status == 200
    assert invited.answer("ACCEPTED", DTSTAMP="") is None
    assert invited.rsvp[0] == "accepted"
    assert invited.answer("TENTATIVE", DTSTAMP="20200101T000000Z") == Refusal.OUTDATED


CUSTOM = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
"""


def move_in(target: Target, zone: str, local: str, definition: str = CUSTOM) -> bytes:
    """Returns a mail that moves the meeting to a local time of a zone that it defines."""
    calendar = itip("REQUEST", target.invited.event, f"DTSTART;TZID={zone}:{local}", SEQUENCE="1")
    name = zone.strip('"').replace(";", "\\;").replace(",", "\\,")
    defined = definition.format(name=name).replace("\n", "\r\n")
    return target.of(calendar.replace("BEGIN:VEVENT", f"{defined}BEGIN:VEVENT", 1))


def test_a_meeting_moves_to_the_time_that_a_program_shows_in_its_zone(target: Target) -> None:
    for zone, local, instant in (
        ("Customized Time Zone", "20990701T100000", "2099-07-01T08:00:00.000Z"),
        ("Customized Time Zone", "20990101T100000", "2099-01-01T09:00:00.000Z"),
        ("tzone://Microsoft/Custom", "20991025T010000", "2099-10-24T23:00:00.000Z"),
        ("tzone://Microsoft/Custom", "20991025T040000", "2099-10-25T03:00:00.000Z"),
        ("(UTC+01:00) Amsterdam, Berlin", "20990329T030000", "2099-03-29T01:00:00.000Z"),
        ('"(UTC+01:00) Amsterdam; Berlin"', "20990701T100000", "2099-07-01T08:00:00.000Z"),
        ("tzone://Microsoft/Utc", "20990701T100000", "2099-07-01T10:00:00.000Z"),
        ("utc", "20990701T100000", "2099-07-01T10:00:00.000Z"),
        ("Etc/UTC", "20990701T100000", "2099-07-01T10:00:00.000Z"),
        ("eastern standard time", "20990701T100000", "2099-07-01T14:00:00.000Z"),
        ("america/new_york", "20990701T100000", "2099-07-01T14:00:00.000Z"),
    ):
        assert deliver(move_in(target, zone, local)) == [None], zone
        assert target.invited.times[0] == instant, zone
        target.before.restore()


def test_a_zone_that_is_not_defined_as_programs_do_moves_nothing(target: Target) -> None:
    for sound, broken in (
        ("TZOFFSETTO:+0100\n", ""),
        ("TZOFFSETTO:+0100", "TZOFFSETTO:+9900"),
        ("FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10", "FREQ=SECONDLY"),
        ("BYMONTH=10", "BYMONTH=13"),
        ("BYDAY=-1SU", "BYDAY=9XX"),
        ("DTSTART:16010101T030000", "DTSTART:x"),
        ("TZID:{name}", "TZID:Another"),
    ):
        mail_of_zone = move_in(target, "Own", "20990701T100000", CUSTOM.replace(sound, broken))
        assert target.send(mail_of_zone) == Refusal.BAD_CALENDAR, broken
