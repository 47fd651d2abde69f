"""Reports: one item each, in the list of the board and in that of its status, both in the order of the last update."""

from __future__ import annotations

from governance.ids import BoardId
from governance.models.reports.report import ReportStatus, StoredReport
from governance.store.boards.boards import board_key
from governance.store.decoding import decode_all
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import DASHBOARD_COUNT, REPORT, REPORT_CHECKS
from governance.store.schema.keys import Item, Key, make_item, position
from governance.store.table import read_one
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Write, equals


def _key(report: StoredReport) -> Key:
    return REPORT.key_for(boardId=report.board_id, reportId=report.id)


def _item(report: StoredReport) -> Item:
    at = position(report.updated_at, report.id)
    entries = ranges.reports().entry(at) | ranges.reports(report.status).entry(at)
    return make_item(_key(report), report.item(), **entries)


def create(report: StoredReport) -> Write:
    """Returns the write of a new report."""
    return Put(_item(report), ABSENT)


def replace(old: StoredReport, new: StoredReport) -> Write:
    """Returns the write that changes a report. It fails with `StaleRead` if it changed since it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(report: StoredReport) -> list[Write]:
    """Returns the writes that delete a report with its count and checks; its dashboards are then unreachable.

    They fail with `StaleRead` if the report changed since it was read.
    """
    beside = [
        entity.key_for(boardId=report.board_id, reportId=report.id) for entity in (DASHBOARD_COUNT, REPORT_CHECKS)
    ]
    return [Delete(_key(report), equals(version=report.version)), *map(Delete, beside)]


def check_open(report: StoredReport) -> Write:
    """Returns a check that the report still exists and is not finalized."""
    unfinished = Condition("attribute_exists(#s) AND #s <> :final", {"#s": "status"}, {":final": "finalized"})
    return Check(_key(report), unfinished)


def check_unchanged(report: StoredReport) -> Write:
    """Returns a check that the report is as it was read."""
    return Check(_key(report), equals(version=report.version))


def find(board_id: BoardId, report_id: str) -> StoredReport | None:
    """Returns a report; None if there is none."""
    item = read_one(REPORT.key_for(boardId=board_id, reportId=report_id))
    return StoredReport.model_validate(item) if item else None


def list_of_board(
    board_id: BoardId, status: ReportStatus | None, window: Window
) -> tuple[list[StoredReport], str | None]:
    """Returns a page of a board's reports, or of those of one status, by update, and the last's position."""
    items, last = page(board_key(board_id).pk, [ranges.reports(status)], window)
    return decode_all(StoredReport, items), last
