"""Trouble at every call of a delivery: who lives on says what is to be tried again, and the repeat makes it whole.

Nobody is notified twice or mailed twice, nothing that a deletion left behind stays; only a death between the claim of a
mail and the mail service loses a mail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from governance.store import avatars
from tests.faults.call_faults import TROUBLES, Killed, Wire, wired
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.crash_injection import crowd, mailed, published
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.stream import Record, events_of, feed, record_of
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.slow


def report_published(scenario: BoardScenario) -> list[Record]:
    crowd(scenario, 2)
    return [record_of(published(scenario))]


def somebody_invited(scenario: BoardScenario) -> list[Record]:
    person("ivy")
    invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "ivy@example.com"})
    assert invite.status == 200
    return events_of(scenario.board_id)[-1:]


def meeting_deleted(scenario: BoardScenario) -> list[Record]:
    meeting = new_meeting_scenario(scenario)
    meeting.slot()
    scenario.owner.client.post(f"{meeting.path}/action-items", {"title": "Sign", "assigneeUserId": scenario.owner.id})
    assert scenario.owner.client.delete(meeting.path).status == 200
    return events_of(scenario.board_id)[-1:]


def board_deleted(scenario: BoardScenario) -> list[Record]:
    new_meeting_scenario(scenario).slot()
    scenario.token()
    assert scenario.owner.client.delete(scenario.path).status == 200
    return events_of(scenario.board_id)[-1:]


SCENES = (report_published, somebody_invited, meeting_deleted, board_deleted)


@dataclass
class Delivery:
    """Records that are delivered over and over on the same table, and what comes of them when nothing is wrong."""

    records: list[Record]
    outbox: Outbox
    before: TableSnapshot

    def learn(self) -> None:
        """From one sound delivery; the table is put back."""
        with wired(Wire()) as wire:
            assert feed(self.records) == []
        self.calls = wire.calls
        self.end = self.before.changes()
        self.mails = mailed(self.outbox)
        self.undo()

    def undo(self) -> None:
        self.before.restore()
        self.outbox.raw.clear()

    def again(self, where: str) -> Counter[str]:
        """The repeat leaves what is due; the mails that went out in all."""
        assert feed(self.records) == [], f"{where}, then again"
        assert self.before.changes() == self.end, f"{where}, then again, left something else"
        return mailed(self.outbox)

    def cases(self) -> Iterator[tuple[int, str]]:
        """Every call, with every trouble that its operation can have."""
        for call, operation in enumerate(self.calls):
            yield from ((call, name) for name, trouble in TROUBLES.items() if operation in trouble.of)


@pytest.fixture(params=SCENES, ids=lambda scene: scene.__name__)
def delivery(request: pytest.FixtureRequest, scenario: BoardScenario, outbox: Outbox) -> Delivery:
    scene: Callable[[BoardScenario], list[Record]] = request.param
    records = scene(scenario)
    made = Delivery(records, outbox, TableSnapshot())
    made.learn()
    assert made.end, "a delivery that does nothing proves nothing"
    return made


def test_a_delivery_in_trouble_is_tried_again_and_whole(delivery: Delivery) -> None:
    for call, name in delivery.cases():
        where = f"{name} at call {call} ({delivery.calls[call]})"
        with wired(Wire(call, TROUBLES[name])) as wire:
            failed = feed(delivery.records)
        assert wire.attempts, where
        assert bool(failed) == TROUBLES[name].lasting, where
        assert delivery.again(where) == delivery.mails, where
        delivery.undo()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_delivery_that_was_killed_is_made_whole_by_the_next(moment: str, delivery: Delivery) -> None:
    for call, operation in enumerate(delivery.calls):
        where = f"killed {moment} call {call} ({operation})"
        with wired(Wire(call, kill=moment)), pytest.raises(Killed):
            feed(delivery.records)
        assert not delivery.again(where) - delivery.mails, f"{where}: somebody got two mails"
        delivery.undo()


def test_a_bucket_that_cannot_be_reached_costs_no_notification(scenario: BoardScenario, outbox: Outbox) -> None:
    def fail(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3.test")

    records = report_published(scenario)
    events = avatars._client().meta.events
    engine.forget_pictures()
    events.register_first("before-call.s3.PutObject", fail)
    try:
        assert feed(records) == []
    finally:
        events.unregister("before-call.s3.PutObject", fail)
    assert sorted(mailed(outbox).values()) == [1, 1]
