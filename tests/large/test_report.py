"""A report published to two hundred members, and the function killed before and after every call."""

from __future__ import annotations

from collections import Counter

import pytest

from governance.store import table
from tests.harness.board_scenario import BoardScenario
from tests.harness.crash_injection import crowd, mailed, notified, published, until_killed
from tests.harness.outbox import Outbox
from tests.harness.store_calls import InlinePool
from tests.harness.stream import feed, record_of

pytestmark = pytest.mark.slow
MEMBERS, MAILED = 200, 8


@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
def test_two_hundred_members_are_notified_once_each_wherever_the_function_dies(
    scenario: BoardScenario, outbox: Outbox, monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    """Calls come one after the other here, so that each is the fatal one once; a few of the members want mails too."""
    monkeypatch.setattr(table, "_pool", InlinePool())
    members = crowd(scenario, MEMBERS, mailed=MAILED)
    call, done, lost = 1, False, 0
    while not done:
        event = published(scenario)
        outbox.raw.clear()
        done = until_killed(event, call, before=before)
        assert feed([record_of(event)]) == []
        assert set(mailed(outbox).values()) == {1}
        lost += MAILED - len(outbox.raw)
        call += 1
    assert notified(members) == Counter(dict.fromkeys(members, call - 1))
    assert (call > 2 * MAILED, lost) == (True, MAILED)
