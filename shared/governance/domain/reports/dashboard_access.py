"""Who owns a dashboard, who may edit it, and what owner and editors may change (ADR reports).

Both rights end with the membership that they were given to: they name its `join_id`, so that a member who leaves and
joins again has neither. The creator of a dashboard or report keeps their right while their membership is uninterrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.domain.access.access import Principal, check_tier, member_tier
from governance.errors import Reason, conflict, forbidden, invalid_body, not_found
from governance.ids import UserId
from governance.instants import Instant
from governance.limits import DASHBOARD_EDITORS
from governance.models.boards.board import Membership
from governance.models.reports.dashboard import DashboardPatch, ReviewStatus, StoredDashboard, StoredEditor
from governance.models.reports.dashboard_access import DashboardAccess, DashboardEditor
from governance.models.reports.report import StoredReport
from governance.scopes import Scope, Tier

Members = Mapping[UserId, Membership]
"""Current members of a board, at least those that a dashboard names (`named_users`)."""
_OWN_FIELDS = {"title", "uniform"}
_OWN_REVIEW: tuple[ReviewStatus, ...] = ("working", "ready_for_review")


def named_users(dashboard: StoredDashboard, report: StoredReport) -> set[UserId]:
    """Returns the users who have a right to a dashboard if they are still members."""
    named = {report.created_by_user_id, *(editor.user_id for editor in dashboard.editors)}
    return named | {user for user in (dashboard.owner_id or dashboard.creator_id,) if user}


def owner(
    dashboard: StoredDashboard, report: StoredReport, members: Members, board_owner: UserId | None
) -> UserId | None:
    """Returns who owns a dashboard now; None for one that a board token created and that was not handed over.

    The creator owns it until it is handed over. An owner who has left is followed by the report's creator, or else by
    the owner of the board.
    """
    if not has_owner(dashboard):
        return None
    direct = members.get(dashboard.owner_id or dashboard.creator_id or UserId(""))
    if direct is not None and is_named_owner(dashboard, direct):
        return direct.user_id
    follower = members.get(report.created_by_user_id)
    if follower is not None and _is_since(follower, report.created_at):
        return follower.user_id
    return board_owner


def has_owner(dashboard: StoredDashboard) -> bool:
    """Returns whether a dashboard has an owner: not if it is a board token's and was not handed over."""
    return (dashboard.owner_id or dashboard.creator_id) is not None


def is_named_owner(dashboard: StoredDashboard, member: Membership) -> bool:
    """Returns whether a member is the owner that the dashboard was handed over to, or else its creator."""
    if dashboard.owner_id is not None:
        return (dashboard.owner_id, dashboard.owner_join_id) == (member.user_id, member.join_id)
    return dashboard.creator_id == member.user_id and _is_since(member, dashboard.created_at)


def _is_since(member: Membership, instant: Instant) -> bool:
    return member.created_at <= instant


def editor_of(dashboard: StoredDashboard, member: Membership | None) -> StoredEditor | None:
    """Returns the right of a member to edit a dashboard; None if they were not granted it."""
    if member is None:
        return None
    held = (editor for editor in dashboard.editors if editor.user_id == member.user_id)
    return next((editor for editor in held if editor.join_id == member.join_id), None)


def editors(dashboard: StoredDashboard, members: Members) -> tuple[StoredEditor, ...]:
    """Returns the rights to edit a dashboard that still hold, in the order in which they were granted."""
    return tuple(editor for editor in dashboard.editors if editor_of(dashboard, members.get(editor.user_id)) == editor)


def to_resource(dashboard: StoredDashboard, owner_id: UserId | None, members: Members) -> DashboardAccess:
    """Returns who owns a dashboard and who may edit it, as the members of its board see it."""
    shown = [DashboardEditor.model_validate(editor.item()) for editor in editors(dashboard, members)]
    return DashboardAccess(dashboard_id=dashboard.id, owner_user_id=owner_id, editors=tuple(shown))


def is_manager(tier: Tier | None, principal: Principal) -> bool:
    """Returns whether the caller manages dashboards: a manager or higher, or a board token that may write reports."""
    token_writes = principal.user_id is None and Scope.REPORTS_WRITE in principal.scopes
    return token_writes or (tier is not None and tier >= Tier.MANAGER)


def check_manager(tier: Tier | None, principal: Principal) -> None:
    """Raises 403 for a caller who does not manage dashboards."""
    check_tier(tier, Tier.MANAGER, principal, Scope.REPORTS_WRITE)


def check_own_changes(body: DashboardPatch, current: ReviewStatus | None) -> None:
    """Raises 403 for a change that only managers may make: owner and editors change the title and the content.

    They set the review status to `working` and `ready_for_review` only; naming the current one changes nothing.
    """
    left = sorted(_aliases(body) - _OWN_FIELDS)
    if left:
        raise forbidden(f"Leave out `{left[0]}`: only managers of the board change it.")
    review: Any = body.uniform.given().get("review_status", current) if body.uniform else current
    if review != current and review not in _OWN_REVIEW:
        raise forbidden(f"Only managers of the board set the review status to `{review}`.")


def _aliases(body: DashboardPatch) -> set[str]:
    fields = type(body).model_fields
    return {fields[name].alias or name for name in body.model_fields_set}


def granted(
    dashboard: StoredDashboard,
    member: Membership,
    members: Members,
    owner_id: UserId | None,
    granted_by: UserId,
    now: Instant,
) -> StoredDashboard:
    """Returns the dashboard with the right of a member to edit it; the same object if they have it.

    Rights that have ended are dropped. Raises 409 `NOT_NEEDED` for the owner and for managers, 409 `LIMIT_REACHED` if
    as many members as allowed may edit it.
    """
    if editor_of(dashboard, member) is not None:
        return dashboard
    if member.user_id == owner_id or member_tier(member) >= Tier.MANAGER:
        raise conflict(Reason.NOT_NEEDED)
    kept = editors(dashboard, members)
    if len(kept) >= DASHBOARD_EDITORS:
        raise conflict(Reason.LIMIT_REACHED)
    added = StoredEditor(user_id=member.user_id, join_id=member.join_id, granted_by_user_id=granted_by, granted_at=now)
    return _changed(dashboard, editors=(*kept, added))


def revoked(dashboard: StoredDashboard, member: Membership | None) -> StoredDashboard:
    """Returns the dashboard without the right of a member to edit it; raises 404 if they do not have it."""
    ended = editor_of(dashboard, member)
    if ended is None:
        raise not_found()
    return _changed(dashboard, editors=tuple(editor for editor in dashboard.editors if editor.user_id != ended.user_id))


def new_owner(member: Membership | None) -> Membership:
    """Returns the member who is to own the dashboard; raises 400 for a user who is not a member."""
    if member is None:
        raise invalid_body({"userId": "must be the id of a user who is a member of this board"})
    return member


def handed_over(dashboard: StoredDashboard, member: Membership) -> StoredDashboard:
    """Returns the dashboard with this owner, who stops being an editor; the same object if they own it already."""
    if is_named_owner(dashboard, member):
        return dashboard
    others = tuple(editor for editor in dashboard.editors if editor.user_id != member.user_id)
    return _changed(dashboard, owner_id=member.user_id, owner_join_id=member.join_id, editors=others)


def _changed(dashboard: StoredDashboard, **changes: Any) -> StoredDashboard:
    return dashboard.model_copy(update={**changes, "version": dashboard.version + 1})
