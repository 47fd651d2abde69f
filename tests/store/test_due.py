"""What waits until it is due: reminders move by what changed alone, and a row that cannot be read holds up no other."""

from __future__ import annotations

import pytest

from governance.instants import Instant, shift
from governance.models.notifications.reminder import DueReminder, ReminderKind
from governance.models.queue import DueMessage
from governance.store import due
from governance.store.schema.jobs import due_key
from governance.store.schema.keys import PK, SK
from governance.store.transactions import transact
from governance.store.writes import Put, Write
from tests.store.stored_items import BOARD, MEETING, NOW

pytestmark = pytest.mark.usefixtures("store")
LIMIT = 10
LATER, LATEST = shift(NOW, hours=1), shift(NOW, hours=2)


def reminder(due_at: Instant, kind: ReminderKind = ReminderKind.MEETING) -> DueReminder:
    return DueReminder(kind=kind, due_at=due_at, board_id=BOARD, meeting_id=MEETING)


def waiting() -> list[Instant]:
    """Returns the instants of the reminders that wait."""
    return sorted(message.due_at for message in _found())


def _found() -> list[DueMessage]:
    return [message for part in due.due_before(shift(LATEST, hours=1), LIMIT) for message in part.values()]


def spelled(writes: list[Write]) -> list[tuple[str, str]]:
    """Returns what each write does, and the instant that begins its sort key."""
    keys = [write.item[SK] if isinstance(write, Put) else write.key.sk for write in writes]
    return [(type(write).__name__, key.partition("#")[0]) for write, key in zip(writes, keys, strict=True)]


def test_reminders_that_move_leave_none_behind() -> None:
    transact(due.move_reminders([], [reminder(NOW), reminder(LATER)]))
    assert waiting() == [NOW, LATER]
    transact(due.move_reminders([reminder(NOW), reminder(LATER)], [reminder(LATER), reminder(LATEST)]))
    assert waiting() == [LATER, LATEST]
    transact(due.move_reminders([reminder(LATER), reminder(LATEST)], []))
    assert waiting() == []


def test_only_reminders_that_differ_are_written() -> None:
    old, new = [reminder(NOW), reminder(LATER)], [reminder(LATER), reminder(LATEST)]
    assert spelled(due.move_reminders(old, new)) == [("Delete", NOW), ("Put", LATEST)]
    assert due.move_reminders(old, old) == []


@pytest.mark.parametrize("unreadable", [1, LIMIT, 3 * LIMIT])
def test_rows_that_cannot_be_read_hold_up_no_other(unreadable: int) -> None:
    partition = due_key(NOW, MEETING, "x").pk
    broken = [Put({PK: partition, SK: f"{shift(NOW, hours=-1)}#{MEETING}#{number}"}) for number in range(unreadable)]
    transact([due.put_reminder(reminder(NOW)), *broken])
    assert waiting() == [NOW]
