"""Invites: create, answer, mail, list; the status probe and the preview of links."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.scopes import Scope, Tier
from governance.usecases import invite_emails, invite_links, invite_responses, invites

READ, WRITE = Scope.INVITES_READ, Scope.INVITES_WRITE
ON_BOARD = "/api/invite/{boardId}"

api = Api()
api.get(ON_BOARD + "/invites", invites.list_board_invites, scope=READ, audience=Audience.USER)
api.get("/api/invite/sent", invites.list_sent_invites, scope=READ, audience=Audience.SESSION)
api.get("/api/invite/all-boards", invites.list_pending_by_board, scope=READ, audience=Audience.SESSION, shape="bare")
api.get("/api/v1/me/invites", invites.list_received_invites, scope=READ, audience=Audience.USER, extension=True)
api.post(
    ON_BOARD,
    invites.create_invite,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.COLLABORATOR,
    idempotent=True,
    status=200,
    shape="bare",
    codes=(Code.CONFLICT, Code.RATE_LIMITED),
)
api.post(
    ON_BOARD + "/test",
    invite_emails.send_test_mail,
    scope=WRITE,
    audience=Audience.USER,
    status=200,
    shape="bare",
    codes=(Code.CONFLICT, Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE),
)
api.post(
    "/api/invite/{boardInviteId}/send-email",
    invite_emails.send_invite,
    scope=WRITE,
    audience=Audience.SESSION,
    billing=True,
    status=200,
    shape="bare",
    codes=(Code.CONFLICT, Code.SERVICE_UNAVAILABLE),
)
api.get(ON_BOARD + "/code", invite_links.get_invite_code, scope=READ, audience=Audience.USER, shape="bare")
api.put(
    "/api/invite/accept/{boardInviteId}",
    invite_responses.accept_invite,
    scope=WRITE,
    audience=Audience.USER,
    billing=True,
    refuses_any_body=True,
    shape="bare",
    codes=(Code.CONFLICT,),
)
api.put(
    "/api/invite/join/{inviteCode}",
    invite_responses.join_board,
    scope=WRITE,
    audience=Audience.SESSION,
    billing=True,
    shape="bare",
    codes=(Code.CONFLICT, Code.INVALID_INVITE_CODE),
)
api.put(
    "/api/invite/decline/{boardInviteId}",
    invite_responses.decline_invite,
    scope=WRITE,
    audience=Audience.USER,
    refuses_any_body=True,
    shape="bare",
)
api.put(
    "/api/invite/retract/{boardInviteId}",
    invite_responses.retract_invite,
    scope=WRITE,
    audience=Audience.USER,
    refuses_any_body=True,
    shape="bare",
)
api.get(
    "/api/v1/invite/status/{inviteCode}",
    invite_links.probe_invite,
    scope=Access.PUBLIC,
    answers_always=True,
    shape="bare",
)
api.get(
    "/api/v1/invite/preview/{inviteCode}",
    invite_links.preview_invite,
    scope=Access.PUBLIC,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND,),
)

lambda_handler = api
