"""A report published to two hundred members, with a crash of the function before and after every call."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from governance.store import dynamodb
from governance.usecases.operator import purge
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import (
    create_members,
    email_counts,
    ends_before,
    member_email,
    notification_counts,
    report_published_event,
)
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool
from tests.harness.stream import process_records, record_of

pytestmark = pytest.mark.slow
MEMBERS, MAILED = 200, 8


def test_a_crash_at_any_call_notifies_two_hundred_members_once_each(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls are sequential here, so that each is the crashing one once. A few members also receive e-mails."""
    monkeypatch.setattr(dynamodb, "_pool", InlinePool())
    members = create_members(scenario, MEMBERS, mailed=MAILED)
    call, completed, lost = 1, False, 0
    while not completed:
        event = report_published_event(scenario)
        outbox.raw.clear()
        for number in range(0, MEMBERS, MEMBERS // MAILED):
            purge.forget_quotas(member_email(number))
        records = [record_of(event)]
        completed = ends_before(call, partial(process_records, records))
        assert process_records(records) == []
        assert set(email_counts(outbox).values()) == {1}
        lost += MAILED - len(outbox.raw)
        call += 1
    assert notification_counts(members) == Counter(dict.fromkeys(members, call - 1))
    assert (call > 2 * MAILED, lost) == (True, MAILED)
