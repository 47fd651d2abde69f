"""A mail that proves nothing, or comes from somebody who may not answer, changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from governance.mail.received import Refusal
from governance.models.history.event import Event
from governance.usecases.operator import operator
from tests.calendars.invited import Invited, Target
from tests.calendars.mails import deliver, itip, mail, moved, reply, results
from tests.harness.meeting_scenario import leave, stored_events

pytestmark = pytest.mark.usefixtures("bucket")
Forgery = Callable[[Invited], bytes]


def _with(**headers: str) -> Forgery:
    return lambda i: mail(i.ben.email, i.address, reply(i.event, "DECLINED", i.ben.email), **headers)


def _by(sender: str) -> Forgery:
    return lambda i: mail(sender, i.address, reply(i.event, "DECLINED", i.ben.email))


FORGERIES: dict[str, tuple[Refusal, Forgery]] = {
    "spam": (Refusal.UNWANTED, _with(X_SES_Spam_Verdict="FAIL")),
    "virus": (Refusal.UNWANTED, _with(X_SES_Virus_Verdict="fail")),
    "no verdict": (Refusal.UNVERIFIED, _with(Authentication_Results="")),
    "a good result below that of the mail service": (
        Refusal.UNVERIFIED,
        _with(
            Authentication_Results="amazonses.com; dkim=fail header.i=@example.com;",
            Subject=f"x\r\nAuthentication-Results: {results('example.com')}",
        ),
    ),
    "another domain": (Refusal.UNVERIFIED, _with(Authentication_Results=results("evil.org"))),
    "another member": (Refusal.UNKNOWN_ADDRESS, _by("olivia@example.com")),
    "a stranger": (Refusal.UNKNOWN_ADDRESS, _by("eve@evil.org")),
    "another token": (
        Refusal.UNKNOWN_ADDRESS,
        lambda i: mail(i.ben.email, f"meetings+{'z' * 32}@x.org", reply(i.event, "DECLINED", i.ben.email)),
    ),
    "the same id of another host": (
        Refusal.UNKNOWN_ADDRESS,
        lambda i: mail(
            i.ben.email,
            i.address,
            reply(i.event, "DECLINED", i.ben.email, UID=f"{str(i.event['uid']).partition('@')[0]}@evil.org"),
        ),
    ),
    "another meeting": (
        Refusal.UNKNOWN_ADDRESS,
        lambda i: mail(i.ben.email, i.address, reply(i.event, "DECLINED", i.ben.email, UID=f"{'a' * 24}@x")),
    ),
    "no calendar": (Refusal.NO_CALENDAR, lambda i: mail(i.ben.email, i.address, None)),
    "counter without a time": (Refusal.BAD_CALENDAR, lambda i: mail(i.ben.email, i.address, itip("COUNTER", i.event))),
    "recurring": (
        Refusal.BAD_CALENDAR,
        lambda i: mail(i.ben.email, i.address, reply(i.event, "DECLINED", i.ben.email, RRULE="FREQ=DAILY")),
    ),
    "large": (Refusal.TOO_LARGE, _with(Subject="x" * 2_000_000)),
    "deep": (
        Refusal.TOO_LARGE,
        lambda i: (
            mail(i.ben.email, i.address, None).partition(b"Content-Type")[0]
            + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(5000))
        ),
    ),
}


def test_a_mail_that_proves_nothing_changes_nothing(target: Target) -> None:
    reasons = {name: target.send(forged(target.invited)) for name, (_, forged) in FORGERIES.items()}
    assert reasons == {name: reason for name, (reason, _) in FORGERIES.items()}


def test_a_mail_that_is_set_aside_stops_no_other(target: Target) -> None:
    assert deliver(FORGERIES["spam"][1](target.invited), target.reply) == [Refusal.UNWANTED, None]
    (event,) = stored_events(target.invited.scenario, Event.RSVP_CHANGED)
    assert event.details["to"] == target.invited.rsvp[0] == "accepted"


def test_a_mail_to_two_addresses_for_replies_is_set_aside(invited: Invited) -> None:
    addresses = f"{invited.address}, meetings+{'z' * 32}@x.org"
    calendar = reply(invited.event, "ACCEPTED", invited.ben.email)
    assert deliver(mail(invited.ben.email, addresses, calendar))[0] == Refusal.UNKNOWN_ADDRESS


def test_a_mail_inside_a_mail_is_not_read(invited: Invited) -> None:
    outer = mail(invited.ben.email, invited.address, None).partition(b"Content-Type")[0]
    inner = mail(invited.ben.email, invited.address, reply(invited.event, "ACCEPTED", invited.ben.email))
    assert deliver(outer + b"Content-Type: message/rfc822\r\n\r\n" + inner)[0] == Refusal.NO_CALENDAR


def test_a_draft_is_answered_by_its_creator_only(invited: Invited) -> None:
    invited.meeting.patch(status="draft")
    assert invited.answer("ACCEPTED") == Refusal.NOT_ALLOWED
    invited.meeting.patch(status="scheduled")
    assert invited.answer("ACCEPTED") is None


def test_one_who_left_or_was_suspended_answers_nothing(invited: Invited) -> None:
    operator.set_user_status(invited.ben.id, "suspended")
    assert invited.answer("ACCEPTED") == Refusal.NOT_ALLOWED
    operator.set_user_status(invited.ben.id, "active")
    leave(invited.scenario, invited.ben)
    assert invited.answer("ACCEPTED") == Refusal.UNKNOWN_ADDRESS


def test_a_restricted_board_takes_no_mails(invited: Invited) -> None:
    invited.scenario.set_billing_state("CANCELLED")
    assert invited.answer("ACCEPTED") == Refusal.NOT_ALLOWED
    for method in ("REQUEST", "CANCEL"):
        assert invited.ask(method, *moved(), SEQUENCE="1") == Refusal.NOT_ALLOWED
