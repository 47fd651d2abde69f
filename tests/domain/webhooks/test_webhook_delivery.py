"""The delivery of an event to a webhook: its body, its headers, when it is tried again, and when it is given up."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest

from governance.domain.webhooks import webhook_delivery as webhook_delivery_rules
from governance.domain.webhooks.webhook_delivery import AttemptResult
from governance.instants import Instant, millis
from governance.limits import WEBHOOK_ATTEMPTS_KEPT
from governance.models.webhooks.webhook import DeliveryAttempt
from tests.domain.samples import BOARD, NOW, THEN, changed, delivery, later

BUSY = AttemptResult(503, None, 20)
DAY = 24 * 3600


@pytest.mark.parametrize(
    ("status", "accepted", "gone"),
    [
        *((status, False, False) for status in (None, 199, 300, 409, 411, 500)),
        *((status, True, False) for status in (200, 204, 299)),
        (410, False, True),
    ],
)
def test_an_event_is_accepted_by_every_2xx_and_refused_for_good_by_410(
    status: int | None, accepted: bool, gone: bool
) -> None:
    answer = AttemptResult(status, None, 0)
    assert (answer.accepted, answer.gone) == (accepted, gone)


def test_a_body_has_ids_only_in_compact_json() -> None:
    content = {"type": "meeting.created", "timestamp": THEN, "data": {"boardId": BOARD, "meetingId": "m"}}
    assert webhook_delivery_rules.body(delivery()) == json.dumps(content).replace(", ", ",").replace(": ", ":").encode()


def test_the_headers_are_those_of_standard_webhooks_with_a_signature_by_each_key() -> None:
    seconds = str(millis(NOW) // 1000)
    signatures = [
        "v1," + base64.b64encode(hmac.new(key, f"e.{seconds}.{{}}".encode(), hashlib.sha256).digest()).decode()
        for key in (b"1", b"2")
    ]
    assert webhook_delivery_rules.headers(delivery(), b"{}", [b"1", b"2"], Instant("2030-06-15T12:00:00.999Z")) == {
        "content-type": "application/json",
        "user-agent": "board-governance-webhooks",
        "webhook-id": "e",
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(signatures),
    }


def test_a_lease_is_a_new_version() -> None:
    assert changed(delivery(), webhook_delivery_rules.lease(delivery(), NOW)) == {"leased_until": NOW, "version": 2}


def attempt(answer: AttemptResult, at: Instant = THEN) -> DeliveryAttempt:
    return DeliveryAttempt(at=at, status_code=answer.status_code, duration_ms=answer.duration_ms, error=answer.error)


@pytest.mark.parametrize(
    ("tries", "answer", "concluded"),
    [
        (0, AttemptResult(204, None, 3), {"status": "succeeded"}),
        (9, AttemptResult(200, None, 3), {"status": "succeeded"}),
        (0, AttemptResult(410, None, 3), {"status": "failed"}),
        (9, BUSY, {"status": "failed"}),
        (0, BUSY, {"due_at": later(seconds=5)}),
        (8, BUSY, {"due_at": later(days=1)}),
        (0, AttemptResult(None, "TIMEOUT", 9), {"due_at": later(seconds=5)}),
    ],
)
def test_a_delivery_succeeds_is_due_again_or_is_given_up_after_the_tenth_attempt(
    tries: int, answer: AttemptResult, concluded: dict[str, Any]
) -> None:
    old = delivery(tries=tries, leased_until=NOW)
    new = webhook_delivery_rules.conclude(old, answer, THEN, NOW, 0.0)
    kept = {"attempts": (attempt(answer),), "tries": tries + 1, "leased_until": None, "version": 2}
    expected = {**concluded, **kept}
    assert changed(old, new) == {name: value for name, value in expected.items() if value != getattr(old, name)}


@pytest.mark.parametrize(
    ("tries", "seconds"),
    [(0, 5), (1, 300), (2, 1800), (3, 7200), (4, 18000), (5, 36000), (6, 50400), (7, 72000), (8, 86400)],
)
def test_every_attempt_waits_longer_than_the_one_before_and_at_most_a_fifth_more(tries: int, seconds: int) -> None:
    for jitter, share in ((0.0, 1.0), (0.5, 1.1), (1.0, 1.2)):
        due = webhook_delivery_rules.conclude(delivery(tries=tries), BUSY, THEN, NOW, jitter).due_at
        assert millis(due) - millis(NOW) == round(seconds * share * 1000)


@pytest.mark.parametrize(
    ("asked", "wait"),
    [(None, 5), (0, 5), (4, 5), (5, 5), (6, 6), (DAY - 1, DAY - 1), (DAY, DAY), (DAY + 1, DAY), (10**9, DAY)],
)
def test_a_receiver_asks_for_a_later_attempt_within_a_day_and_for_no_earlier_one(asked: int | None, wait: int) -> None:
    due = webhook_delivery_rules.conclude(delivery(), AttemptResult(429, None, 1, asked), THEN, NOW, 0.0).due_at
    assert due == later(seconds=wait)


def test_the_latest_twenty_attempts_are_kept() -> None:
    tried = delivery()
    for number in range(WEBHOOK_ATTEMPTS_KEPT + 1):
        tried = webhook_delivery_rules.add_attempt(tried, AttemptResult(500, None, number), later(seconds=number))
    assert [attempt_kept.duration_ms for attempt_kept in tried.attempts] == list(range(1, WEBHOOK_ATTEMPTS_KEPT + 1))
    assert tried.version == WEBHOOK_ATTEMPTS_KEPT + 2


def test_an_attempt_at_what_was_asked_for_again_ends_its_own_lease_and_no_other() -> None:
    old = delivery(leased_until=NOW)
    noted = {"attempts": (attempt(BUSY),), "version": 2}
    assert changed(old, webhook_delivery_rules.note_attempt(old, NOW, BUSY, THEN)) == {**noted, "leased_until": None}
    assert changed(old, webhook_delivery_rules.note_attempt(old, THEN, BUSY, THEN)) == noted


@pytest.mark.parametrize(
    ("waited", "jitter", "pause"),
    [(0, 0, 0), (0, 1, 2), (4, 0.5, 1.5), (100, 0, 25), (100, 1, 50), (1800, 1, 900), (10**6, 1, 900), (10**6, 0, 450)],
)
def test_a_delivery_without_a_permit_looks_again_after_a_share_of_its_wait(
    waited: int, jitter: float, pause: float
) -> None:
    assert webhook_delivery_rules.pause_without_permit(delivery(due_at=NOW), later(seconds=waited), jitter) == pause


@pytest.mark.parametrize(("milliseconds", "slow"), [(3000, False), (3001, True)])
def test_a_receiver_is_slow_that_takes_more_than_three_seconds(milliseconds: int, *, slow: bool) -> None:
    assert AttemptResult(204, None, milliseconds).slow == slow


def test_a_delivery_that_is_given_up_says_why() -> None:
    new = webhook_delivery_rules.give_up(delivery(), "NO_WEBHOOK", NOW)
    reason = attempt(AttemptResult(None, "NO_WEBHOOK", 0), NOW)
    assert changed(delivery(), new) == {"status": "failed", "attempts": (reason,), "version": 2}
