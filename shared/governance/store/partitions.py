"""The size of partitions: with local indexes, a partition and its index entries have room for 10 GB (ADR history)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from governance import telemetry
from governance.settings import settings
from governance.store.schema.entities import partition_subject
from governance.store.schema.keys import PK
from governance.telemetry import Metric

LARGE_GIGABYTES = 8


def watch(answer: Mapping[str, Any]) -> None:
    """Counts and logs each partition that a transaction wrote to and that the store estimates at 8 GB or more."""
    for written in answer.get("ItemCollectionMetrics", {}).get(settings().table_name, []):
        _, estimate = written["SizeEstimateRangeGB"]
        if estimate >= LARGE_GIGABYTES:
            telemetry.count(Metric.LARGE_COLLECTIONS)
            _log(partition_subject(written["ItemCollectionKey"][PK]["S"]), int(estimate))


@lru_cache(maxsize=100)
def _log(partition: str, gigabytes: int) -> None:
    """Writes one line for each size of a partition; the metric counts every time."""
    telemetry.logger().warning("large partition", partition=partition, gigabytes=gigabytes)
