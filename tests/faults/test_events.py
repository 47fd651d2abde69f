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
from tests.faults.troubles import TROUBLES, Killed, Wire, wired
from tests.harness import engine
from tests.harness.gathering import new_gathering
from tests.harness.killing import crowd, mailed, published
from tests.harness.outbox import Outbox
from tests.harness.snapshots import Snapshot
from tests.harness.stream import Record, events_of, feed, record_of
from tests.harness.world import World, person

pytestmark = pytest.mark.slow


def report_published(world: World) -> list[Record]:
    crowd(world, 2)
    return [record_of(published(world))]


def somebody_invited(world: World) -> list[Record]:
    person("ivy")
    invite = world.owner.client.post(f"/api/invite/{world.board_id}", {"inviteeEmail": "ivy@example.com"})
    assert invite.status == 200
    return events_of(world.board_id)[-1:]


def meeting_deleted(world: World) -> list[Record]:
    meeting = new_gathering(world)
    meeting.slot()
    world.owner.client.post(f"{meeting.path}/action-items", {"title": "Sign", "assigneeUserId": world.owner.id})
    assert world.owner.client.delete(meeting.path).status == 200
    return events_of(world.board_id)[-1:]


def board_deleted(world: World) -> list[Record]:
    new_gathering(world).slot()
    world.token()
    assert world.owner.client.delete(world.path).status == 200
    return events_of(world.board_id)[-1:]


SCENES = (report_published, somebody_invited, meeting_deleted, board_deleted)


@dataclass
class Delivery:
    """Records that are delivered over and over on the same table, and what comes of them when nothing is wrong."""

    records: list[Record]
    outbox: Outbox
    before: Snapshot

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
def delivery(request: pytest.FixtureRequest, world: World, outbox: Outbox) -> Delivery:
    scene: Callable[[World], list[Record]] = request.param
    records = scene(world)
    made = Delivery(records, outbox, Snapshot())
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


def test_a_bucket_that_cannot_be_reached_costs_no_notification(world: World, outbox: Outbox) -> None:
    def fail(**_: Any) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3.test")

    records = report_published(world)
    events = avatars._client().meta.events
    engine.forget_pictures()
    events.register_first("before-call.s3.PutObject", fail)
    try:
        assert feed(records) == []
    finally:
        events.unregister("before-call.s3.PutObject", fail)
    assert sorted(mailed(outbox).values()) == [1, 1]
