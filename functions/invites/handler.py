"""Invites: create, answer, mail, list; the status probe and the preview of links."""

from governance.errors import Code
from governance.http.api import Api
from governance.http.route import Access, Audience
from governance.models import invite as models
from governance.scopes import Scope, Tier
from governance.usecases import invite_emails, invite_links, invite_responses, invites

READ, WRITE = Scope.INVITES_READ, Scope.INVITES_WRITE
ON_BOARD = "/api/invite/{boardId}"

api = Api()
api.get(
    ON_BOARD + "/invites",
    invites.list_board_invites,
    scope=READ,
    audience=Audience.USER,
    shape="array",
    response_model=models.InviteDetail,
    summary="List a board's invites",
)
api.get(
    "/api/invite/sent",
    invites.list_sent_invites,
    scope=READ,
    audience=Audience.SESSION,
    shape="array",
    response_model=models.InviteDetail,
    summary="List the invites that the caller sent",
)
api.get(
    "/api/invite/all-boards",
    invites.list_pending_by_board,
    scope=READ,
    audience=Audience.SESSION,
    shape="bare",
    response_model=models.InvitesByBoard,
    summary="List the pending invites of the caller's boards",
)
api.post(
    ON_BOARD,
    invites.create_invite,
    scope=WRITE,
    audience=Audience.USER,
    tier=Tier.COLLABORATOR,
    idempotent=True,
    status=200,
    shape="bare",
    body=models.InviteCreate,
    response_model=models.InviteMade,
    summary="Invite an address to a board",
    codes=(Code.RATE_LIMITED,),
)
api.post(
    ON_BOARD + "/test",
    invite_emails.send_test_mail,
    scope=WRITE,
    audience=Audience.USER,
    status=200,
    shape="bare",
    response_model=models.MailSent,
    summary="Mail a preview of an invite to the caller",
    codes=(Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE),
)
api.post(
    "/api/invite/{boardInviteId}/send-email",
    invite_emails.send_invite,
    scope=WRITE,
    audience=Audience.SESSION,
    billing=True,
    status=200,
    shape="bare",
    response_model=models.InviteMailed,
    summary="Mail an invite to its invitee",
    codes=(Code.SERVICE_UNAVAILABLE,),
)
api.get(
    ON_BOARD + "/code",
    invite_links.get_invite_code,
    scope=READ,
    audience=Audience.USER,
    shape="bare",
    response_model=models.InviteCode,
    summary="Read a board's invite code",
)
api.put(
    "/api/invite/accept/{boardInviteId}",
    invite_responses.accept_invite,
    scope=WRITE,
    audience=Audience.USER,
    billing=True,
    shape="bare",
    response_model=models.InviteAccepted,
    summary="Accept an invite",
)
api.put(
    "/api/invite/join/{inviteCode}",
    invite_responses.join_board,
    scope=WRITE,
    audience=Audience.SESSION,
    billing=True,
    shape="bare",
    response_model=models.BoardJoined,
    summary="Join a board by its invite code",
    codes=(Code.INVALID_INVITE_CODE,),
)
api.put(
    "/api/invite/decline/{boardInviteId}",
    invite_responses.decline_invite,
    scope=WRITE,
    audience=Audience.USER,
    shape="bare",
    response_model=models.InviteClosed,
    summary="Decline an invite",
)
api.put(
    "/api/invite/retract/{boardInviteId}",
    invite_responses.retract_invite,
    scope=WRITE,
    audience=Audience.USER,
    shape="bare",
    response_model=models.InviteClosed,
    summary="Retract an invite",
)
api.get(
    "/api/v1/invite/status/{inviteCode}",
    invite_links.probe_invite,
    scope=Access.PUBLIC,
    query=models.LinkQuery,
    shape="bare",
    response_model=models.InviteProbe,
    summary="Whether a link's invite is pending",
)
api.get(
    "/api/v1/invite/preview/{inviteCode}",
    invite_links.preview_invite,
    scope=Access.PUBLIC,
    query=models.LinkQuery,
    response_model=models.InvitePreview,
    summary="Who invites to what board, for the holder of a link",
    extension=True,
    codes=(Code.RESOURCE_NOT_FOUND,),
)

lambda_handler = api
