"""The audit log, and the feed of a board's events."""

from governance.http.api import Api
from governance.models.act import AuditEntry, BoardEvent
from governance.models.audit import AuditQuery, EventsQuery
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
    answers=AuditEntry,
)
api.get(
    "/api/v1/boards/{boardId}/events",
    audit.list_events,
    scope=Scope.AUDIT_READ,
    tier=Tier.ADMIN,
    query=EventsQuery,
    shape="collection",
    answers=BoardEvent,
    extension=True,
)

lambda_handler = api
