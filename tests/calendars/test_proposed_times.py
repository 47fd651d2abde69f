"""Another time that somebody proposes from a calendar: their answer, and a comment on the meeting (ADR calendars)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.mail.received import Refusal
from governance.models.history.event import Event
from tests.calendars.calendar_invitation_mails import calendar_of, settle
from tests.calendars.invited import Invited, notified
from tests.calendars.mails import create_mailed_comments, deliver, itip, mail, stamp
from tests.harness.meeting_scenario import from_now, leave, stored_events
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.usefixtures("bucket")

TIMES = ("DTSTART:20990301T090000Z", "DTEND:20990301T100000Z")
SAID = "Proposes another time: Sunday, 1 March 2099, 09:00 to 10:00 (UTC)."
OF_WINDOWS = (
    "ATTENDEE;PARTSTAT=TENTATIVE;CN=Ben Tester:mailto:{email}",
    "COMMENT;LANGUAGE=en-GB:After the audit\\, please\\n",
    "SUMMARY;LANGUAGE=en-GB:New Time Proposed: Spring",
    "DTSTART;TZID=W. Europe Standard Time:20990301T100000",
    "DTEND;TZID=W. Europe Standard Time:20990301T110000",
    "CLASS:PUBLIC",
    "X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY",
    "X-MS-OLK-ORIGINALSTART;TZID=W. Europe Standard Time:20990101T100000",
    "X-MS-OLK-ORIGINALEND;TZID=W. Europe Standard Time:20990101T110000",
)
OF_GOOGLE = (
    *TIMES,
    "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=TENTATIVE;CN=ben;X-NUM-GUESTS=0:mailto:{email}",
    "COMMENT:After the audit\\, please",
    "SUMMARY:Spring",
    "TRANSP:OPAQUE",
)
OF_APPLE = (
    "DTSTART;TZID=Europe/Berlin:20990301T100000",
    "DURATION:PT1H",
    "ATTENDEE;CN=Olivia;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:olivia@example.com",
    'ATTENDEE;CN="Ben";CUTYPE=INDIVIDUAL;EMAIL="{email}";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:{email}',
    "COMMENT:After the audit\\, please",
    "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC",
)


def propose(invited: Invited, lines: tuple[str, ...] = OF_GOOGLE, **properties: str) -> str | None:
    """Sends Ben's proposal; returns why it was set aside."""
    return invited.ask("COUNTER", *(line.format(email=invited.ben.email) for line in lines), **properties)


def comments_on(invited: Invited) -> list[dict[str, Any]]:
    """Returns the comments on the meeting once the deliveries have created those that were mailed."""
    create_mailed_comments()
    comments: list[dict[str, Any]] = invited.scenario.owner.client.get(f"{invited.meeting.path}/comments").data
    return comments


@pytest.mark.parametrize("lines", [OF_WINDOWS, OF_GOOGLE, OF_APPLE], ids=["Outlook", "Google", "Apple"])
def test_a_proposed_time_is_an_answer_and_a_comment_that_mentions_the_creator(
    invited: Invited, lines: tuple[str, ...]
) -> None:
    before = invited.times
    assert propose(invited, lines) is None
    assert invited.rsvp == ("tentative", "After the audit, please")
    (comment,) = comments_on(invited)
    assert comment["text"] == f"{SAID}\n\nAfter the audit, please"
    assert (comment["authorUserId"], comment["mentions"]) == (invited.ben.id, [invited.scenario.owner.id])
    assert invited.times == before
    settle(invited.scenario)
    assert {"meeting_rsvp_changed", "new_comment"} <= set(notified(invited.scenario.owner))


def test_the_time_is_in_the_meetings_zone_and_the_words_in_the_senders_language(invited: Invited) -> None:
    invited.meeting.confirm(invited.meeting.slot("2098-03-11T08:00:00Z", timezone="Asia/Tokyo", durationInMinutes=60))
    assert invited.ben.client.patch("/api/v1/me", {"language": "de"}).status == 200
    invited.refresh()
    without_note = tuple(line for line in OF_GOOGLE if not line.startswith("COMMENT"))
    assert propose(invited, without_note) is None
    said = "Schlägt einen anderen Termin vor: Sonntag, 1. März 2099, 18:00 bis 19:00 Uhr (Asia/Tokyo)."
    assert [comment["text"] for comment in comments_on(invited)] == [said]


def test_a_proposal_may_decline(invited: Invited) -> None:
    lines = (*TIMES, "ATTENDEE;PARTSTAT=DECLINED:mailto:{email}")
    assert propose(invited, lines) is None
    assert invited.rsvp == ("declined", None)
    assert [comment["text"] for comment in comments_on(invited)] == [SAID]


def test_a_mail_that_comes_twice_is_one_comment_and_a_later_proposal_another(invited: Invited) -> None:
    sent = stamp(from_now(minutes=-2))
    assert propose(invited, DTSTAMP=sent) is None
    once = TableSnapshot()
    assert propose(invited, DTSTAMP=sent) is None
    assert once.changes() == {}
    later = ("DTSTART:20990302T090000Z", "DTEND:20990302T100000Z", *OF_GOOGLE[2:])
    assert propose(invited, later, DTSTAMP=stamp(from_now(minutes=-1))) is None
    assert len(comments_on(invited)) == 2
    assert len(stored_events(invited.scenario, Event.RSVP_CHANGED)) == 1


def test_a_mailed_comment_is_created_once_and_not_for_one_who_has_left(invited: Invited) -> None:
    assert propose(invited) is None
    create_mailed_comments()
    once = TableSnapshot()
    create_mailed_comments()
    assert once.changes() == {}
    later = ("DTSTART:20990302T090000Z", "DTEND:20990302T100000Z", *OF_GOOGLE[2:])
    assert propose(invited, later, DTSTAMP=stamp(from_now(minutes=1))) is None
    leave(invited.scenario, invited.ben)
    assert len(comments_on(invited)) == 1


@pytest.mark.parametrize("gone", ["left", "is the one who proposes"])
def test_a_creator_who_cannot_be_mentioned_is_not(invited: Invited, gone: str) -> None:
    if gone == "left":
        carl = invited.scenario.member("carl")
        created = carl.client.post(
            f"{invited.scenario.path}/meetings",
            {"title": "Autumn", "status": "scheduled", "startTime": from_now(days=3)},
        )
        settle(invited.scenario)
        leave(invited.scenario, carl)
    else:
        created = invited.ben.client.post(
            f"{invited.scenario.path}/meetings",
            {"title": "Autumn", "status": "scheduled", "startTime": from_now(days=3)},
        )
    invited.meeting.path = f"{invited.scenario.path}/meetings/{created.data['id']}"
    settle(invited.scenario)
    own = [mail for mail in invited.outbox.mails if mail["To"] == invited.ben.email][-1]
    (invited.event,), invited.address = calendar_of(own).walk("VEVENT"), str(own["Reply-To"])
    assert propose(invited) is None
    assert [comment["mentions"] for comment in comments_on(invited)] == [[]]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("ATTENDEE;PARTSTAT=TENTATIVE:mailto:{email}",), Refusal.BAD_CALENDAR),
        (("DTSTART:20990301T090000", "ATTENDEE:mailto:{email}"), Refusal.BAD_CALENDAR),
        ((*TIMES, "ATTENDEE:mailto:a@example.com", "ATTENDEE:mailto:b@example.com"), Refusal.NOT_UNDERSTOOD),
    ],
    ids=["no time", "a floating time", "none of the attendees"],
)
def test_a_proposal_that_does_not_say_when_or_who_is_set_aside(
    invited: Invited, lines: tuple[str, ...], reason: Refusal
) -> None:
    before = TableSnapshot()
    assert propose(invited, lines) == reason
    assert before.changes() == {}


def test_a_proposal_is_judged_like_a_reply(invited: Invited) -> None:
    invited.meeting.patch(startTime=from_now(days=9))
    settle(invited.scenario)
    assert propose(invited) == Refusal.OUTDATED
    invited.refresh()
    eve = itip("COUNTER", invited.event, *TIMES, "ATTENDEE:mailto:eve@example.com")
    assert deliver(mail("eve@example.com", invited.address, eve)) == [Refusal.UNKNOWN_ADDRESS]
    invited.meeting.finalize()
    assert propose(invited) == Refusal.NOT_ALLOWED
    assert comments_on(invited) == []
