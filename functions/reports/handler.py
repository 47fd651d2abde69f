"""Reports, their dashboards, reporting cycles, and bets on figures."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.comment_routes import CommentUseCases, declare_comments
from governance.http.route import Audience
from governance.scopes import Scope, Tier
from governance.usecases import bets, cycles, dashboard_access, dashboard_comments, dashboards, flags, reports

READ, WRITE = Scope.REPORTS_READ, Scope.REPORTS_WRITE
REPORTS = "/api/v1/boards/{boardId}/reports"
REPORT = REPORTS + "/{reportId}"
DASHBOARDS = REPORT + "/dashboards"
DASHBOARD = DASHBOARDS + "/{dashboardId}"
ACCESS = DASHBOARD + "/access"
EDITOR = ACCESS + "/{userId}"
CYCLES = "/api/v1/boards/{boardId}/cycles"
CYCLE = CYCLES + "/{cycleId}"
BETS = "/api/v1/boards/{boardId}/bets"
BET = BETS + "/{betId}"
DISMISSAL = DASHBOARD + "/flags/{flagId}/dismissal"

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
api.patch(DASHBOARD, dashboards.update_dashboard, scope=WRITE, extension=True, codes=(Code.CONFLICT,))
api.put(DASHBOARD + "/figures", dashboards.fill_dashboard, scope=WRITE, extension=True, codes=(Code.CONFLICT,))
api.delete(
    DASHBOARD, dashboards.delete_dashboard, scope=WRITE, tier=Tier.MANAGER, extension=True, codes=(Code.CONFLICT,)
)
api.get(ACCESS, dashboard_access.get_dashboard_access, scope=READ, extension=True)
api.put(
    EDITOR,
    dashboard_access.grant_dashboard_access,
    scope=WRITE,
    audience=Audience.USER,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(EDITOR, dashboard_access.revoke_dashboard_access, scope=WRITE, audience=Audience.USER, extension=True)
api.post(
    DASHBOARD + "/ownership-transfer",
    dashboard_access.transfer_dashboard,
    scope=WRITE,
    audience=Audience.USER,
    status=200,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(DASHBOARD + "/checks", flags.get_checks, scope=READ, extension=True, codes=(Code.SERVICE_UNAVAILABLE,))
api.get(DASHBOARD + "/flags", flags.list_flags, scope=READ, extension=True)
api.put(
    DISMISSAL,
    flags.put_dismissal,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.MANAGER,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(
    DISMISSAL,
    flags.delete_dismissal,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.MANAGER,
    extension=True,
    codes=(Code.CONFLICT,),
)
declare_comments(
    api,
    DASHBOARD,
    READ,
    WRITE,
    CommentUseCases(
        dashboard_comments.list_dashboard_comments,
        dashboard_comments.create_dashboard_comment,
        dashboard_comments.update_dashboard_comment,
        dashboard_comments.delete_dashboard_comment,
        dashboard_comments.resolve_dashboard_comment,
        dashboard_comments.reopen_dashboard_comment,
    ),
)

api.get(CYCLES, cycles.list_cycles, scope=READ, extension=True)
api.post(
    CYCLES,
    cycles.create_cycle,
    scope=WRITE,
    tier=Tier.MANAGER,
    audience=Audience.USER,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(CYCLE, cycles.get_cycle, scope=READ, extension=True)
api.patch(
    CYCLE,
    cycles.update_cycle,
    scope=WRITE,
    tier=Tier.MANAGER,
    audience=Audience.USER,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.delete(CYCLE, cycles.delete_cycle, scope=WRITE, tier=Tier.MANAGER, audience=Audience.USER, extension=True)
for action, usecase in (("dispatch", cycles.dispatch_cycle), ("publish", cycles.publish_cycle)):
    api.post(
        f"{CYCLE}/{action}",
        usecase,
        scope=WRITE,
        tier=Tier.MANAGER,
        audience=Audience.USER,
        status=200,
        extension=True,
        codes=(Code.CONFLICT,),
    )

api.get(BETS, bets.list_bets, scope=READ, extension=True)
api.post(
    BETS,
    bets.create_bet,
    scope=WRITE,
    tier=Tier.MANAGER,
    audience=Audience.USER,
    extension=True,
    codes=(Code.CONFLICT,),
)
api.get(BET, bets.get_bet, scope=READ, extension=True)
api.patch(BET, bets.update_bet, scope=WRITE, tier=Tier.MANAGER, audience=Audience.USER, extension=True)
api.delete(BET, bets.delete_bet, scope=WRITE, tier=Tier.MANAGER, audience=Audience.USER, extension=True)

lambda_handler = api
