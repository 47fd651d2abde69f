"""Reports: one item each; its places in the two indexes are the list's and its status's, by update."""

from __future__ import annotations

from governance.models.report import ReportStatus, StoredReport
from governance.store.boards import board_key
from governance.store.paging import Window, page
from governance.store.schema import REPORT, Index, Item, Key, make_item
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Write, equals

_REPORTS = "REPORTS#"


def _key(report: StoredReport) -> Key:
    return REPORT.at(boardId=report.board_id, reportId=report.id)


def _item(report: StoredReport) -> Item:
    place = f"{report.updated_at}#{report.id}"
    return make_item(_key(report), report.item(), L1=f"{_REPORTS}{place}", L2=f"{_REPORTS}{report.status}#{place}")


def create(report: StoredReport) -> Write:
    """A new report."""
    return Put(_item(report), ABSENT)


def replace(old: StoredReport, new: StoredReport) -> Write:
    """A report as it is now, if it is still as it was read."""
    return Put(_item(new), equals(version=old.version))


def delete(report: StoredReport) -> Write:
    """Remove a report, if it is still as it was read; its dashboards are out of reach from then on."""
    return Delete(_key(report), equals(version=report.version))


def check_open(report: StoredReport) -> Write:
    """The report is there and not finalized."""
    unfinished = Condition(
        "#s IN (:draft, :published)", {"#s": "status"}, {":draft": "draft", ":published": "published"}
    )
    return Check(_key(report), unfinished)


def list_of_board(board_id: str, status: ReportStatus | None, window: Window) -> tuple[list[StoredReport], str | None]:
    """A page of a board's reports, or of those of one status, by update."""
    index: Index = "L1" if status is None else "L2"
    prefix = _REPORTS if status is None else f"{_REPORTS}{status}#"
    items, position = page(board_key(board_id).pk, index, [prefix], window)
    return [StoredReport.model_validate(item) for item in items], position
