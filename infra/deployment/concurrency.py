"""How much of the account's Lambda concurrency the queues and the stream of an installation can take."""

from __future__ import annotations

from collections.abc import Mapping

SHARDS = 4
"""Shards of a new table's stream: a table without provisioned capacity begins with four partitions."""


def reserved(parameters: Mapping[str, object]) -> int:
    """Returns the most invocations that deliveries, webhooks and events run at a time, from the stack's parameters.

    Exports, which are rare, are not among them: two at a time come on top.
    """
    deliveries, webhooks, parallelism = (
        int(str(parameters[name])) for name in ("DeliveriesConcurrency", "WebhooksConcurrency", "EventsParallelism")
    )
    return deliveries + webhooks + SHARDS * parallelism
