"""A fault or crash at every call of a delivery: the function reports what failed, and the redelivery completes it.

Nobody gets a notification or an e-mail twice, and a deletion's leftovers are removed. Only a crash between the claim
of an e-mail and the call to the mail service loses an e-mail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.faults.call_faults import MAIL
from tests.faults.interrupted import Interrupted
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.crash_injection import create_members, email_counts, report_published_event
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.stream import Record, event_records, process_records, record_of

pytestmark = pytest.mark.slow


def report_published(scenario: BoardScenario) -> list[Record]:
    create_members(scenario, 2)
    return [record_of(report_published_event(scenario))]


def invite_sent(scenario: BoardScenario) -> list[Record]:
    person("ivy")
    invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ivy@example.com"})
    assert invite.status == 200
    return event_records(scenario.board_id)[-1:]


def meeting_deleted(scenario: BoardScenario) -> list[Record]:
    meeting = new_meeting_scenario(scenario)
    meeting.slot()
    scenario.owner.client.post(f"{meeting.path}/action-items", {"title": "Sign", "assigneeUserId": scenario.owner.id})
    assert scenario.owner.client.delete(meeting.path).status == 200
    return event_records(scenario.board_id)[-1:]


def board_deleted(scenario: BoardScenario) -> list[Record]:
    new_meeting_scenario(scenario).slot()
    scenario.token()
    assert scenario.owner.client.delete(scenario.path).status == 200
    return event_records(scenario.board_id)[-1:]


EVENT_SOURCES = (report_published, invite_sent, meeting_deleted, board_deleted)


class Delivery(Interrupted[list[str]]):
    """Records that are delivered repeatedly on the same table, and the e-mails of a delivery without a fault."""

    def __init__(self, records: list[Record], outbox: Outbox) -> None:
        super().__init__(lambda: process_records(records))
        assert self.result == []
        self.outbox, self.mails = outbox, email_counts(outbox)
        outbox.raw.clear()

    def redeliver(self, where: str) -> Counter[str]:
        """Delivers again and asserts the expected changes. Returns the e-mails sent so far, and forgets them."""
        assert self.act() == [], f"{where}, then redelivered"
        assert self.before.changes() == self.changes, f"{where}, then redelivered, wrote something else"
        mails = email_counts(self.outbox)
        self.outbox.raw.clear()
        return mails


@pytest.fixture(params=EVENT_SOURCES, ids=lambda source: source.__name__)
def delivery(request: pytest.FixtureRequest, scenario: BoardScenario, outbox: Outbox) -> Delivery:
    source: Callable[[BoardScenario], list[Record]] = request.param
    return Delivery(source(scenario), outbox)


def test_a_failed_delivery_is_completed_by_its_retry(delivery: Delivery) -> None:
    for where, failed in delivery.faults():
        assert failed, where
        assert delivery.redeliver(where) == delivery.mails, where


def test_a_crashed_delivery_is_completed_by_the_next(delivery: Delivery) -> None:
    for call, where in delivery.deaths():
        mails = delivery.redeliver(where)
        assert not mails - delivery.mails, f"{where}: somebody got two e-mails"
        is_claimed = delivery.calls[call + 1 : call + 2] == [MAIL]
        assert mails.total() >= delivery.mails.total() - is_claimed, f"{where}: an e-mail was lost"
