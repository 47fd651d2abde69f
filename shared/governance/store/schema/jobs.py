"""The keys of exports, and of messages that are due later (ADR table)."""

from __future__ import annotations

from governance.instants import Instant
from governance.store.schema.keys import SEPARATOR, Entity, Key, Kind, position

# -- exports of a board or of a user, each in a partition that holds nothing else

EXPORTS_PREFIX = "EXPORTS#"
EXPORT = Entity("EXPORTS#{exportedId}", "EXPORT#{userId}#{exportId}", "exports.export.StoredExport")
"""An export of a board or a user, by the user who requested it."""
EXPORT_RUNNING = Entity("EXPORTS#{exportedId}", "RUNNING", "exports.export.RunningExport")
"""The export of a board or a user that runs."""


# -- messages that are due later, in a few partitions, so that a sweep reads only what is due

_DUE_SHARDS = 16
DUE = Kind("DUE#{shard}", "{position}", "queue.DueMessage")


def due_partitions() -> list[str]:
    """Returns the partitions of the messages that are due later."""
    return [f"DUE#{shard}" for shard in range(_DUE_SHARDS)]


def due_key(due_at: Instant, subject_id: str, kind: str) -> Key:
    """Returns the key of a message that is due later; in a partition by its subject, ordered by time."""
    shard = f"{int(subject_id[-1], 16)}"
    return DUE.key(shard=shard, position=f"{position(due_at, subject_id)}{SEPARATOR}{kind}")
