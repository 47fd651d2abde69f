"""A scrub whose delivery is killed, or meets a fault, at every call: the next delivery completes what was begun."""

from __future__ import annotations

import json

import pytest

from governance.models.history.event import StoredEvent
from governance.store.schema.usage import quota_key
from tests.calendars.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendars.mails import deliver as deliver_mail
from tests.calendars.mails import mail, reply
from tests.faults.interrupted import Interrupted
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import event_items
from tests.harness.meeting_scenario import from_now, new_meeting_scenario
from tests.harness.merge_scenario import vote_as_guest
from tests.harness.outbox import Outbox
from tests.harness.people import act, add
from tests.harness.stream import process_records, record_of
from tests.harness.table_snapshot import TableSnapshot

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bucket")]
ADDRESS = "gerda.maar@example.org"
COUNTS = {quota_key(period, ADDRESS).pk for period in ("notification_mails_per_hour", "notification_mails_per_day")}
WORDS = (ADDRESS, "GERDA", "By train", "Gladly")


def rows_with_words() -> list[tuple[tuple[str, str], str]]:
    """Returns the rows of the whole table that hold what a scrub removes.

    The counts of mails to an address over all boards may: they expire within a day.
    """
    texts = {key: json.dumps([key, item], default=str) for key, item in TableSnapshot().items.items()}
    return [(key, word) for key, text in texts.items() for word in WORDS if word in text and key[0] not in COUNTS]


class Scrub(Interrupted[list[str]]):
    """A person who has voted and answered, with comments, and seems to be a member, is scrubbed; the delivery of it."""

    def __init__(self, scenario: BoardScenario, outbox: Outbox) -> None:
        polled = new_meeting_scenario(scenario)
        for days in (2, 3):
            vote_as_guest(polled, polled.slot(from_now(days=days)), ADDRESS, vote="ok", comment="Gladly")
        scenario.member("ada", admin_role="admin")
        scenario.member("gerda")
        person = add(scenario, firstName="GERDA", lastName="tester", email=ADDRESS)
        for _ in range(2):
            schedule(scenario)
            settle(scenario)
            (event,) = calendar_of(outbox.last).walk("VEVENT")
            answer = mail(ADDRESS, str(outbox.last["Reply-To"]), reply(event, "ACCEPTED", ADDRESS, COMMENT="By train"))
            assert deliver_mail(answer) == [None]
        settle(scenario)
        assert {word for _, word in rows_with_words()} == {*WORDS}
        assert act(scenario, person["id"], "scrub").status == 200
        (scrubbed,) = [
            StoredEvent.model_validate(item)
            for item in event_items(scenario.board_id)
            if item["type"] == "unregistered_user.scrubbed"
        ]
        super().__init__(lambda: process_records([record_of(scrubbed)]))
        assert self.result == []

    def complete(self, where: str) -> None:
        """Delivers the scrub again, and asserts that nothing of the person is left, and nothing else has changed."""
        assert self.act() == [], where
        assert rows_with_words() == [], where
        assert self.before.changes() == self.changes, where


@pytest.fixture
def scrub(scenario: BoardScenario, outbox: Outbox) -> Scrub:
    return Scrub(scenario, outbox)


def test_a_scrub_whose_delivery_was_killed_leaves_no_address_and_no_comment(scrub: Scrub) -> None:
    for _, where in scrub.deaths():
        scrub.complete(where)


def test_a_scrub_whose_delivery_met_a_fault_leaves_no_address_and_no_comment(scrub: Scrub) -> None:
    for where, _ in scrub.faults():
        scrub.complete(where)
