"""Time-outs fit into each other: what waits for something else waits long enough, and gives up in time."""

from __future__ import annotations

import pytest

from governance import aws, deadline
from governance.deliveries.notifications import mailing
from governance.domain.quota import WEBHOOK_ATTEMPTS
from governance.http import issuer_keys
from governance.limits import DUE_AHEAD_SECONDS, FEED_SECONDS, QUEUE_DELAY_SECONDS, WEBHOOK_ATTEMPT_SECONDS
from governance.webhooks import attempts
from infra.stack.template import Template

TEMPLATE = Template()
QUEUE_KEEPS_SECONDS = 900
"""The longest delay of a message (Amazon SQS)."""

pytestmark = pytest.mark.usefixtures("store")


@pytest.mark.parametrize(
    ("name", "attempts_made"), [("sesv2", 1), ("s3", 2), ("s3_for_copies", 1), ("kms", 2), ("sqs", 3)]
)
def test_a_client_tries_again_where_that_does_no_harm(name: str, attempts_made: int) -> None:
    retries = getattr(aws, name)().meta.config.retries
    assert retries == {"mode": "standard", "total_max_attempts": attempts_made}


def test_a_lease_of_a_delivery_outlasts_its_attempt_and_the_calls_around_it() -> None:
    """Otherwise a second worker would send the event while the first one still waits for the answer."""
    key_service, store = 3.0, deadline.STORE_ATTEMPT_SECONDS
    assert WEBHOOK_ATTEMPT_SECONDS + 2 * key_service + 3 * store <= attempts._LEASE_SECONDS
    assert TEMPLATE.timeout("webhook_sender") >= attempts._LEASE_SECONDS
    assert WEBHOOK_ATTEMPTS.minutes * 60 >= TEMPLATE.timeout("webhook_sender"), "a permit is given back by its taker"


def test_what_the_queue_cannot_delay_is_kept_in_the_table() -> None:
    assert QUEUE_DELAY_SECONDS == QUEUE_KEEPS_SECONDS
    assert DUE_AHEAD_SECONDS < QUEUE_KEEPS_SECONDS


def test_a_step_of_a_long_task_fits_into_its_function() -> None:
    assert mailing._EMAIL_SECONDS == 3 * deadline.STORE_ATTEMPT_SECONDS + deadline.MAIL_ATTEMPT_SECONDS
    assert deadline.PAGE_SECONDS == 5 * deadline.STORE_ATTEMPT_SECONDS
    for seconds in (mailing._EMAIL_SECONDS, deadline.PAGE_SECONDS):
        assert seconds + deadline._ANSWER_SECONDS < TEMPLATE.timeout("deliveries")


def test_a_key_set_is_fetched_again_before_it_is_too_old_to_be_used() -> None:
    assert issuer_keys._PAUSE_SECONDS < issuer_keys._LIFE_SECONDS - issuer_keys._REFRESH_SECONDS
    assert (issuer_keys._REFRESH_SECONDS, issuer_keys._LIFE_SECONDS, issuer_keys._PAUSE_SECONDS) == (240, 300, 30)
    assert FEED_SECONDS == issuer_keys._LIFE_SECONDS
