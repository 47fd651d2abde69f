"""Who owns a dashboard and who may edit it (an extension of the API, ADR reports)."""

from typing import Literal

from governance.ids import UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Resource
from governance.models.text import NamedUserId


class DashboardEditor(Resource):
    """A member below manager who may edit a dashboard."""

    user_id: UserId
    granted_by_user_id: UserId
    """Identifier of the user who granted the right."""
    granted_at: Instant
    """When the right was granted, in UTC with milliseconds."""


class DashboardAccess(ApiObject):
    """The owner and the editors of a dashboard."""

    object: Literal["dashboard_access"] = "dashboard_access"
    dashboard_id: str
    """Identifier of the dashboard."""
    owner_user_id: UserId | None
    """Identifier of the user who owns the dashboard; null if a board token created it and it has not been handed over.
    """
    editors: tuple[DashboardEditor, ...]
    """The editors, in the order in which the right was granted."""


class DashboardTransfer(Body):
    """The member to hand the dashboard over to."""

    user_id: NamedUserId
    """Identifier of the new owner, who is a member of the board."""
