"""Reports, their dashboards, reporting cycles, and bets on figures."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.comments.comment_routes import declare_comments
from governance.http.route import CONFLICT, Audience
from governance.scopes import Scope, Tier
from governance.usecases.comments import dashboard_comments
from governance.usecases.reports import bets, cycles, dashboard_access, dashboards, flags, reports

READ, WRITE = Scope.REPORTS_READ, Scope.REPORTS_WRITE
BOARD = "/api/v1/boards/{boardId}"
REPORTS = BOARD + "/reports"
REPORT = REPORTS + "/{reportId}"
DASHBOARDS = REPORT + "/dashboards"
DASHBOARD = DASHBOARDS + "/{dashboardId}"
FIGURES = DASHBOARD + "/figures"
ACCESS = DASHBOARD + "/access"
EDITOR = ACCESS + "/{userId}"
TRANSFER = DASHBOARD + "/ownership-transfer"
CHECKS = DASHBOARD + "/checks"
FLAGS = DASHBOARD + "/flags"
DISMISSAL = FLAGS + "/{flagId}/dismissal"
CYCLES = BOARD + "/cycles"
CYCLE = CYCLES + "/{cycleId}"
BETS = BOARD + "/bets"
BET = BETS + "/{betId}"

api = Api()
reads = api.group(scope=READ, extension=True)
writes = api.group(scope=WRITE, extension=True)
api.get(REPORTS, reports.list_reports, scope=READ)
writes.post(REPORTS, reports.create_report, tier=Tier.MANAGER)
api.get(REPORT, reports.get_report, scope=READ)
writes.patch(REPORT, reports.update_report, tier=Tier.MANAGER, codes=CONFLICT)
writes.delete(REPORT, reports.delete_report, tier=Tier.MANAGER, codes=CONFLICT)
api.get(DASHBOARDS, dashboards.list_dashboards, scope=READ)
writes.post(DASHBOARDS, dashboards.create_dashboard, tier=Tier.MANAGER, codes=CONFLICT)
api.get(DASHBOARD, dashboards.get_dashboard, scope=READ)
writes.patch(DASHBOARD, dashboards.update_dashboard, codes=CONFLICT)
writes.put(FIGURES, dashboards.put_dashboard_figures, codes=CONFLICT)
writes.delete(DASHBOARD, dashboards.delete_dashboard, tier=Tier.MANAGER, codes=CONFLICT)
reads.get(ACCESS, dashboard_access.get_dashboard_access)
writes.put(EDITOR, dashboard_access.grant_dashboard_access, audience=Audience.USER, codes=CONFLICT)
writes.delete(EDITOR, dashboard_access.revoke_dashboard_access, audience=Audience.USER)
writes.post(TRANSFER, dashboard_access.transfer_dashboard_ownership, audience=Audience.USER, status=200, codes=CONFLICT)
reads.get(CHECKS, flags.get_dashboard_checks, codes=(Code.SERVICE_UNAVAILABLE,))
reads.get(FLAGS, flags.list_dashboard_flags)
writes.put(DISMISSAL, flags.put_dashboard_flag_dismissal, audience=Audience.USER, tier=Tier.MANAGER, codes=CONFLICT)
writes.delete(
    DISMISSAL, flags.delete_dashboard_flag_dismissal, audience=Audience.USER, tier=Tier.MANAGER, codes=CONFLICT
)
declare_comments(api, DASHBOARD, READ, WRITE, dashboard_comments.COMMENTS, dashboard_comments.create_dashboard_comment)

by_manager = writes.group(audience=Audience.USER, tier=Tier.MANAGER)
reads.get(CYCLES, cycles.list_reporting_cycles)
by_manager.post(CYCLES, cycles.create_reporting_cycle, codes=CONFLICT)
reads.get(CYCLE, cycles.get_reporting_cycle)
by_manager.patch(CYCLE, cycles.update_reporting_cycle, codes=CONFLICT)
by_manager.delete(CYCLE, cycles.delete_reporting_cycle)
by_manager.post(CYCLE + "/dispatch", cycles.dispatch_reporting_cycle, status=200, codes=CONFLICT)
by_manager.post(CYCLE + "/publish", cycles.publish_reporting_cycle, status=200, codes=CONFLICT)

reads.get(BETS, bets.list_bets)
by_manager.post(BETS, bets.create_bet, codes=CONFLICT)
reads.get(BET, bets.get_bet)
by_manager.patch(BET, bets.update_bet)
by_manager.delete(BET, bets.delete_bet)

lambda_handler = api
