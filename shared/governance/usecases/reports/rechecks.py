"""Checks a report again by a new release of the catalog, for an operator and without a request (ADR figures)."""

from __future__ import annotations

from governance import instants
from governance.domain.reports import report_checks
from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.ids import BoardId
from governance.models.reports.report import StoredReport
from governance.store.boards import boards
from governance.store.reports import checks as store
from governance.store.reports import reports
from governance.store.schema.entities import REPORT, REPORT_CHECKS
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.usecases.context import Context
from governance.usecases.reports.checks import events_of, writes_of


def recheck(board_id: BoardId, report_id: str, formulas: KpiFormulas) -> bool:
    """Checks a report by these formulas; returns False if it was already, is final, or does not exist.

    Members are notified of new flags once; the event has no actor.
    """
    return retry_stale_reads(lambda: _recheck(board_id, report_id, formulas))


def _recheck(board_id: BoardId, report_id: str, formulas: KpiFormulas) -> bool:
    report_key, checks_key = (
        entity.key_for(boardId=board_id, reportId=report_id) for entity in (REPORT, REPORT_CHECKS)
    )
    items, board = read([report_key, checks_key]), boards.find(board_id)
    if board is None or report_key not in items or checks_key not in items:
        return False
    report, checks = (
        StoredReport.model_validate(items[report_key]),
        store.checks_in(items[checks_key], board_id, report_id),
    )
    if report.status == "finalized" or checks.catalog_version == formulas.version:
        return False
    rows = store.read_rows(checks, checks.dashboards, checks.dashboards)
    context = Context(now=instants.now(), known_board=board)
    checked = report_checks.checked_report(checks, rows.figures, rows.flags, formulas, context.now)
    writes = [reports.check_open(report), *writes_of(checks, checked), *events_of(context, checked)]
    transact(context.while_board_exists(writes))
    return True
