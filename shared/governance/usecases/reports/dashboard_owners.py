"""Finds the current owners of a report's dashboards, for notifications and cycles (ADR reports)."""

from __future__ import annotations

from collections.abc import Sequence

from governance.domain.reports import dashboard_access as dashboard_access_rules
from governance.domain.reports.dashboard_access import Members
from governance.ids import BoardId, UserId
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.report import StoredReport
from governance.scopes import Tier
from governance.store.boards import boards
from governance.store.schema.entities import DASHBOARD, REPORT
from governance.store.table import read


def owners_of(report: StoredReport, dashboards: Sequence[StoredDashboard]) -> dict[str, UserId | None]:
    """Returns the current owner of each of these dashboards, by dashboard id; None if a dashboard has none."""
    return owners_of_reports(report.board_id, [(report, dashboards)])


def owners_of_reports(
    board_id: BoardId, reports: Sequence[tuple[StoredReport, Sequence[StoredDashboard]]]
) -> dict[str, UserId | None]:
    """Returns the same for dashboards of several reports of a board, with one batch, and a query if need be."""
    pairs = [(report, dashboard) for report, dashboards in reports for dashboard in dashboards]
    named = {user for report, dashboard in pairs for user in dashboard_access_rules.named_users(dashboard, report)}
    return _owners(board_id, pairs, boards.current_members(board_id, named))


def owners_among(
    report: StoredReport, dashboards: Sequence[StoredDashboard], members: Members
) -> dict[str, UserId | None]:
    """Returns the same, given the members that the dashboards name."""
    return _owners(report.board_id, [(report, dashboard) for dashboard in dashboards], members)


def _owners(
    board_id: BoardId, pairs: Sequence[tuple[StoredReport, StoredDashboard]], members: Members
) -> dict[str, UserId | None]:
    owners = {
        dashboard.id: dashboard_access_rules.owner(dashboard, report, members, None) for report, dashboard in pairs
    }
    if all(owners[dashboard.id] or not dashboard_access_rules.has_owner(dashboard) for _, dashboard in pairs):
        return owners
    board_owner = _owner_of_board(board_id)
    return {
        dashboard.id: dashboard_access_rules.owner(dashboard, report, members, board_owner)
        for report, dashboard in pairs
    }


def _owner_of_board(board_id: BoardId) -> UserId | None:
    return next((member.user_id for member in boards.roster(board_id) if member.tier is Tier.OWNER), None)


def owner_now(board_id: BoardId, report_id: str, dashboard_id: str) -> UserId | None:
    """Returns the current owner of a dashboard; None if it has none, or was deleted."""
    report_key = REPORT.key_for(boardId=board_id, reportId=report_id)
    dashboard_key = DASHBOARD.key_for(boardId=board_id, reportId=report_id, dashboardId=dashboard_id)
    items = read([report_key, dashboard_key])
    if report_key not in items or dashboard_key not in items:
        return None
    dashboard = StoredDashboard.model_validate(items[dashboard_key])
    return owners_of(StoredReport.model_validate(items[report_key]), [dashboard])[dashboard_id]
