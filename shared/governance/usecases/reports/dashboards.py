"""Dashboards of a report: list, create, read, change, delete (the API specification, section 2.8; ADR reports)."""

from __future__ import annotations

from typing import Any

from governance.domain.events import reports as events
from governance.domain.reports import dashboard as dashboard_rules
from governance.domain.reports import dashboard_access, spreadsheet
from governance.domain.reports.figures import have_changed
from governance.domain.reports.filling import filled
from governance.domain.reports.report import check_open
from governance.ids import new_id
from governance.models.base import Deleted
from governance.models.page import Page
from governance.models.reports.dashboard import (
    Dashboard,
    DashboardCreate,
    DashboardPatch,
    DashboardsQuery,
    StoredDashboard,
    Uniform,
)
from governance.models.reports.dashboard_fill import DashboardFill
from governance.models.reports.report import StoredReport
from governance.store import payloads
from governance.store.reports import dashboards, reports
from governance.store.schema.entities import DASHBOARD, DASHBOARD_PAYLOAD, REPORT, REPORT_CHECKS
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, prefetch
from governance.usecases.event_writes import record_event
from governance.usecases.reports.checks import check_change, check_deletion
from governance.usecases.reports.dashboard_access import changeable_dashboard, requested_dashboard
from governance.usecases.reports.reports import requested_report


def to_resource(dashboard: StoredDashboard, uniform: Uniform | None) -> Dashboard:
    """Returns the dashboard as the members of its board see it."""
    return Dashboard.model_validate({**dashboard.item(), "uniform": uniform})


def uniform_of(context: Context, dashboard: StoredDashboard) -> Uniform | None:
    """Returns the payload of the dashboard; the use case loads `DASHBOARD_PAYLOAD`."""
    payload = payloads.text_of(context.item(DASHBOARD_PAYLOAD), dashboard.payload_version)
    return dashboard_rules.joined(dashboard.uniform, payload)


KeysPage = tuple[list[Key], str | None]
"""The keys of the dashboards on a page, and the position of the last if more follow."""


def _dashboard_keys(info: RequestInfo) -> KeysPage:
    query = info.query_as(DashboardsQuery)
    window = info.window(query)
    return dashboards.list_keys(info.board_id, info.params["reportId"], query.dashboard_type, window)


@loads(REPORT)
@prefetch(_dashboard_keys)
@finds(requested_report)
def list_dashboards(
    _context: Context, _report: StoredReport, page: KeysPage, _query: DashboardsQuery
) -> Page[Dashboard]:
    """Returns a page of the report's dashboards, by update."""
    keys, position = page
    pairs = dashboards.get_many(keys)
    shown = [to_resource(dashboard, dashboard_rules.joined(dashboard.uniform, payload)) for dashboard, payload in pairs]
    return Page(shown, position)


@creates(DASHBOARD, "dashboardId")
@loads(REPORT, REPORT_CHECKS)
@finds(requested_report)
def create_dashboard(context: Context, report: StoredReport, body: DashboardCreate) -> Outcome[Dashboard]:
    """Creates a dashboard of a report; raises 409 if the report is finalized."""
    check_open(report)
    uniform = dashboard_rules.initial_uniform(body.dashboard_type, body.uniform)
    payload = dashboard_rules.payload_of(uniform)
    empty = StoredDashboard(
        id=new_id(),
        board_id=context.board.id,
        report_id=report.id,
        dashboard_type=body.dashboard_type,
        title=body.title,
        latest_version_id=body.latest_version_id,
        creator_id=context.user_id,
        created_by_user_id=context.principal.named_user_id,
        created_at=context.now,
        updated_at=context.now,
        uniform=None,
    )
    dashboard = dashboard_rules.with_uniform(empty, uniform, payload)
    writes = [
        reports.check_open(report),
        *dashboards.create(dashboard, payload),
        *_figures_event(context, dashboard, None, uniform),
        *check_change(context, report, dashboard.id, None, uniform),
    ]
    return Outcome(to_resource(dashboard, uniform), writes)


@loads(REPORT, DASHBOARD, DASHBOARD_PAYLOAD)
@finds(requested_report, requested_dashboard)
def get_dashboard(context: Context, _report: StoredReport, dashboard: StoredDashboard) -> Dashboard:
    """Returns one dashboard."""
    return to_resource(dashboard, uniform_of(context, dashboard))


@loads(REPORT, DASHBOARD, DASHBOARD_PAYLOAD, REPORT_CHECKS)
@finds(requested_report, changeable_dashboard)
def update_dashboard(
    context: Context, report: StoredReport, old: StoredDashboard, body: DashboardPatch
) -> Outcome[Dashboard]:
    """Changes the fields of a dashboard that the body names; `uniform` is merged field by field.

    Owner and editors change its title and content, managers all of it.
    """
    changes, before = body.changes(), uniform_of(context, old)
    if not dashboard_access.is_manager(context.tier, context.principal):
        dashboard_access.check_own_changes(body, before.review_status if before else None)
    check_open(report)
    after = dashboard_rules.patched_uniform(before, body.uniform) if "uniform" in changes else before
    return _change(context, report, old, changes, before, after)


@loads(REPORT, DASHBOARD, DASHBOARD_PAYLOAD, REPORT_CHECKS)
@finds(requested_report, changeable_dashboard)
def put_dashboard_figures(
    context: Context, report: StoredReport, old: StoredDashboard, body: DashboardFill
) -> Outcome[Dashboard]:
    """Changes the figures of a dashboard to those of a spreadsheet; figures that it does not state stay.

    A dry run returns the dashboard as it would be, and changes nothing.
    """
    sheet = spreadsheet.parse_sheet(body.csv, body.decimal, body.date_order)
    check_open(report)
    before = uniform_of(context, old)
    outcome = _change(context, report, old, {}, before, filled(before, sheet))
    return Outcome(outcome.response, []) if body.dry_run else outcome


def _change(
    context: Context,
    report: StoredReport,
    old: StoredDashboard,
    changes: dict[str, Any],
    before: Uniform | None,
    after: Uniform | None,
) -> Outcome[Dashboard]:
    """Returns the outcome of a change of a dashboard and of its payload; both check its figures again."""
    new = dashboard_rules.patched(old, changes, before, after, context.now)
    dashboard_rules.check_review(before, after)
    if new is old:
        return Outcome(to_resource(old, before), [])
    writes = [
        reports.check_open(report),
        *dashboards.replace(old, new, dashboard_rules.payload_of(after)),
        *_figures_event(context, new, before, after),
        *_review_event(context, new, before, after),
        *check_change(context, report, new.id, before, after),
    ]
    return Outcome(to_resource(new, after), writes)


def _figures_event(
    context: Context, dashboard: StoredDashboard, before: Uniform | None, after: Uniform | None
) -> list[Write]:
    if not have_changed(before, after):
        return []
    changed = events.OfDashboard(report_id=dashboard.report_id, dashboard_id=dashboard.id)
    return record_event(context, events.DASHBOARD_FIGURES_CHANGED, changed)


def _review_event(
    context: Context, dashboard: StoredDashboard, before: Uniform | None, after: Uniform | None
) -> list[Write]:
    if before is None or after is None or before.review_status == after.review_status:
        return []
    return record_event(
        context,
        events.DASHBOARD_REVIEW_STATUS_CHANGED,
        events.ReviewStatusChanged(
            report_id=dashboard.report_id,
            dashboard_id=dashboard.id,
            before=before.review_status,
            after=after.review_status,
            title=dashboard.title,
            dashboard_type=dashboard.dashboard_type,
        ),
    )


@loads(REPORT, DASHBOARD, DASHBOARD_PAYLOAD, REPORT_CHECKS)
@finds(requested_report, requested_dashboard)
def delete_dashboard(context: Context, report: StoredReport, dashboard: StoredDashboard) -> Outcome[Deleted]:
    """Deletes a dashboard with its comments; raises 409 if its report is finalized."""
    check_open(report)
    writes = [reports.check_open(report), *dashboards.delete(dashboard)]
    figures = _figures_event(context, dashboard, uniform_of(context, dashboard), None)
    event = record_event(
        context,
        events.DASHBOARD_DELETED,
        events.DashboardNamed(report_id=report.id, dashboard_id=dashboard.id, id=dashboard.id, title=dashboard.title),
    )
    return Outcome(Deleted(), [*writes, *event, *figures, *check_deletion(context, report, dashboard.id)])
