"""Invites: create, answer, mail, list; the status probe and the preview of links."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Free, Who
from governance.models import invite as models
from governance.scopes import Scope, Tier
from governance.usecases import invite_links, invite_mails, invite_replies, invites

READ, WRITE = Scope.INVITES_READ, Scope.INVITES_WRITE
ON_BOARD = "/api/invite/{boardId}"

api = Api()
api.get(
    ON_BOARD + "/invites",
    invites.list_board_invites,
    scope=READ,
    who=Who.USER,
    shape="array",
    answers=models.InviteDetail,
)
api.get(
    "/api/invite/sent",
    invites.list_sent_invites,
    scope=READ,
    who=Who.SESSION,
    shape="array",
    answers=models.InviteDetail,
)
api.get(
    "/api/invite/all-boards",
    invites.list_pending_by_board,
    scope=READ,
    who=Who.SESSION,
    shape="bare",
    answers=models.InvitesByBoard,
)
api.post(
    ON_BOARD,
    invites.create_invite,
    scope=WRITE,
    who=Who.USER,
    tier=Tier.COLLABORATOR,
    idempotent=True,
    status=200,
    shape="bare",
    body=models.InviteCreate,
    answers=models.InviteMade,
    codes=(Code.RATE_LIMITED,),
)
api.post(
    ON_BOARD + "/test",
    invite_mails.send_test_mail,
    scope=WRITE,
    who=Who.USER,
    status=200,
    shape="bare",
    answers=models.MailSent,
    codes=(Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE),
)
api.post(
    "/api/invite/{boardInviteId}/send-email",
    invite_mails.send_invite,
    scope=WRITE,
    who=Who.SESSION,
    billing=True,
    status=200,
    shape="bare",
    answers=models.InviteMailed,
    codes=(Code.SERVICE_UNAVAILABLE,),
)
api.get(
    ON_BOARD + "/code",
    invite_links.get_invite_code,
    scope=READ,
    who=Who.USER,
    shape="bare",
    answers=models.InviteCode,
)
api.put(
    "/api/invite/accept/{boardInviteId}",
    invite_replies.accept_invite,
    scope=WRITE,
    who=Who.USER,
    billing=True,
    shape="bare",
    answers=models.InviteAccepted,
)
api.put(
    "/api/invite/join/{inviteCode}",
    invite_replies.join_board,
    scope=WRITE,
    who=Who.SESSION,
    billing=True,
    shape="bare",
    answers=models.BoardJoined,
    codes=(Code.INVALID_INVITE_CODE,),
)
api.put(
    "/api/invite/decline/{boardInviteId}",
    invite_replies.decline_invite,
    scope=WRITE,
    who=Who.USER,
    shape="bare",
    answers=models.InviteClosed,
)
api.put(
    "/api/invite/retract/{boardInviteId}",
    invite_replies.retract_invite,
    scope=WRITE,
    who=Who.USER,
    shape="bare",
    answers=models.InviteClosed,
)
api.get(
    "/api/v1/invite/status/{inviteCode}",
    invite_links.probe_invite,
    scope=Free.PUBLIC,
    query=models.LinkQuery,
    shape="bare",
    answers=models.InviteProbe,
)
api.get(
    "/api/v1/invite/preview/{inviteCode}",
    invite_links.preview_invite,
    scope=Free.PUBLIC,
    query=models.LinkQuery,
    answers=models.InvitePreview,
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND,),
)

lambda_handler = api
