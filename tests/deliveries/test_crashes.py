"""A report published, and the function killed at every call: all are notified, each once, and nobody gets two mails."""

from __future__ import annotations

from collections import Counter

import pytest

from governance.domain.quota import NOTIFICATION_MAILS_HOURLY
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import (
    create_members,
    deliver_until_crash,
    email_counts,
    fail_call_at,
    member_email,
    notification_counts,
    report_published_event,
)
from tests.harness.outbox import Outbox
from tests.harness.quota_usage import slots_in_use
from tests.harness.stream import process_records, record_of

pytestmark = pytest.mark.slow


def counted_mails(number: int) -> int:
    """Returns how many e-mails to a member of `create_members` count for the hour."""
    return len(slots_in_use(NOTIFICATION_MAILS_HOURLY, member_email(number)))


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_killed_at_every_call_all_are_notified_once_and_nobody_gets_two_mails(
    scenario: BoardScenario, outbox: Outbox, *, before: bool
) -> None:
    """A mail is lost only to a death between its claim and the mail service, and no mail counts twice."""
    members = create_members(scenario, 3)
    call, done, lost = 1, False, 0
    while not done:
        event = report_published_event(scenario)
        outbox.raw.clear()
        done = deliver_until_crash(event, call, before=before)
        assert process_records([record_of(event)]) == []
        assert notification_counts(members) == Counter(dict.fromkeys(members, call))
        assert set(email_counts(outbox).values()) == {1}
        assert [counted_mails(number) for number in range(3)] == [call] * 3
        lost += 3 - len(outbox.raw)
        call += 1
    assert (call, lost) == (21, 3)


@pytest.mark.parametrize("before", [True, False], ids=["refused", "answer lost"])
def test_trouble_at_any_one_call_neither_loses_a_mail_nor_doubles_one(
    scenario: BoardScenario, outbox: Outbox, *, before: bool
) -> None:
    """A delivery that goes on releases the e-mails that it claimed and did not send."""
    members = create_members(scenario, 3)
    call, done = 1, False
    while not done:
        event = report_published_event(scenario)
        outbox.raw.clear()
        with fail_call_at(call, before=before) as failure:
            failed = process_records([record_of(event)])
        done = failure.calls_made < call
        assert bool(failed) is (not done and (before or failure.service != "sesv2"))
        assert process_records([record_of(event)]) == []
        assert notification_counts(members) == Counter(dict.fromkeys(members, call))
        assert email_counts(outbox) == Counter(map(member_email, range(3)))
        assert [counted_mails(number) for number in range(3)] == [call] * 3
        call += 1
    assert call == 21
