"""Events and audit entries: written in the transaction of the act itself, in partitions of their own by time."""

from __future__ import annotations

from governance.instants import shift
from governance.limits import AUDIT_DAYS, EVENT_DAYS
from governance.models.act import AuditEntry, StoredEvent
from governance.store import schema
from governance.store.schema import stored
from governance.store.table import Put, Write


def event(entry: StoredEvent) -> Write:
    """An event; the stream carries it to whatever follows from it."""
    key = schema.event(entry.board_id, entry.created_at, entry.id)
    return Put(stored(key, entry.item(), ttl=shift(entry.created_at, days=EVENT_DAYS)))


def audit(entry: AuditEntry) -> Write:
    """An audit entry; it goes after a year."""
    key = schema.audit(entry.board_id or "", entry.created_at, entry.id)
    return Put(stored(key, entry.item(), ttl=shift(entry.created_at, days=AUDIT_DAYS)))
