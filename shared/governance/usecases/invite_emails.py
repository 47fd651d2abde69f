"""Mails of invites: the invite itself, and a preview to oneself (the API specification, sections 4.7 and 8).

A mail costs an allowance, which is taken in a transaction before it is sent and given back if the mail service refuses
it: so no race sends a mail too many (ADR 0041).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from governance.domain import invite as rules
from governance.domain import invite_link
from governance.domain.quota import MAILS_OF_INVITE, MAILS_TO_RECIPIENT, TEST_MAILS
from governance.errors import ApiError, Code, not_found, unavailable
from governance.mail import sender
from governance.mail.rendering import RenderedEmail, already_escaped, render_email
from governance.models.board import StoredBoard
from governance.models.invite import InviteMailed, MailSent, StoredInvite, ThrottleReason
from governance.models.user import StoredUser
from governance.settings import settings
from governance.store import boards, invite_links, invites, quotas
from governance.store.quotas import QuotaSlot
from governance.store.schema import INVITE_SENT, USER, Key
from governance.store.table import transact
from governance.store.writes import Write
from governance.usecases.context import Context, RequestInfo, loads, resolve_board
from governance.usecases.invite_responses import locate_invite, pending_invite, pending_invite_keys

_NAMELESS = "A member"
_NO_CODE = "00000000-0000-4000-8000-000000000000"


def _mail_keys(ask: RequestInfo) -> list[Key | None]:
    if "inviteeEmail" not in ask.params:
        return []
    invite_id, email = ask.params["inviteId"], ask.params["inviteeEmail"]
    return [
        quotas.key(MAILS_OF_INVITE, invite_id),
        quotas.key(MAILS_TO_RECIPIENT, email),
        INVITE_SENT.key(inviteId=invite_id),
        USER.key(userId=ask.params["inviterId"]),
    ]


def _not_ones_own(context: Context) -> bool:
    invite = pending_invite(context)
    return invite is None or not rules.may_send(invite, context.user_id, context.tier)


@loads(pending_invite_keys, _mail_keys)
@resolve_board(locate_invite, _not_ones_own)
def send_invite(context: Context) -> InviteMailed:
    """The invite's mail goes out, unless it or its recipient had enough of late; that is no error."""
    invite = pending_invite(context)
    if invite is None:
        raise not_found()
    of_invite = quotas.usage_of(MAILS_OF_INVITE, invite.id, context.loaded)
    of_recipient = quotas.usage_of(MAILS_TO_RECIPIENT, invite.invitee_email, context.loaded)
    if of_invite.is_exhausted(context.now):
        return _throttled(context, invite, "per-invite")
    if of_recipient.is_exhausted(context.now):
        return _throttled(context, invite, "global-recipient")
    board, linking = _linked(context, invite)
    uses = [of_invite.claim_slot(context.now), of_recipient.claim_slot(context.now)]
    _send(_invite_letter(context, board, invite), uses, linking)
    with suppress(ApiError):  # the mail is out, whatever becomes of the note
        transact([invite_links.set_last_sent(invite.id, context.now)])
    return InviteMailed(
        message="The mail was sent.", sent_to=invite.invitee_email, last_sent_at=context.now, throttled=False
    )


def _throttled(context: Context, invite: StoredInvite, reason: ThrottleReason) -> InviteMailed:
    return InviteMailed(
        message="No mail was sent: there were enough of late.",
        sent_to=invite.invitee_email,
        last_sent_at=invite_links.last_sent(invite.id, context.loaded),
        throttled=True,
        throttle_reason=reason,
    )


def _linked(context: Context, invite: StoredInvite) -> tuple[StoredBoard, list[Write]]:
    """The board with a code, and the writes that make the mail's link lead to the invite."""
    board, writes = _coded(context.board)
    link = invite_link.digest(_token(invite))
    if invite.link == link:
        return board, [*writes, invites.check_unchanged(invite)]
    changed = rules.with_link(invite, link, context.now)
    return board, [
        *writes,
        invites.change(invite, changed),
        *invite_links.publish(invite, board.invite_code or "", link),
    ]


def _coded(board: StoredBoard) -> tuple[StoredBoard, list[Write]]:
    if board.invite_code is not None:
        return board, [boards.check_exists(board.id)]
    coded = invite_link.with_code(board)
    return coded, boards.set_invite_code(board, coded)


def _token(invite: StoredInvite) -> str:
    return invite_link.token(settings().cursor_secret, invite.id)


def _invite_letter(context: Context, board: StoredBoard, invite: StoredInvite) -> RenderedEmail:
    user = context.item(USER, userId=invite.inviter_id)
    inviter = (StoredUser.model_validate(user).full_name if user else "") or _NAMELESS
    return render_email(
        "invite",
        invite.invitee_email,
        f"{inviter} invites you to the board {board.name}",
        preview=False,
        inviter=inviter,
        board=board.name,
        message=already_escaped(invite.message),
        positions=invite.board_positions,
        url=invite_link.url(settings().root_url, board.invite_code or "", _token(invite)),
    )


def _my_test_mails(ask: RequestInfo) -> list[Key]:
    return [quotas.key(TEST_MAILS, ask.user_id)] if ask.user_id else []


@loads(_my_test_mails)
def send_test_mail(context: Context) -> MailSent:
    """A preview of an invite's mail goes to the caller himself; 429 after too many."""
    user = context.principal.user
    if user is None:
        raise not_found()
    uses = quotas.usage_of(TEST_MAILS, user.id, context.loaded)
    uses.check(context.now)
    _send(_preview(user, context.board), [uses.claim_slot(context.now)], [boards.check_exists(context.board.id)])
    return MailSent(message="The preview was sent.", sent_to=user.email)


def _preview(user: StoredUser, board: StoredBoard) -> RenderedEmail:
    inviter = user.full_name or _NAMELESS
    return render_email(
        "invite",
        user.email,
        f"Preview: {inviter} invites you to the board {board.name}",
        preview=True,
        inviter=inviter,
        board=board.name,
        message=already_escaped("Here is what you write to the people whom you invite."),
        positions=("observer",),
        url=invite_link.url(settings().root_url, _NO_CODE, _NO_CODE),
    )


def _send(mail: RenderedEmail, uses: Sequence[QuotaSlot], writes: Sequence[Write]) -> None:
    """Take the allowances, send, and give them back if the mail was refused (503)."""
    _take(uses, writes)
    try:
        sender.send(mail)
    except sender.EmailRefused:
        transact([use.release for use in uses])
        raise unavailable() from None


def _take(uses: Sequence[QuotaSlot], writes: Sequence[Write]) -> None:
    """Where nobody can tell whether they were taken, they are given back: no mail goes out for them."""
    try:
        transact([*(use.claim for use in uses), *writes])
    except ApiError as error:
        if error.code is Code.SERVICE_UNAVAILABLE:
            with suppress(ApiError):
                transact([use.release for use in uses])
        raise
