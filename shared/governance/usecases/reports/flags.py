"""The checks of a dashboard's figures and its flags, as clients read and dismiss them (an extension, ADR figures)."""

from __future__ import annotations

from governance.domain.events import reports as events
from governance.domain.events.kind import EventKind
from governance.domain.reports import flags as flags_rules
from governance.domain.reports.checks import CheckedFigures
from governance.domain.reports.report import check_open
from governance.domain.reports.stated_figures import figures_of, to_figures
from governance.errors import unavailable
from governance.models.page import Page, PageQuery
from governance.models.reports.check import (
    Checks,
    DismissalBody,
    StoredChecked,
    StoredFlag,
    StoredFlags,
    ValidationFlag,
)
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.report import StoredReport
from governance.store.reports import checks as store
from governance.store.reports import kpi_formulas, reports
from governance.store.schema.entities import DASHBOARD, DASHBOARD_FLAGS, DASHBOARD_PAYLOAD, REPORT, REPORT_CHECKS
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads
from governance.usecases.event_writes import record_event
from governance.usecases.reports.checks import checks_of
from governance.usecases.reports.dashboard_access import requested_dashboard
from governance.usecases.reports.dashboards import uniform_of
from governance.usecases.reports.reports import requested_report


def _flags(context: Context) -> StoredFlags | None:
    return store.flags_in(context.item(DASHBOARD_FLAGS))


@loads(REPORT, DASHBOARD, DASHBOARD_PAYLOAD, DASHBOARD_FLAGS, REPORT_CHECKS)
@finds(requested_report, requested_dashboard)
def get_dashboard_checks(context: Context, report: StoredReport, dashboard: StoredDashboard) -> Checks:
    """Returns the checks of the dashboard's figures; raises 503 while the catalog's formulas cannot be read."""
    formulas, checks = kpi_formulas.current(), checks_of(context, report)
    if formulas is None:
        raise unavailable()
    own, flags = figures_of(dashboard.id, uniform_of(context, dashboard)), _flags(context)
    others = [id_ for id_ in checks.dashboards if id_ != dashboard.id] if own else []
    figures = [*store.read_rows(checks, others, ()).figures.values(), *([own] if own else [])]
    checked = CheckedFigures(formulas, to_figures(figures)).checks(
        dashboard.id, [flag.id for flag in flags.flags] if flags else ()
    )
    return Checks(dashboard_id=dashboard.id, catalog_version=formulas.version, figures=tuple(checked))


@loads(REPORT, DASHBOARD, DASHBOARD_FLAGS)
@finds(requested_report, requested_dashboard)
def list_dashboard_flags(
    context: Context, _report: StoredReport, _dashboard: StoredDashboard, query: PageQuery
) -> Page[ValidationFlag]:
    """Returns a page of the dashboard's flags, newest first."""
    flags, after = _flags(context), context.window(query).after
    listed = flags_rules.newest_first(flags.flags if flags else ())
    behind = [flag for flag in listed if after is None or flags_rules.position_of(flag) < after]
    shown = behind[: query.limit]
    return Page(
        [flags_rules.to_resource(flag) for flag in shown],
        flags_rules.position_of(shown[-1]) if len(behind) > query.limit else None,
    )


def _requested_flag(context: Context) -> tuple[StoredDashboard, StoredFlag]:
    """Returns the dashboard and the flag that the path names; raises 404 if one does not exist."""
    return context.find(requested_dashboard), flags_rules.find(_flags(context), context.params["flagId"])


@loads(REPORT, DASHBOARD, DASHBOARD_FLAGS, REPORT_CHECKS)
@finds(requested_report, _requested_flag)
def put_dashboard_flag_dismissal(
    context: Context, report: StoredReport, dashboard_and_flag: tuple[StoredDashboard, StoredFlag], body: DismissalBody
) -> Outcome[ValidationFlag]:
    """Dismisses a flag for a reason; raises 409 if the report is finalized."""
    dashboard, flag = dashboard_and_flag
    check_open(report)
    new = flags_rules.dismissed(flag, body.reason, context.principal.named_user_id, context.now)
    return _decided(context, dashboard, flag, new, events.VALIDATION_FLAG_DISMISSED)


@loads(REPORT, DASHBOARD, DASHBOARD_FLAGS, REPORT_CHECKS)
@finds(requested_report, _requested_flag)
def delete_dashboard_flag_dismissal(
    context: Context, report: StoredReport, dashboard_and_flag: tuple[StoredDashboard, StoredFlag]
) -> Outcome[ValidationFlag]:
    """Withdraws the dismissal of a flag, which is open again if its contradiction stands."""
    dashboard, flag = dashboard_and_flag
    check_open(report)
    new = flags_rules.taken_up_again(flag, context.now)
    return _decided(context, dashboard, flag, new, events.VALIDATION_FLAG_REOPENED)


def _decided(
    context: Context, dashboard: StoredDashboard, old: StoredFlag, new: StoredFlag, kind: EventKind[events.OfFlag]
) -> Outcome[ValidationFlag]:
    report = context.find(requested_report)
    flags, checks = _flags(context), checks_of(context, report)
    if new is old or flags is None:
        return Outcome(flags_rules.to_resource(old), [])
    changed = flags_rules.with_flag(flags, new)
    entry = checks.dashboards.get(dashboard.id, StoredChecked())
    entry = entry.model_copy(update={"open_flags": flags_rules.open_among(changed)})
    renewed = checks.model_copy(update={"dashboards": {**checks.dashboards, dashboard.id: entry}})
    writes = [
        reports.check_open(report),
        store.renew(checks, renewed),
        store.replace_flags(checks, flags, changed),
        *record_event(context, kind, events.OfFlag(report_id=report.id, dashboard_id=dashboard.id, flag_id=new.id)),
    ]
    return Outcome(flags_rules.to_resource(new), writes)
