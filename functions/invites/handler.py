"""Invites: create, answer, mail, list; the status probe and the preview of links."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import CONFLICT, Access, Audience
from governance.scopes import Scope, Tier
from governance.usecases.invites import invite_emails, invite_links, invite_responses, invites, offered_invites

READ, WRITE = Scope.INVITES_READ, Scope.INVITES_WRITE
ON_BOARD = "/api/invite/{boardId}"
TEST_CODES = (Code.CONFLICT, Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE)
SEND = "/api/invite/{boardInviteId}/send-email"
SEND_CODES = (Code.CONFLICT, Code.SERVICE_UNAVAILABLE)
ACCEPT = "/api/invite/accept/{boardInviteId}"
JOIN = "/api/invite/join/{inviteCode}"
JOIN_CODES = (Code.CONFLICT, Code.INVALID_INVITE_CODE)
DECLINE = "/api/invite/decline/{boardInviteId}"
RETRACT = "/api/invite/retract/{boardInviteId}"
STATUS = "/api/v1/invite/status/{inviteCode}"
PREVIEW = "/api/v1/invite/preview/{inviteCode}"

api = Api()
by_user = api.group(audience=Audience.USER)
by_session = api.group(audience=Audience.SESSION)
by_user.get(ON_BOARD + "/invites", invites.list_board_invites, scope=READ)
by_session.get("/api/invite/sent", invites.list_my_sent_invites, scope=READ)
by_session.get("/api/invite/all-boards", invites.list_pending_invites_by_board, scope=READ, shape="bare")
by_user.get("/api/v1/me/invites", invites.list_my_received_invites, scope=READ, extension=True)
by_user.get(
    "/api/v1/boards/{boardId}/sent-invites",
    offered_invites.list_board_sent_invites,
    scope=READ,
    tier=Tier.COLLABORATOR,
    extension=True,
)
by_user.get(
    "/api/v1/boards/{boardId}/invite-names",
    offered_invites.list_invite_names,
    scope=READ,
    tier=Tier.ADMIN,
    extension=True,
    agents=False,
)
by_user.post(
    ON_BOARD,
    invites.create_invite,
    scope=WRITE,
    tier=Tier.COLLABORATOR,
    idempotent=True,
    status=200,
    codes=(Code.CONFLICT, Code.RATE_LIMITED),
)
by_user.post(ON_BOARD + "/test", invite_emails.send_test_invite, scope=WRITE, status=200, codes=TEST_CODES)
by_session.post(SEND, invite_emails.send_invite, scope=WRITE, billing=True, status=200, codes=SEND_CODES)
by_user.get(ON_BOARD + "/code", invite_links.get_invite_code, scope=READ)
by_user.put(ACCEPT, invite_responses.accept_invite, scope=WRITE, billing=True, refuses_any_body=True, codes=CONFLICT)
by_session.put(JOIN, invite_responses.join_board, scope=WRITE, billing=True, codes=JOIN_CODES)
by_user.put(DECLINE, invite_responses.decline_invite, scope=WRITE, refuses_any_body=True)
by_user.put(RETRACT, invite_responses.retract_invite, scope=WRITE, refuses_any_body=True)
api.get(STATUS, invite_links.get_invite_status, scope=Access.PUBLIC, answers_always=True, shape="bare", agents=False)
api.get(PREVIEW, invite_links.preview_invite, scope=Access.PUBLIC, extension=True, codes=(Code.RESOURCE_NOT_FOUND,))

lambda_handler = api
