"""Deliveries to webhooks, and what those to one webhook share: since when it fails, if it is slow, if it is probed."""

from __future__ import annotations

import pytest

from governance.ids import BoardId, new_id
from governance.instants import Instant, epoch, shift
from governance.limits import WEBHOOK_DELIVERY_DAYS
from governance.models.event import Event
from governance.models.webhooks.webhook import StoredDelivery
from governance.store.paging import Window
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.webhooks import webhook_deliveries
from governance.store.webhooks.webhook_deliveries import WebhookState
from governance.store.writes import StaleRead, Write

BOARD, WEBHOOK = BoardId(new_id()), new_id()
NOW = Instant("2040-05-01T12:00:00.000Z")
LATER = shift(NOW, seconds=30)


def state() -> WebhookState:
    key = webhook_deliveries.state_key(BOARD, WEBHOOK)
    return WebhookState(key, read_one(key) or {})


def note(*, accepted: bool, slow: bool = False, probed: bool = False, now: Instant = NOW) -> list[Write]:
    """Notes what an attempt has shown; returns the writes."""
    writes = state().note(accepted=accepted, slow=slow, probed=probed, now=now)
    if writes:
        transact(writes)
    return writes


@pytest.mark.usefixtures("store")
def test_a_failure_is_noted_when_it_is_the_first_and_a_success_forgets_it() -> None:
    assert note(accepted=True) == [], "a healthy webhook costs no write"
    assert state().failing_since is None
    assert note(accepted=False, now=NOW) != []
    assert note(accepted=False, now=LATER) == []
    assert state().failing_since == NOW
    note(accepted=True, now=LATER)
    assert state().failing_since is None


@pytest.mark.usefixtures("store")
def test_a_receiver_is_slow_as_its_latest_attempt_was() -> None:
    for slow in (False, True, True, False):
        note(accepted=slow, slow=slow)
        assert state().slow == slow
        assert note(accepted=slow, slow=slow) == []
    note(accepted=True)
    note(accepted=False, slow=True)
    assert (state().failing_since, state().slow) == (NOW, True)


@pytest.mark.usefixtures("store")
def test_a_webhook_that_fails_has_one_probe_until_that_ends_or_expires() -> None:
    assert state().probe(NOW, LATER) == [], "it does not fail"
    note(accepted=False)
    read = state()
    transact(read.probe(NOW, LATER))
    with pytest.raises(StaleRead):
        transact(read.probe(NOW, LATER))
    note(accepted=False)
    assert state().is_probed(shift(NOW, seconds=29)), "an attempt that began before it failed is no probe"
    assert not state().is_probed(LATER)
    note(accepted=False, probed=True)
    assert not state().is_probed(NOW)
    transact(state().probe(NOW, LATER))
    transact(read.probe(LATER, shift(LATER, seconds=30)))
    note(accepted=True)
    note(accepted=False)
    assert not state().is_probed(LATER), "a success ends every probe"


@pytest.mark.usefixtures("store")
def test_a_probe_that_begins_after_a_success_holds_no_attempt_up() -> None:
    note(accepted=False)
    read_before = state()
    note(accepted=True)
    transact(read_before.probe(NOW, LATER))
    assert not state().is_probed(NOW)


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
    assert webhook_deliveries.stored_among(deliveries(0, 1)) == {delivery.id: changed}


@pytest.mark.usefixtures("store")
def test_deliveries_are_listed_by_the_time_of_their_events_page_by_page() -> None:
    second, first, third = deliveries(2, 1, 3)
    transact([webhook_deliveries.create(each) for each in (second, first, third)])
    shown, last = webhook_deliveries.list_of_webhook(BOARD, WEBHOOK, Window(2, descending=True))
    assert (shown, last is not None) == ([third, second], True)
    assert webhook_deliveries.list_of_webhook(BOARD, WEBHOOK, Window(2, descending=True, after=last)) == ([first], None)
