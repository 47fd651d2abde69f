"""A report published, and trouble at any one call: all are notified and mailed, each once (deaths: `faults`)."""

from __future__ import annotations

from collections import Counter

import pytest

from governance.domain.quota import NOTIFICATION_MAILS_HOURLY
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import (
    create_members,
    email_counts,
    fail_call_at,
    member_email,
    notification_counts,
    report_published_event,
)
from tests.harness.outbox import Outbox
from tests.harness.quota_usage import slots_in_use, use_up
from tests.harness.stream import process_records, record_of

pytestmark = pytest.mark.slow


def forget_mails(outbox: Outbox) -> None:
    """Lets the mails so far count no more: there are more calls to crash at than mails in an hour."""
    outbox.raw.clear()
    for number in range(3):
        use_up(NOTIFICATION_MAILS_HOURLY, member_email(number), "", but=NOTIFICATION_MAILS_HOURLY.uses)


def counted_mails(number: int) -> int:
    """Returns how many e-mails to a member of `create_members` count for the hour."""
    return len(slots_in_use(NOTIFICATION_MAILS_HOURLY, member_email(number)))


@pytest.mark.parametrize("before", [True, False], ids=["refused", "answer lost"])
def test_trouble_at_any_one_call_neither_loses_a_mail_nor_doubles_one(
    scenario: BoardScenario, outbox: Outbox, *, before: bool
) -> None:
    """A delivery that goes on releases the e-mails that it claimed and did not send."""
    members = create_members(scenario, 3)
    call, done = 1, False
    while not done:
        event = report_published_event(scenario)
        forget_mails(outbox)
        with fail_call_at(call, before=before) as failure:
            failed = process_records([record_of(event)])
        done = failure.calls_made < call
        assert bool(failed) is (not done and (before or failure.service != "sesv2"))
        assert process_records([record_of(event)]) == []
        assert notification_counts(members) == Counter(dict.fromkeys(members, call))
        assert email_counts(outbox) == Counter(map(member_email, range(3)))
        assert [counted_mails(number) for number in range(3)] == [1] * 3
        call += 1
    assert call > 3 * len(members)
