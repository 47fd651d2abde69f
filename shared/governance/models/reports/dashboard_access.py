"""Who owns a dashboard and who may edit it (an extension of the API, ADR reports)."""

from typing import Literal

from governance.ids import UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Resource


class DashboardEditor(Resource):
    """A member below manager who may edit a dashboard."""

    user_id: UserId
    granted_by_user_id: UserId
    granted_at: Instant


class DashboardAccess(ApiObject):
    """Who owns a dashboard and who may edit it, besides the managers."""

    object: Literal["dashboard_access"] = "dashboard_access"
    dashboard_id: str
    owner_user_id: UserId | None
    editors: tuple[DashboardEditor, ...]


class DashboardTransfer(Body):
    """The body that hands a dashboard over to another member of its board."""

    user_id: UserId
