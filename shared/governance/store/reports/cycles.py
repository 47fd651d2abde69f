"""Cycles: one item each, in the list of their board by creation, with their reminders.

A row of a report names the cycle that it is in, until that is published: so a report is in one at most (ADR reports).
"""

from __future__ import annotations

from governance.domain.notifications import due as due_rules
from governance.domain.reports import cycle as cycle_rules
from governance.errors import Reason, conflict
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.reports.cycle import StoredCycle
from governance.store import due
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all, decode_or_none
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import CYCLE, CYCLE_OF_REPORT
from governance.store.schema.keys import Item, Key, make_item, position
from governance.store.table import read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals, fail_with


def _key(cycle: StoredCycle) -> Key:
    return CYCLE.key_for(boardId=cycle.board_id, cycleId=cycle.id)


def _report_key(cycle: StoredCycle) -> Key:
    return CYCLE_OF_REPORT.key_for(boardId=cycle.board_id, reportId=cycle.report_id)


def position_of(cycle: StoredCycle) -> str:
    """Returns the position of a cycle in the list of its board."""
    return position(cycle.created_at, cycle.id)


def _item(cycle: StoredCycle) -> Item:
    return make_item(_key(cycle), cycle.item(), **ranges.CYCLES.entry(position_of(cycle)))


def find(board_id: BoardId, cycle_id: str) -> StoredCycle | None:
    """Returns a cycle; None if there is none, or one that cannot be read."""
    item = read_one(CYCLE.key_for(boardId=board_id, cycleId=cycle_id))
    return decode_or_none(StoredCycle, item)


def create(cycle: StoredCycle) -> list[Write]:
    """Returns the writes of a new cycle. They fail with 409 `CYCLE_OPEN` if its report is in another one."""
    reminders = due.move_reminders([], due_rules.of_cycle(cycle, cycle.created_at))
    return [Put(_item(cycle), ABSENT), _take_report(cycle), *reminders]


def _take_report(cycle: StoredCycle) -> Write:
    taken = fail_with(lambda: conflict(Reason.CYCLE_OPEN))
    return Put(make_item(_report_key(cycle), {"cycleId": cycle.id}), ABSENT, taken)


def _release_report(cycle: StoredCycle) -> list[Write]:
    """Returns the write that lets another cycle have the report; none for a published cycle, which has none."""
    return [] if cycle_rules.status(cycle) == "published" else [Delete(_report_key(cycle), equals(cycleId=cycle.id))]


def check_in_none(board_id: BoardId, report_id: str) -> Write:
    """Returns a check that a report is in no cycle that is not published. It fails with 409 `CYCLE_OPEN`."""
    key = CYCLE_OF_REPORT.key_for(boardId=board_id, reportId=report_id)
    return Check(key, ABSENT, fail_with(lambda: conflict(Reason.CYCLE_OPEN)))


def replace(old: StoredCycle, new: StoredCycle, now: Instant) -> list[Write]:
    """Returns the writes that change a cycle, its reminders, and the report that it occupies.

    They fail with `StaleRead` if it changed since it was read, with 409 `CYCLE_OPEN` for a report of another cycle.
    """
    reminders = due.move_reminders(due_rules.of_cycle(old, now), due_rules.of_cycle(new, now))
    moved = _release_report(old) if cycle_rules.status(new) == "published" else []
    if new.report_id != old.report_id:
        moved = [*_release_report(old), _take_report(new)]
    return [Put(_item(new), equals(version=old.version)), *moved, *reminders]


def delete(cycle: StoredCycle, now: Instant) -> list[Write]:
    """Returns the writes that delete a cycle. They fail with `StaleRead` if it changed since it was read."""
    reminders = due.move_reminders(due_rules.of_cycle(cycle, now), [])
    return [Delete(_key(cycle), equals(version=cycle.version)), *_release_report(cycle), *reminders]


def list_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredCycle], str | None]:
    """Returns a page of a board's cycles, by creation, and the position of the last (None: no more)."""
    items, last = page(board_key(board_id).pk, [ranges.CYCLES], window)
    return decode_all(StoredCycle, items), last
