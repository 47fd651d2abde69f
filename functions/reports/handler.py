"""Reports and their dashboards."""

from governance.errors import Code
from governance.http.api import Api
from governance.models.base import Deleted
from governance.models.dashboard import Dashboard, DashboardCreate, DashboardPatch, DashboardsQuery
from governance.models.report import Report, ReportCreate, ReportPatch, ReportsQuery
from governance.scopes import Scope, Tier
from governance.usecases import dashboards, reports

READ, WRITE = Scope.REPORTS_READ, Scope.REPORTS_WRITE
REPORTS = "/api/v1/boards/{boardId}/reports"
REPORT = REPORTS + "/{reportId}"
DASHBOARDS = REPORT + "/dashboards"
DASHBOARD = DASHBOARDS + "/{dashboardId}"

api = Api()
api.get(
    REPORTS,
    reports.list_reports,
    scope=READ,
    query=ReportsQuery,
    shape="collection",
    response_model=Report,
)
api.post(
    REPORTS,
    reports.create_report,
    scope=WRITE,
    tier=Tier.MANAGER,
    body=ReportCreate,
    response_model=Report,
    extension=True,
)
api.get(REPORT, reports.get_report, scope=READ, response_model=Report)
api.patch(
    REPORT,
    reports.update_report,
    scope=WRITE,
    tier=Tier.MANAGER,
    body=ReportPatch,
    response_model=Report,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    REPORT,
    reports.delete_report,
    scope=WRITE,
    tier=Tier.MANAGER,
    response_model=Deleted,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(
    DASHBOARDS,
    dashboards.list_dashboards,
    scope=READ,
    query=DashboardsQuery,
    shape="collection",
    response_model=Dashboard,
)
api.post(
    DASHBOARDS,
    dashboards.create_dashboard,
    scope=WRITE,
    tier=Tier.MANAGER,
    body=DashboardCreate,
    response_model=Dashboard,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(DASHBOARD, dashboards.get_dashboard, scope=READ, response_model=Dashboard)
api.patch(
    DASHBOARD,
    dashboards.update_dashboard,
    scope=WRITE,
    tier=Tier.MANAGER,
    body=DashboardPatch,
    response_model=Dashboard,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    DASHBOARD,
    dashboards.delete_dashboard,
    scope=WRITE,
    tier=Tier.MANAGER,
    response_model=Deleted,
    extension=True,
    codes=(Code.CONFLICT,),
)

lambda_handler = api
