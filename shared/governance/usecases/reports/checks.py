"""Checks the figures of a report with each change of one of its dashboards (ADR figures).

A use case that changes dashboards loads `REPORT_CHECKS`, and commits the writes of this module with its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from governance.domain.events import reports as flag_events
from governance.domain.events.kind import EventKind
from governance.domain.reports import report_checks
from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.domain.reports.report_checks import CheckedReport, FiguresChange
from governance.domain.reports.stated_figures import figures_of
from governance.models.reports.check import StoredChecks, StoredFlag
from governance.models.reports.dashboard import Uniform
from governance.models.reports.report import StoredReport
from governance.store.reports import checks as store
from governance.store.reports import kpi_formulas
from governance.store.schema.entities import REPORT_CHECKS
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event


def checks_of(context: Context, report: StoredReport) -> StoredChecks:
    """Returns the checks of the report as they were loaded."""
    return store.checks_in(context.item(REPORT_CHECKS), report.board_id, report.id)


def check_change(
    context: Context, report: StoredReport, dashboard_id: str, before: Uniform | None, after: Uniform | None
) -> list[Write]:
    """Returns the writes that check a report again after a change of a dashboard; none if no figure changed.

    A dashboard of an earlier release takes part from its next change.
    """
    checks, figures = checks_of(context, report), figures_of(dashboard_id, after)
    if dashboard_id in checks.dashboards and (before is after or figures_of(dashboard_id, before) == figures):
        return []
    return _renew(context, checks, FiguresChange(dashboard_id, figures))


def check_deletion(context: Context, report: StoredReport, dashboard_id: str) -> list[Write]:
    """Returns the writes that check a report again without a dashboard that is deleted."""
    return _renew(context, checks_of(context, report), FiguresChange(dashboard_id, None, is_deleted=True))


def _renew(context: Context, checks: StoredChecks, change: FiguresChange) -> list[Write]:
    if not report_checks.takes_part(checks, change):
        return []
    formulas = kpi_formulas.current()
    writes = [store.write_figures(checks, change.dashboard_id, change.figures)]
    if change.is_deleted:
        writes.append(store.write_flags(checks, change.dashboard_id, None))
    if formulas is None or not report_checks.needs_check(checks, change, formulas):
        return [*writes, store.renew(checks, report_checks.unchecked(checks, change, formulas))]
    return [*writes, *_check_again(context, checks, change, formulas)]


def _check_again(context: Context, checks: StoredChecks, change: FiguresChange, formulas: KpiFormulas) -> list[Write]:
    others = [id_ for id_ in checks.dashboards if id_ != change.dashboard_id]
    flagged = [
        id_
        for id_, dashboard in checks.dashboards.items()
        if dashboard.flags and (id_ in others or not change.is_deleted)
    ]
    rows = store.read_rows(checks, others, flagged)
    own = {change.dashboard_id: change.figures} if change.figures else {}
    checked = report_checks.checked_report(checks, {**rows.figures, **own}, rows.flags, formulas, context.now)
    return [*writes_of(checks, checked), *events_of(context, checked)]


def writes_of(old: StoredChecks, checked: CheckedReport) -> list[Write]:
    """Returns the writes of a report after it was checked, without its events."""
    flags = [
        store.write_flags(old, dashboard_id, dashboard_flags) for dashboard_id, dashboard_flags in checked.flags.items()
    ]
    return [store.renew(old, checked.checks), *flags]


def events_of(context: Context, checked: CheckedReport) -> list[Write]:
    """Returns the writes that record which flags a check raised and corrected."""
    raised, corrected = checked.raised, checked.corrected
    return [
        *_event(context, flag_events.VALIDATION_FLAG_RAISED, checked.checks.report_id, raised),
        *_event(context, flag_events.VALIDATION_FLAG_CORRECTED, checked.checks.report_id, corrected),
    ]


def _event(
    context: Context, kind: EventKind[flag_events.Flagged], report_id: str, flags: Mapping[str, list[StoredFlag]]
) -> list[Write]:
    if not flags:
        return []
    number = sum(map(len, flags.values()))
    return record_event(context, kind, flag_events.Flagged(report_id=report_id, dashboard_ids=[*flags], number=number))
