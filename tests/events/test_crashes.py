"""A report published, and the function killed at every call: all are notified, each once, and nobody gets two mails."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import address, crowd, mailed, notified, published, troubled_at, until_killed
from tests.harness.outbox import Outbox
from tests.harness.stream import feed, record_of


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_killed_at_every_call_all_are_notified_once_and_nobody_gets_two_mails(
    scenario: BoardScenario, outbox: Outbox, *, before: bool
) -> None:
    """A mail is lost only to a death between its claim and the mail service."""
    members = crowd(scenario, 3)
    call, done, lost = 1, False, 0
    while not done:
        event = published(scenario)
        outbox.raw.clear()
        done = until_killed(event, call, before=before)
        assert feed([record_of(event)]) == []
        assert notified(members) == Counter(dict.fromkeys(members, call))
        assert set(mailed(outbox).values()) == {1}
        lost += 3 - len(outbox.raw)
        call += 1
    assert (call, lost) == (12, 3)


@pytest.mark.parametrize("before", [True, False], ids=["refused", "answer lost"])
def test_trouble_at_any_one_call_neither_loses_a_mail_nor_doubles_one(
    scenario: BoardScenario, outbox: Outbox, *, before: bool
) -> None:
    """Who lives on gives back what he has claimed and not sent."""
    members = crowd(scenario, 3)
    call, done = 1, False
    while not done:
        event = published(scenario)
        outbox.raw.clear()
        with troubled_at(call, before=before) as trouble:
            failed = feed([record_of(event)])
        done = trouble.seen < call
        assert bool(failed) is (not done and (before or trouble.service == "dynamodb"))
        assert feed([record_of(event)]) == []
        assert notified(members) == Counter(dict.fromkeys(members, call))
        assert mailed(outbox) == Counter(map(address, range(3)))
        call += 1
    assert call == 12
