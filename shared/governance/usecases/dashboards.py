"""Dashboards of a report: list, create, read, change, delete (the API specification, section 2.8; ADR 0052)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from governance.domain import dashboard as rules
from governance.domain.report import check_open
from governance.errors import not_found
from governance.ids import is_id, new_id
from governance.models.base import Deleted
from governance.models.dashboard import (
    Dashboard,
    DashboardCreate,
    DashboardPatch,
    DashboardsQuery,
    StoredDashboard,
    Uniform,
)
from governance.models.event import Event
from governance.models.page import Page
from governance.models.report import StoredReport
from governance.store import boards, dashboards, reports
from governance.store.paging import Window
from governance.store.schema import DASHBOARD, REPORT, Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event
from governance.usecases.reports import known_report


def _uniform(dashboard: StoredDashboard) -> Uniform | None:
    return None if dashboard.uniform is None else Uniform.model_validate_json(dashboard.uniform)


def _text(uniform: Uniform | None) -> str | None:
    return None if uniform is None else uniform.to_json()


def to_resource(dashboard: StoredDashboard) -> Dashboard:
    """The dashboard as its board sees it."""
    return Dashboard.model_validate({**dashboard.item(), "uniform": _uniform(dashboard)})


def known_dashboard(context: Context) -> tuple[StoredReport, StoredDashboard]:
    """The dashboard that the path names, and its report; a deleted report's are not there."""
    report, item = known_report(context), context.item(DASHBOARD)
    if item is None:
        raise not_found()
    return report, StoredDashboard.model_validate(item)


@dataclass(frozen=True)
class DashboardsPage:
    """Where the dashboards of a page lie, and where the next begins."""

    keys: Sequence[Key] = ()
    position: str | None = None


def _page(ask: RequestInfo) -> DashboardsPage:
    board_id, report_id, query = ask.params["boardId"], ask.params["reportId"], ask.query
    if not is_id(board_id) or not is_id(report_id) or not isinstance(query, DashboardsQuery):
        return DashboardsPage()
    window = Window(query.limit, query.order == "desc", ask.after)
    return DashboardsPage(*dashboards.list_keys(board_id, report_id, query.dashboard_type, window))


@loads(REPORT)
@prefetch(_page)
def list_dashboards(context: Context, _: DashboardsQuery) -> Page[Dashboard]:
    """A page of the report's dashboards, by update."""
    known_report(context)
    page: DashboardsPage = context.prefetched
    return Page([to_resource(dashboard) for dashboard in dashboards.get_many(page.keys)], page.position)


@loads(REPORT)
def create_dashboard(context: Context, body: DashboardCreate) -> Outcome[Dashboard]:
    """A new dashboard of a report that is not finalized."""
    report = known_report(context)
    check_open(report)
    uniform = rules.initial_uniform(body.dashboard_type, body.uniform)
    dashboard = StoredDashboard(
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
        uniform=_text(uniform),
    )
    rules.check_size(dashboard)
    return Outcome(to_resource(dashboard), [*_open(context, report), dashboards.create(dashboard)])


@loads(REPORT, DASHBOARD)
def get_dashboard(context: Context) -> Dashboard:
    """One dashboard."""
    return to_resource(known_dashboard(context)[1])


@loads(REPORT, DASHBOARD)
def update_dashboard(context: Context, body: DashboardPatch) -> Outcome[Dashboard]:
    """The dashboard with these members changed; `uniform` is merged member by member."""
    report, old = known_dashboard(context)
    check_open(report)
    changes, before = body.changes(), _uniform(old)
    after = before
    if "uniform" in changes:
        after = rules.patched_uniform(before, body.uniform)
        changes["uniform"] = _text(after)
    new = rules.patched(old, changes, context.now)
    rules.check_size(new)
    rules.check_review(before, after)
    if new is old:
        return Outcome(to_resource(old), [])
    writes = [*_open(context, report), dashboards.replace(old, new), *_review_act(context, new, before, after)]
    return Outcome(to_resource(new), writes)


def _review_act(
    context: Context, dashboard: StoredDashboard, before: Uniform | None, after: Uniform | None
) -> list[Write]:
    if before is None or after is None or before.review_status == after.review_status:
        return []
    return record_event(
        context,
        Event.DASHBOARD_REVIEW_STATUS_CHANGED,
        refs={"reportId": dashboard.report_id, "dashboardId": dashboard.id},
        details={"from": before.review_status, "to": after.review_status},
        data={
            "title": dashboard.title,
            "dashboardType": dashboard.dashboard_type,
            "creatorId": dashboard.creator_id,
        },
    )


@loads(REPORT, DASHBOARD)
def delete_dashboard(context: Context) -> Outcome[Deleted]:
    """The dashboard is gone, unless its report is finalized."""
    report, dashboard = known_dashboard(context)
    check_open(report)
    return Outcome(Deleted(), [reports.check_open(report), dashboards.delete(dashboard)])


def _open(context: Context, report: StoredReport) -> list[Write]:
    """What must still hold when a dashboard is written: the board is there, and the report not finalized."""
    return [boards.check_exists(context.board.id), reports.check_open(report)]
