"""Messages that wait until they are due, in a few partitions by time: a sweep reads only what is due (ADR deliveries).

A row is written in the transaction of the change that causes it. Its key is derived from its subject, so that the next
change deletes it. A row that is left behind does no harm: whether it still applies is checked when it is due.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from governance.instants import Instant, now, shift
from governance.limits import DUE_ROW_DAYS
from governance.models.notifications.reminder import DueReminder
from governance.models.queue import DeliveryKind, DueMessage
from governance.store.decoding import decode_or_none
from governance.store.dynamodb import run_async
from governance.store.paging import strictly_before
from governance.store.schema.jobs import due_key, due_partitions
from governance.store.schema.keys import SK, Key, Range, key_of, make_item
from governance.store.table import query
from governance.store.writes import Delete, Put, Write


def put(message: DueMessage) -> Write:
    """Returns the write of a message that is due later, or overdue after a restore; the same message twice is one."""
    expiry = shift(max(message.due_at, now()), days=DUE_ROW_DAYS)
    return Put(make_item(_key(message), message.item(), ttl=expiry))


def forget(message: DueMessage) -> Write:
    """Returns the write after which a message is not due any more."""
    return Delete(_key(message))


def delete(message: DueMessage) -> Write:
    """Returns the write that takes a message back, which may have been handed on already."""
    return Delete(_key(message))


def _key(message: DueMessage) -> Key:
    return due_key(message.due_at, message.subject_id, message.body.get("kind", message.kind))


def put_reminder(reminder: DueReminder) -> Write:
    """Returns the write of a reminder."""
    return put(message_of(reminder))


def message_of(reminder: DueReminder) -> DueMessage:
    """Returns the message of a reminder."""
    return DueMessage(
        kind=DeliveryKind.REMINDER,
        due_at=reminder.due_at,
        group=reminder.board_id,
        subject_id=reminder.subject_id,
        body=reminder.item(),
    )


def move_reminders(old: Iterable[DueReminder], new: Iterable[DueReminder]) -> list[Write]:
    """Returns the writes that replace reminders by others; none for those that stay the same."""
    before, after = ({_key(message): message for message in map(message_of, reminders)} for reminders in (old, new))
    removed: list[Write] = [Delete(key) for key in before if key not in after]
    return [*removed, *(put(message) for key, message in after.items() if key not in before)]


def due_before(instant: Instant, limit: int) -> list[dict[Key, DueMessage]]:
    """Returns the messages that are due before an instant, by key: of each partition the earliest `limit` at least.

    Rows that cannot be read are passed over, however many there are, and expire.
    """
    reads = [run_async(partial(_earliest, partition, instant, limit)) for partition in due_partitions()]
    return [messages for read in reads if (messages := read.result())]


def _earliest(partition: str, instant: Instant, limit: int) -> dict[Key, DueMessage]:
    messages: dict[Key, DueMessage] = {}
    last = None
    while len(messages) < limit:
        items = query(Range(partition, above=last, below=strictly_before(instant)), limit)
        decoded = ((key_of(item), decode_or_none(DueMessage, item)) for item in items)
        messages |= {key: message for key, message in decoded if message}
        if len(items) < limit:
            break
        last = items[-1][SK]
    return messages
