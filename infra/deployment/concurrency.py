"""How much of the account's Lambda concurrency the queues and the stream of an installation can take."""

from __future__ import annotations

from collections.abc import Mapping

LANES = ("EmailsConcurrency", "CleanupsConcurrency", "SlowWebhooksConcurrency")
"""The parameters that give messages a queue of their own; 0 lets them share another."""
ON_DEMAND = ("ExportsConcurrency", "PacksConcurrency")
"""The parameters that bound what runs only while somebody waits for an export or a board pack."""
QUEUES = ("DeliveriesConcurrency", "WebhooksConcurrency", *LANES, *ON_DEMAND)
"""The parameters that bound a queue's function."""
SHARDS = 4
"""Shards of a new table's stream: a table without provisioned capacity begins with four partitions."""


def reserved(parameters: Mapping[str, object]) -> int:
    """Returns the most invocations that the queues and the stream run at a time, from the stack's parameters."""
    queues = sum(int(str(parameters[name])) for name in QUEUES)
    return queues + SHARDS * int(str(parameters["EventsParallelism"]))


def shares_lanes(parameters: Mapping[str, object]) -> bool:
    """Returns whether mails, cleanups or slow receivers have no queue of their own."""
    return any(int(str(parameters[name])) == 0 for name in LANES)
