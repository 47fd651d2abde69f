"""Owner and editors of a dashboard: read, grant, revoke, hand over (an extension of the API, ADR reports)."""

from __future__ import annotations

from governance.domain.events import reports as events
from governance.domain.events.kind import EventKind
from governance.domain.reports import dashboard_access as dashboard_access_rules
from governance.domain.reports.dashboard_access import Members
from governance.errors import not_found
from governance.ids import UserId
from governance.models.account.user import StoredUser
from governance.models.base import Deleted
from governance.models.boards.board import Membership
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.dashboard_access import DashboardAccess, DashboardTransfer
from governance.models.reports.report import StoredReport
from governance.store.boards import boards
from governance.store.reports import dashboards
from governance.store.schema.entities import DASHBOARD, MEMBER, REPORT, USER
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads
from governance.usecases.event_writes import record_event
from governance.usecases.reports.dashboard_owners import owners_among
from governance.usecases.reports.reports import requested_report


def requested_dashboard(context: Context) -> StoredDashboard:
    """Returns the dashboard that the path names; raises 404 if it does not exist."""
    return context.stored(DASHBOARD, StoredDashboard)


def changeable_dashboard(context: Context) -> StoredDashboard:
    """Returns the dashboard that the path names; raises 404, then 403 if the caller may not edit it."""
    dashboard = context.find(requested_dashboard)
    if dashboard_access_rules.editor_of(dashboard, context.membership) is None:
        _check_runs(context, dashboard)
    return dashboard


def owned_dashboard(context: Context) -> StoredDashboard:
    """Returns the dashboard that the path names; raises 404, then 403 if the caller is neither manager nor owner."""
    dashboard = context.find(requested_dashboard)
    _check_runs(context, dashboard)
    return dashboard


def _check_runs(context: Context, dashboard: StoredDashboard) -> None:
    """Raises 403 for a caller who is neither a manager nor the owner of the dashboard."""
    if not _owns(context, dashboard):
        dashboard_access_rules.check_manager(context.tier, context.principal)


def _owns(context: Context, dashboard: StoredDashboard) -> bool:
    """Returns whether the caller below manager owns the dashboard.

    Reads the store only if the caller created the report: they own dashboards whose owner has left. The board's owner,
    who may own them too, is a manager anyway.
    """
    member, report = context.membership, context.find(requested_report)
    if member is None or dashboard_access_rules.is_manager(context.tier, context.principal):
        return False
    if dashboard_access_rules.is_named_owner(dashboard, member):
        return True
    if member.user_id != report.created_by_user_id:
        return False
    return _owner_of(report, dashboard, _members_of(report, dashboard)) == member.user_id


def _members_of(report: StoredReport, dashboard: StoredDashboard) -> dict[UserId, Membership]:
    return boards.current_members(report.board_id, dashboard_access_rules.named_users(dashboard, report))


def _owner_of(report: StoredReport, dashboard: StoredDashboard, members: Members) -> UserId | None:
    return owners_among(report, [dashboard], members)[dashboard.id]


def _resource(report: StoredReport, dashboard: StoredDashboard, members: Members) -> DashboardAccess:
    return dashboard_access_rules.to_resource(dashboard, _owner_of(report, dashboard, members), members)


@loads(REPORT, DASHBOARD)
@finds(requested_report, requested_dashboard)
def get_dashboard_access(_context: Context, report: StoredReport, dashboard: StoredDashboard) -> DashboardAccess:
    """Returns who owns a dashboard and who may edit it."""
    return _resource(report, dashboard, _members_of(report, dashboard))


def _named_member(context: Context) -> Membership:
    """Returns the member that the path names; raises 404 if they are not a member of the board, or were purged."""
    item, user = context.item(MEMBER), context.item(USER)
    if item is None or (user and StoredUser.model_validate(user).purged):
        raise not_found()
    return Membership.model_validate(item)


def _dashboard_for_member(context: Context) -> tuple[StoredDashboard, Membership]:
    """Returns the dashboard and the member that the path names; raises 404, then 403."""
    member = _named_member(context)
    return context.find(owned_dashboard), member


def _dashboard_of_editor(context: Context) -> tuple[StoredDashboard, Membership]:
    """Returns the dashboard and the editor that the path names; raises 404, then 403."""
    dashboard, member = context.find(requested_dashboard), _named_member(context)
    if dashboard_access_rules.editor_of(dashboard, member) is None:
        raise not_found()
    return context.find(owned_dashboard), member


@loads(REPORT, DASHBOARD, MEMBER, USER)
@finds(requested_report, _dashboard_for_member)
def grant_dashboard_access(
    context: Context, report: StoredReport, dashboard_and_member: tuple[StoredDashboard, Membership]
) -> Outcome[DashboardAccess]:
    """Lets a member below manager edit a dashboard. Granting it again changes nothing."""
    old, member = dashboard_and_member
    members = {**_members_of(report, old), member.user_id: member}
    owner_id = _owner_of(report, old, members)
    new = dashboard_access_rules.granted(old, member, members, owner_id, context.principal.named_user_id, context.now)
    return Outcome(
        dashboard_access_rules.to_resource(new, owner_id, members),
        [] if new is old else _change(context, events.DASHBOARD_ACCESS_GRANTED, old, new, member),
    )


@loads(REPORT, DASHBOARD, MEMBER, USER)
@finds(requested_report, _dashboard_of_editor)
def revoke_dashboard_access(
    context: Context, _report: StoredReport, dashboard_and_member: tuple[StoredDashboard, Membership]
) -> Outcome[Deleted]:
    """Ends the right of a member to edit a dashboard."""
    old, member = dashboard_and_member
    new = dashboard_access_rules.revoked(old, member)
    return Outcome(Deleted(), _change(context, events.DASHBOARD_ACCESS_REVOKED, old, new, member))


@loads(REPORT, DASHBOARD)
@finds(requested_report, owned_dashboard)
def transfer_dashboard_ownership(
    context: Context, report: StoredReport, old: StoredDashboard, body: DashboardTransfer
) -> Outcome[DashboardAccess]:
    """Hands a dashboard over to another member of the board. Handing it over to its owner changes nothing."""
    members = boards.current_members(report.board_id, {*dashboard_access_rules.named_users(old, report), body.user_id})
    member = dashboard_access_rules.new_owner(members.get(body.user_id))
    new = dashboard_access_rules.handed_over(old, member)
    writes = [] if new is old else _change(context, events.DASHBOARD_OWNERSHIP_TRANSFERRED, old, new, member)
    return Outcome(_resource(report, new, members), writes)


def _change(
    context: Context,
    kind: EventKind[events.DashboardAccessChanged],
    old: StoredDashboard,
    new: StoredDashboard,
    member: Membership,
) -> list[Write]:
    """Returns the writes that change who may edit a dashboard, which is not a change of the dashboard itself."""
    return [
        boards.check_still_member(member),
        dashboards.replace_access(old, new),
        *record_event(
            context,
            kind,
            events.DashboardAccessChanged(
                report_id=new.report_id,
                dashboard_id=new.id,
                user_id=member.user_id,
                member_id=member.user_id,
                id=new.id,
                title=new.title,
                dashboard_type=new.dashboard_type,
            ),
        ),
    ]
