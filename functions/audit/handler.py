"""The audit log, and the feed of a board's events."""

from governance.http.api import Api
from governance.models.audit import AuditEntry, AuditQuery
from governance.models.event import BoardEvent, EventsQuery
from governance.scopes import Scope, Tier
from governance.usecases import audit

api = Api()
api.get(
    "/api/auditlog/{boardId}",
    audit.list_audit_entries,
    scope=Scope.AUDIT_READ,
    tier=Tier.ADMIN,
    query=AuditQuery,
    shape="array",
    response_model=AuditEntry,
)
api.get(
    "/api/v1/boards/{boardId}/events",
    audit.list_events,
    scope=Scope.AUDIT_READ,
    tier=Tier.ADMIN,
    query=EventsQuery,
    shape="collection",
    response_model=BoardEvent,
    extension=True,
)

lambda_handler = api
