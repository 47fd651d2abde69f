"""What the deliveries to one webhook share: the permits of attempts, since when it fails, and what waits."""

from __future__ import annotations

import pytest

from governance.ids import BoardId, new_id
from governance.instants import Instant, epoch, shift
from governance.limits import WEBHOOK_CONCURRENCY, WEBHOOK_DELIVERY_DAYS
from governance.models.event import Event
from governance.models.webhook import StoredDelivery
from governance.store import webhook_deliveries
from governance.store.paging import Window
from governance.store.schema.keys import Range
from governance.store.schema.ranges import WAITING_DELIVERIES
from governance.store.table import query, read_one, transact
from governance.store.webhook_deliveries import WebhookState
from governance.store.writes import StaleRead

BOARD, WEBHOOK = BoardId(new_id()), new_id()
NOW = Instant("2040-05-01T12:00:00.000Z")
LATER = shift(NOW, seconds=30)


def state() -> WebhookState:
    return webhook_deliveries.read_state(BOARD, WEBHOOK)


def take(permit: str, now: Instant = NOW, until: Instant = LATER) -> None:
    transact([state().take(permit, now, until)])


@pytest.mark.usefixtures("store")
def test_an_attempt_takes_one_of_as_many_permits_as_the_webhook_has() -> None:
    free = state().free_permits(WEBHOOK_CONCURRENCY, NOW)
    assert len({*free}) == WEBHOOK_CONCURRENCY
    assert state().free_permits(2, NOW) == free[:2]
    take(free[0])
    assert state().free_permits(2, NOW) == [free[1]]
    with pytest.raises(StaleRead):
        take(free[0])


@pytest.mark.usefixtures("store")
def test_a_permit_is_free_again_from_the_end_of_its_lease_on() -> None:
    permit, *_ = state().free_permits(1, NOW)
    take(permit)
    last = shift(NOW, seconds=29)
    assert state().free_permits(1, last) == []
    with pytest.raises(StaleRead):
        take(permit, last, shift(LATER, seconds=30))
    assert state().free_permits(1, LATER) == [permit]
    take(permit, LATER, shift(LATER, seconds=30))


@pytest.mark.usefixtures("store")
def test_a_failure_is_noted_when_it_is_the_first_and_a_success_forgets_it() -> None:
    permit, *_ = state().free_permits(1, NOW)
    assert state().failing_since is None
    for now in (NOW, LATER):
        take(permit, now, shift(now, seconds=10))
        transact([state().release(permit, accepted=False, now=now)])
        assert (state().failing_since, state().free_permits(1, now)) == (NOW, [permit])
    take(permit, LATER, shift(LATER, seconds=10))
    transact([state().release(permit, accepted=True, now=LATER)])
    assert (state().failing_since, state().free_permits(1, LATER)) == (None, [permit])


def deliveries(*minutes: int) -> list[StoredDelivery]:
    """Deliveries of events that happened this many minutes after noon."""
    return [_delivery(f"{minute:024x}", shift(NOW, minutes=minute)) for minute in minutes]


def _delivery(number: str, at: Instant) -> StoredDelivery:
    return StoredDelivery(
        id=number,
        board_id=BOARD,
        webhook_id=WEBHOOK,
        event_id=number,
        type=Event.MEETING_CREATED,
        refs={},
        occurred_at=at,
        due_at=at,
        created_at=at,
    )


@pytest.mark.usefixtures("store")
def test_what_waits_is_handled_in_the_order_of_the_events_and_once() -> None:
    second, first, third = deliveries(2, 1, 3)
    transact([webhook_deliveries.put_waiting(each) for each in (second, first, third)])
    assert webhook_deliveries.first_waiting(BOARD, WEBHOOK, 2) == [first.id, second.id]
    (row, *_) = query(Range(webhook_deliveries.key(first).pk, WAITING_DELIVERIES.prefix))
    assert row["ttl"] == epoch(shift(first.created_at, days=WEBHOOK_DELIVERY_DAYS))
    transact([webhook_deliveries.remove_waiting(BOARD, WEBHOOK, first.id)])
    assert webhook_deliveries.first_waiting(BOARD, WEBHOOK, 5) == [second.id, third.id]
    with pytest.raises(StaleRead):
        transact([webhook_deliveries.remove_waiting(BOARD, WEBHOOK, first.id)])


@pytest.mark.usefixtures("store")
def test_a_delivery_is_stored_once_for_as_long_as_it_is_shown_and_changed_as_it_was_read() -> None:
    (delivery,) = deliveries(0)
    transact([webhook_deliveries.create(delivery)])
    with pytest.raises(StaleRead):
        transact([webhook_deliveries.create(delivery)])
    stored = read_one(webhook_deliveries.key(delivery))
    assert stored is not None
    assert stored["ttl"] == epoch(shift(NOW, days=WEBHOOK_DELIVERY_DAYS))
    assert webhook_deliveries.oldest_event(shift(NOW, days=WEBHOOK_DELIVERY_DAYS)) == NOW
    changed = delivery.model_copy(update={"version": delivery.version + 1, "status": "succeeded"})
    transact([webhook_deliveries.replace(delivery, changed)])
    with pytest.raises(StaleRead):
        transact([webhook_deliveries.replace(delivery, changed)])
    assert webhook_deliveries.existing(deliveries(0, 1)) == {delivery.id: changed}


@pytest.mark.usefixtures("store")
def test_deliveries_are_listed_by_the_time_of_their_events_page_by_page() -> None:
    second, first, third = deliveries(2, 1, 3)
    transact([webhook_deliveries.create(each) for each in (second, first, third)])
    shown, last = webhook_deliveries.list_of_webhook(BOARD, WEBHOOK, Window(2, descending=True))
    assert (shown, last is not None) == ([third, second], True)
    assert webhook_deliveries.list_of_webhook(BOARD, WEBHOOK, Window(2, descending=True, after=last)) == ([first], None)
