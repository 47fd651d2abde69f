"""The audit log, and the feed of a board's events."""

from governance.http.api import Api
from governance.scopes import Scope, Tier
from governance.usecases.history import audit

api = Api()
api.get("/api/auditlog/{boardId}", audit.list_audit_entries, scope=Scope.AUDIT_READ, tier=Tier.ADMIN)
api.get(
    "/api/v1/boards/{boardId}/events", audit.list_board_events, scope=Scope.AUDIT_READ, tier=Tier.ADMIN, extension=True
)
api.get(
    "/api/v1/boards/{boardId}/audit/{entryId}/proof",
    audit.get_log_proof,
    scope=Scope.AUDIT_READ,
    tier=Tier.ADMIN,
    extension=True,
)

lambda_handler = api
