"""Logs and metrics of all layers, through Powertools: they say what happened, never with what data (ADR logging).

No token, address, header, query or body is written, and no exception's message, which may quote any of them. Every name
of a metric and of a dimension is declared here; the values of a dimension are few and known.
"""

from __future__ import annotations

import itertools
import logging
import traceback
from enum import StrEnum
from functools import lru_cache

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from governance.settings import settings

_cold_start = itertools.chain([True], itertools.repeat(False))


class Metric(StrEnum):
    """A count that an operator acts on; infra/monitoring draws and watches them."""

    CRASHES = "Crashes"
    """Requests that ended with 500, by route."""
    STORE_FAILURES = "StoreFailures"
    """Calls of the store that failed for good, by kind."""
    CONFLICTS_RETRIED = "ConflictsRetried"
    """Transactions that conflicted with another one and were retried."""
    LARGE_COLLECTIONS = "LargeCollections"
    """Writes to a partition that nears the 10 GB at which the store refuses them."""
    ITEMS_UNREADABLE = "ItemsUnreadable"
    """Items that a list left out because they cannot be read, or do not match the rows that were written with them."""
    REQUESTS_THROTTLED = "RequestsThrottled"
    """Requests that ended with 429, by the kind of principal."""
    EMAILS_REFUSED = "EmailsRefused"
    """E-mails that the mail service did not accept, by reason."""
    DELIVERIES_FAILED = "DeliveriesFailed"
    """Attempts to handle a message of a queue that failed, by kind, and posts to connections of the live channel."""
    WEBHOOK_ATTEMPTS = "WebhookAttempts"
    """Attempts to deliver an event to a webhook, by result."""
    WEBHOOKS_DISABLED = "WebhooksDisabled"
    """Webhooks that the service disabled, by reason."""
    WEBHOOK_DELAY = "WebhookDelay"
    """Milliseconds from an event to the first attempt of its delivery."""
    MAILS_REFUSED = "MailsRefused"
    """Received mails that were set aside, by reason."""
    FORMS_REUSED = "FormsReused"
    """Forms of uploads that were used after their version was complete or deleted, found a day after they were made."""
    SWEEPS = "Sweeps"
    """Sweeps of what is due that ended without an error: one a minute, or the clock stands still."""
    QUEUE_FAILURES = "QueueFailures"
    """Calls of the queue of deliveries that failed for good."""
    LOG_STOPPED = "LogStopped"
    """Attempts to extend the log that found something published which is not its past."""


DIMENSIONS = {
    Metric.CRASHES: "route",
    Metric.STORE_FAILURES: "kind",
    Metric.REQUESTS_THROTTLED: "principal",
    Metric.EMAILS_REFUSED: "reason",
    Metric.DELIVERIES_FAILED: "kind",
    Metric.MAILS_REFUSED: "reason",
    Metric.WEBHOOK_ATTEMPTS: "result",
    Metric.WEBHOOKS_DISABLED: "reason",
}
"""The dimension of each metric that has one in addition to the service; its total is published too."""


class StoreFailure(StrEnum):
    """The kind of a failed call of the store, the gravest first."""

    INVALID = "invalid"
    DENIED = "denied"
    FULL = "full"
    THROTTLED = "throttled"
    CONTENDED = "contended"
    UNREACHABLE = "unreachable"


class EmailRefusal(StrEnum):
    """Why an e-mail was not, or perhaps not, accepted."""

    THROTTLED = "throttled"
    REFUSED = "refused"
    RESPONSE_LOST = "response-lost"


@lru_cache(maxsize=1)
def logger() -> Logger:
    """Returns the logger of this process. Powertools reads its level and its sampling rate from the environment."""
    return Logger(service=settings().service_name, utc=True, use_rfc3339=True, location=None)


def begin_invocation(context: object, correlation_id: str | None = None) -> None:
    """Puts the ids of an invocation into every line of its thread; `correlation_id` is the client's `X-Request-Id`.

    The keys belong to the thread, because `make run` serves requests in several threads at once.
    """
    cold_start = next(_cold_start)
    logger().thread_safe_clear_keys()
    logger().thread_safe_append_keys(
        cold_start=cold_start,
        function_request_id=getattr(context, "aws_request_id", None),
        correlation_id=correlation_id,
    )
    if float(logger().sampling_rate or 0) and not cold_start:  # Powertools keeps the text of the environment
        logger().refresh_sample_rate_calculation()


def log_request(method: str, route: str, status: int, principal: str, milliseconds: int) -> None:
    """Writes the line of a request: the route's template, never the path, which may hold a secret link."""
    logger().info("request", method=method, route=route, status=status, principal=principal, ms=milliseconds)


def log_store_call(operation: str, milliseconds: int, retries: int) -> None:
    """Writes a line about a call of the store at DEBUG, so that sampled requests show their calls."""
    if logger().log_level <= logging.DEBUG:
        logger().debug("store call", operation=operation, ms=milliseconds, retries=retries)


def log_error(message: str, error: BaseException, **fields: str) -> None:
    """Writes an exception by its type and its frames."""
    frames = [
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    logger().error(message, extra={"error": type(error).__name__, "frames": frames, **fields})


def count(metric: Metric, value: str | None = None) -> None:
    """Publishes one occurrence, and a second time under the value of the metric's dimension if it has one."""
    metrics = EphemeralMetrics(namespace=settings().metrics_namespace, service=settings().service_name)
    metrics.add_metric(name=metric, unit=MetricUnit.Count, value=1)
    if value is not None:
        metrics.add_dimensions(service=settings().service_name, **{DIMENSIONS[metric]: value})
    _flush(metrics)


def measure(metric: Metric, milliseconds: int) -> None:
    """Publishes how long something took."""
    metrics = EphemeralMetrics(namespace=settings().metrics_namespace, service=settings().service_name)
    metrics.add_metric(name=metric, unit=MetricUnit.Milliseconds, value=milliseconds)
    _flush(metrics)


def _flush(metrics: EphemeralMetrics) -> None:
    lines = logger().registered_handler
    lines.acquire()  # threads of one process share an output: the lock keeps each line whole
    try:
        metrics.flush_metrics()
    finally:
        lines.release()
