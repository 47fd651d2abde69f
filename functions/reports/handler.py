"""Reports and their dashboards."""

from governance.errors import Code
from governance.http.api import Api
from governance.scopes import Scope, Tier
from governance.usecases import dashboards, reports

READ, WRITE = Scope.REPORTS_READ, Scope.REPORTS_WRITE
REPORTS = "/api/v1/boards/{boardId}/reports"
REPORT = REPORTS + "/{reportId}"
DASHBOARDS = REPORT + "/dashboards"
DASHBOARD = DASHBOARDS + "/{dashboardId}"

api = Api()
api.get(REPORTS, reports.list_reports, scope=READ)
api.post(REPORTS, reports.create_report, scope=WRITE, tier=Tier.MANAGER, extension=True)
api.get(REPORT, reports.get_report, scope=READ)
api.patch(REPORT, reports.update_report, scope=WRITE, tier=Tier.MANAGER, extension=True, codes=(Code.CONFLICT,))
api.delete(REPORT, reports.delete_report, scope=WRITE, tier=Tier.MANAGER, extension=True, codes=(Code.CONFLICT,))
api.get(DASHBOARDS, dashboards.list_dashboards, scope=READ)
api.post(
    DASHBOARDS, dashboards.create_dashboard, scope=WRITE, tier=Tier.MANAGER, extension=True, codes=(Code.CONFLICT,)
)
api.get(DASHBOARD, dashboards.get_dashboard, scope=READ)
api.patch(
    DASHBOARD, dashboards.update_dashboard, scope=WRITE, tier=Tier.MANAGER, extension=True, codes=(Code.CONFLICT,)
)
api.delete(
    DASHBOARD, dashboards.delete_dashboard, scope=WRITE, tier=Tier.MANAGER, extension=True, codes=(Code.CONFLICT,)
)

lambda_handler = api
