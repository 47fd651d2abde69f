"""Deliveries to webhooks, what those to one webhook share, and who may decrypt its secret."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from governance import aws
from governance.errors import ApiError, Code
from governance.ids import BoardId
from governance.instants import Instant, epoch, shift
from governance.limits import WEBHOOK_DELIVERY_DAYS
from governance.models.webhooks.webhook import StoredDelivery
from governance.settings import settings
from governance.store.failures import StoreDefectError
from governance.store.paging import Window
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.webhooks import webhook_deliveries, webhook_secrets
from governance.store.webhooks.webhook_deliveries import WebhookState
from governance.store.writes import StaleRead, Write
from tests.harness.fault_injection import hooked
from tests.harness.store_calls import requests_to
from tests.store.stored_items import BOARD, DELIVERY, ONE

pytestmark = pytest.mark.usefixtures("store")
NOON = Instant("2040-05-01T12:00:00.000Z")
LATER = shift(NOON, seconds=30)


def state() -> WebhookState:
    key = webhook_deliveries.state_key(BOARD, ONE)
    return WebhookState(key, read_one(key) or {})


def note(*, accepted: bool, slow: bool = False, probed: bool = False, now: Instant = NOON) -> list[Write]:
    """Notes what an attempt has shown; returns the writes."""
    writes = state().note(accepted=accepted, slow=slow, probed=probed, now=now)
    if writes:
        transact(writes)
    return writes


def test_a_failure_is_noted_when_it_is_the_first_and_a_success_forgets_it() -> None:
    assert note(accepted=True) == [], "a healthy webhook costs no write"
    assert state().failing_since is None
    assert note(accepted=False, now=NOON) != []
    assert note(accepted=False, now=LATER) == []
    assert state().failing_since == NOON
    note(accepted=True, now=LATER)
    assert state().failing_since is None


def test_a_receiver_is_slow_as_its_latest_attempt_was() -> None:
    for slow in (False, True, True, False):
        note(accepted=slow, slow=slow)
        assert state().slow == slow
        assert note(accepted=slow, slow=slow) == []
    note(accepted=True)
    note(accepted=False, slow=True)
    assert (state().failing_since, state().slow) == (NOON, True)


def test_a_webhook_that_fails_has_one_probe_until_that_ends_or_expires() -> None:
    assert state().probe(NOON, LATER) == [], "it does not fail"
    note(accepted=False)
    read = state()
    transact(read.probe(NOON, LATER))
    with pytest.raises(StaleRead):
        transact(read.probe(NOON, LATER))
    note(accepted=False)
    assert state().is_probed(shift(NOON, seconds=29)), "an attempt that began before it failed is not a probe"
    assert not state().is_probed(LATER)
    note(accepted=False, probed=True)
    assert not state().is_probed(NOON)
    transact(state().probe(NOON, LATER))
    transact(read.probe(LATER, shift(LATER, seconds=30)))
    note(accepted=True)
    note(accepted=False)
    assert not state().is_probed(LATER), "a success ends every probe"


def test_a_probe_that_begins_after_a_success_holds_no_attempt_up() -> None:
    note(accepted=False)
    read_before = state()
    note(accepted=True)
    transact(read_before.probe(NOON, LATER))
    assert not state().is_probed(NOON)


def deliveries(*minutes: int) -> list[StoredDelivery]:
    instants = [shift(NOON, minutes=minute) for minute in minutes]
    return [
        DELIVERY.model_copy(update={"id": f"{minute:024x}", "occurred_at": at, "due_at": at, "created_at": at})
        for minute, at in zip(minutes, instants, strict=True)
    ]


def test_a_delivery_is_stored_once_for_as_long_as_it_is_shown_and_changed_as_it_was_read() -> None:
    (delivery,) = deliveries(0)
    transact([webhook_deliveries.create(delivery)])
    with pytest.raises(StaleRead):
        transact([webhook_deliveries.create(delivery)])
    stored = read_one(webhook_deliveries.key(delivery))
    assert stored is not None
    assert stored["ttl"] == epoch(shift(NOON, days=WEBHOOK_DELIVERY_DAYS))
    assert webhook_deliveries.oldest_event(shift(NOON, days=WEBHOOK_DELIVERY_DAYS)) == NOON
    changed = delivery.model_copy(update={"version": delivery.version + 1, "status": "succeeded"})
    transact([webhook_deliveries.replace(delivery, changed)])
    with pytest.raises(StaleRead):
        transact([webhook_deliveries.replace(delivery, changed)])
    assert webhook_deliveries.stored_among(deliveries(0, 1)) == {delivery.id: changed}


def test_deliveries_are_listed_by_the_time_of_their_events_page_by_page() -> None:
    second, first, third = deliveries(2, 1, 3)
    transact([webhook_deliveries.create(delivery) for delivery in (second, first, third)])
    shown, last = webhook_deliveries.list_of_webhook(BOARD, ONE, Window(2, descending=True))
    assert (shown, last is not None) == ([third, second], True)
    assert webhook_deliveries.list_of_webhook(BOARD, ONE, Window(2, descending=True, after=last)) == ([first], None)


OTHER_BOARD = BoardId("e" * 24)
ANY_CALL = "before-call.kms.*"


@pytest.mark.parametrize(("board_id", "webhook_id"), [(OTHER_BOARD, ONE), (BOARD, "e" * 24)])
def test_a_secret_is_decrypted_only_for_its_board_and_its_webhook(board_id: BoardId, webhook_id: str) -> None:
    encrypted = webhook_secrets.encrypt("whsec", BOARD, ONE)
    assert webhook_secrets.decrypt(encrypted, BOARD, ONE) == "whsec"
    with pytest.raises((ApiError, StoreDefectError)):
        webhook_secrets.decrypt(encrypted, board_id, webhook_id)


def test_a_secret_is_encrypted_and_decrypted_under_the_key_of_the_webhooks() -> None:
    with requests_to("kms.*", aws.kms()) as requests:
        webhook_secrets.decrypt(webhook_secrets.encrypt("whsec", BOARD, ONE), BOARD, ONE)
    assert [request.get("KeyId") for request in requests] == [settings().webhook_key_id] * 2


@pytest.mark.parametrize("call", [webhook_secrets.encrypt, webhook_secrets.decrypt])
@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="https://kms.test"),
        ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Kms"),
    ],
)
def test_a_key_service_that_is_out_of_reach_or_throttles_is_a_503_and_the_log_names_the_call(
    call: Callable[[str, BoardId, str], str], error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    encrypted = webhook_secrets.encrypt("whsec", BOARD, ONE)

    def fail(**_: Any) -> None:
        raise error

    with hooked(ANY_CALL, fail, aws.kms()), pytest.raises(ApiError) as raised:
        call(encrypted, BOARD, ONE)
    assert raised.value.code is Code.SERVICE_UNAVAILABLE
    assert re.search(rf'"operation": ?"{call.__name__}"', capsys.readouterr().out)
