"""Bugs in what webhooks send, where to, how often, and what survives a crash."""

from __future__ import annotations

from governance import addresses
from governance.domain import webhook, webhook_delivery
from governance.events import webhook_attempts, webhook_client, webhook_planning, webhook_sweep, webhook_waiting
from governance.models import webhook_url
from governance.usecases import webhooks
from tests.seeded_bugs.bug import Bug

_CLIENT = "tests/webhooks/test_addresses.py tests/webhooks/test_client.py tests/webhooks/test_tls.py"
_ATTEMPTS = "tests/webhooks/test_attempts.py"
_BUSY = "tests/webhooks/test_busy.py"
_CRASHES = "tests/webhooks/test_crashes.py"
_DISABLING = "tests/webhooks/test_disabling.py"
_REDELIVERY = "tests/webhooks/test_redelivery.py"
_ROUTES = "tests/functions/webhooks"

BUGS = (
    Bug(
        "one public address is enough for a name",
        webhook_client._judged_addresses,
        "if not all(is_allowed",
        "if not any(is_allowed",
        _CLIENT,
    ),
    Bug(
        "a connection looks the name up again",
        webhook_client._open,
        "socket.create_connection((str(address), port), timeout)",
        "socket.create_connection((look_up('hooks.example.com', port)[0], port), timeout)",
        _CLIENT,
    ),
    Bug(
        "an IPv4 address inside an IPv6 address is not judged",
        addresses.is_public,
        "if inner is not None:",
        "if False:",
        _CLIENT,
    ),
    Bug(
        "this machine's addresses are allowed everywhere",
        webhook_url.is_allowed,
        "settings().webhook_allow_loopback and addresses",
        "addresses",
        _CLIENT,
    ),
    Bug(
        "an answer may take as long as it likes",
        webhook_client._Watchdog._end,
        "watched.shutdown(socket.SHUT_RDWR)",
        "watched.fileno()",
        _CLIENT,
    ),
    Bug(
        "webhooks hear of drafts and committees",
        webhook.wants,
        "not is_board_wide(event)",
        "False",
        _ATTEMPTS,
    ),
    Bug(
        "the old secret signs for ever",
        webhook.signing_secrets,
        "now < webhook.previous_until",
        "now",
        _ATTEMPTS,
    ),
    Bug(
        "an eleventh webhook is accepted",
        webhook.add,
        ">= WEBHOOKS_PER_BOARD",
        "> WEBHOOKS_PER_BOARD",
        _ROUTES,
    ),
    Bug(
        "a secret is in the replay of its request",
        webhooks._with_secret,
        '"secret": None',
        '"secret": secret',
        _ROUTES,
    ),
    Bug(
        "a redirect is an acceptance",
        webhook_delivery.Answer.accepted.fget,  # type: ignore[attr-defined]
        "< 300",
        "< 400",
        _CLIENT,
    ),
    Bug(
        "Retry-After is ignored",
        webhook_delivery.conclude,
        "wait = max(wait, min(answer.retry_after or 0, _LONGEST_WAIT_SECONDS))",
        "wait = max(wait, 0)",
        _ATTEMPTS,
    ),
    Bug(
        "a receiver that is gone is tried again",
        webhook_delivery.conclude,
        "answer.gone or tries",
        "tries",
        "tests/webhooks/test_disabling.py::test_a_receiver_that_is_gone_is_disabled_and_the_owner_told",
    ),
    Bug(
        "failures at an earlier URL count",
        webhook.change,
        "changed.url != webhook.url or ",
        "",
        _DISABLING,
    ),
    Bug(
        "a receiver that was given up disables the next one",
        webhook_attempts._reason_to_disable,
        " or began < job.webhook.failures_count_from",
        "",
        _DISABLING,
    ),
    Bug(
        "a redelivery does not wait for the request that is being made",
        webhook.repeat,
        '"due_at": now,',
        '"due_at": now, "leased_until": None,',
        _REDELIVERY,
    ),
    Bug(
        "a redelivery waits for the lease of a request that has ended",
        webhook_delivery.note_attempt,
        'update={"leased_until": None}',
        "update={}",
        _REDELIVERY,
    ),
    Bug(
        "brackets hold a name",
        webhook_url._check_brackets,
        " or not isinstance(_address_or_none(host), IPv6Address)",
        "",
        _CLIENT,
    ),
    Bug(
        "a message that comes early makes an attempt",
        webhook_attempts._wait,
        "return max(0.0, seconds_until(until, moment))",
        "return 0.0",
        _ATTEMPTS,
    ),
    Bug(
        "a delivery that waits comes back every few seconds",
        webhook_waiting.wait_for_slot,
        "random.uniform(*_COMES_BACK_SECONDS)",
        "random.uniform(1, 3)",
        _BUSY,
    ),
    Bug(
        "the end of an attempt wakes nobody",
        webhook_attempts.attempt_delivery,
        "return [*following, *wake_one(job.board.board_id, job.webhook.id, job.slots)]",
        "return following",
        _BUSY,
    ),
    Bug(
        "a delivery that begins to wait does not look for a slot again",
        webhook_waiting.wait_for_slot,
        "return [*own, *wake_one(board_id, webhook_id, slots)]",
        "return own",
        _BUSY,
    ),
    Bug(
        "a delivery that waits is woken though no slot is free",
        webhook_waiting.wake_one,
        "if not waiting or not webhook_deliveries",
        "if not waiting or webhook_deliveries",
        f"{_BUSY}::test_an_hour_of_waiting_costs_few_invocations",
    ),
    Bug(
        "a delivery that waits depends on the worker that wakes it",
        webhook_waiting.wait_for_slot,
        "own = [] if woken else",
        "own = [] if slots else",
        _CRASHES,
    ),
    Bug(
        "each webhook of a board has all its attempts",
        webhook.attempts_at_a_time,
        "WEBHOOK_BOARD_CONCURRENCY // max(1, enabled)",
        "WEBHOOK_BOARD_CONCURRENCY",
        _BUSY,
    ),
    Bug(
        "a repeated plan forgets deliveries that were stored but not sent",
        webhook_planning._store,
        "return [known.get(each.id, each) for each in planned]",
        "return missing",
        _CRASHES,
    ),
    Bug(
        "the clock forgets deliveries before it sends them",
        webhook_sweep.sweep,
        "        delivery_queue.send(_message(each, max(0.0, seconds_until(each.due_at, moment))) for each in due)\n"
        "        delete_all(each.key for each in due)\n",
        "        delete_all(each.key for each in due)\n"
        "        delivery_queue.send(_message(each, max(0.0, seconds_until(each.due_at, moment))) for each in due)\n",
        _CRASHES,
    ),
)
