"""Keeps the records of streams that nobody has read yet, which the engine by itself forgets when it ends (ADR local).

Each reader of a stream keeps its position in a file. A copy of the data holds these positions as they were at its
instant, with the records after them: so what a reader did after the copy is done again, and nothing is left out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infra.stack.env_file import replace

FOLDER = "streams"
"""Where readers keep their positions, below the folder of the data."""
STATE = "streams"
"""The name of the positions in a copy."""

Positions = Mapping[str, Mapping[str, str]]
"""The last sequence number that was read, by shard, for each reader."""


def positions(folder: Path) -> Positions:
    """Returns how far each reader is."""
    return {file.stem: position(file) for file in folder.glob("*.json")}


def position(file: Path) -> dict[str, str]:
    """Returns how far one reader is; it begins anew where its file is absent or damaged."""
    try:
        read: dict[str, str] = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return read


def save(read: Positions) -> None:
    """Saves the records that one of the readers has not read, beside the engine's other data."""
    from ministack.core import persistence
    from ministack.services import dynamodb

    first = min((int(number) for shards in read.values() for number in shards.values()), default=0)
    records = type(dynamodb._stream_records)()
    for (account, region, table), all_records in dynamodb._stream_records.all_items():
        unread = [record for record in all_records if int(record["dynamodb"]["SequenceNumber"]) > first]
        records.set_scoped(account, region, table, unread)
    persistence.save_state(STATE, {"records": records, "positions": read})


def _oldest_seconds(records: Any) -> float:
    """Returns the age of the oldest record: a stream forgets by age, and the machine may have been off for days."""
    made = [record["dynamodb"]["ApproximateCreationDateTime"] for table in records.all_values() for record in table]
    return max(0.0, time.time() - min(made)) if made else 0.0


def restore(folder: Path) -> None:
    """Restores the records that were saved, and takes the readers back to where they were then."""
    from ministack.core import persistence
    from ministack.services import dynamodb

    saved: dict[str, Any] | None = persistence.load_state(STATE)
    if saved is None:
        return
    dynamodb._stream_records.update(saved["records"])
    dynamodb._STREAM_RETENTION_SECONDS += _oldest_seconds(dynamodb._stream_records)
    folder.mkdir(exist_ok=True)
    for name, shards in saved["positions"].items():
        replace(folder / f"{name}.json", json.dumps(shards))
