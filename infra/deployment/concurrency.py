"""How much of the account's Lambda concurrency an installation can take, besides the requests of its API."""

from __future__ import annotations

from collections.abc import Mapping

LANES = ("EmailsConcurrency", "CleanupsConcurrency", "SlowWebhooksConcurrency")
"""The parameters that give messages a queue of their own; 0 lets them share another."""
ON_DEMAND = ("ExportsConcurrency", "PacksConcurrency")
"""The parameters that bound what runs only while somebody waits for an export or a board pack."""
RINGS = "RingsConcurrency"
"""The parameter that bounds the ringer, by a reservation; 0 bounds nothing."""
QUEUES = ("DeliveriesConcurrency", "WebhooksConcurrency", *LANES, *ON_DEMAND, RINGS)
"""The parameters that bound a queue's function."""
FIXED = {"Revocations": 2, "Leaves": 2, "MailFeedback": 2, "MinutesFiles": 2}
"""The queues whose bound is not a parameter, and that bound: the least that SQS takes."""
IDLE_LANE = 2
"""The bound of a lane without a queue of its own, which is polled for what an earlier setting left in it."""
CLOCKS = 2
"""Functions that the clock invokes: the sweep, and the sealer where there are witnesses."""
LIVE = 1
"""What handshakes and messages of the live channel take at least; requests bound them, as those of the API."""
SHARDS = 4
"""Shards of a new table's stream: a table without provisioned capacity begins with four partitions."""


def reserved(parameters: Mapping[str, object]) -> int:
    """Returns the most invocations that run at a time without a request of the API, from the stack's parameters.

    The ringer counts once if nothing bounds it.
    """
    bounds = {name: int(str(parameters[name])) for name in QUEUES}
    bounds |= {lane: bounds[lane] or IDLE_LANE for lane in LANES} | {RINGS: bounds[RINGS] or 1}
    stream = SHARDS * int(str(parameters["EventsParallelism"]))
    return sum(bounds.values()) + sum(FIXED.values()) + stream + CLOCKS + LIVE


def shares_lanes(parameters: Mapping[str, object]) -> bool:
    """Returns whether mails, cleanups or slow receivers have no queue of their own."""
    return any(int(str(parameters[name])) == 0 for name in LANES)
