"""E-mails of invites: the invitation, and a preview to the caller (the API specification, sections 4.7 and 8).

A use of each quota is claimed in a transaction before the e-mail is sent, and released if the mail service refuses
it. So concurrent requests never send more than the quota allows (ADR limits).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from governance.domain.boards.example_board import check_sends_mail
from governance.domain.invites import invite as invite_rules
from governance.domain.invites import invite_link
from governance.domain.quota import (
    INVITE_MAILS_OF_SENDER,
    MAILS_OF_INVITE,
    MAILS_TO_RECIPIENT,
    TEST_MAILS,
    counted_address,
)
from governance.errors import ApiError, Code, not_found, unavailable
from governance.mail import sender
from governance.mail.rendering import EmailOrigin, RenderedEmail, already_escaped, render_email
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.invites.invite import InviteMailed, MailSent, StoredInvite, ThrottleReason
from governance.settings import Secret, settings
from governance.store import quotas
from governance.store.boards import boards
from governance.store.invites import invite_links, invites
from governance.store.quotas import QuotaClaim
from governance.store.schema.entities import INVITE_SENT, USER
from governance.store.schema.keys import Key
from governance.store.transactions import transact
from governance.store.writes import Write
from governance.texts import language_of, text
from governance.usecases.context import Context, RequestInfo
from governance.usecases.declarations import finds, loads, resolve_board, uses_secret
from governance.usecases.invites.invite_responses import locate_invite, pending_invite, pending_invite_keys

_PREVIEW_CODE = "00000000-0000-4000-8000-000000000000"


def _email_keys(info: RequestInfo) -> list[Key | None]:
    """Returns the keys of the quotas, of the time of the last e-mail, and of the inviter."""
    if "inviteeEmail" not in info.params:
        return []
    invite_id, email = info.params["inviteId"], info.params["inviteeEmail"]
    return [
        quotas.key(MAILS_OF_INVITE, invite_id),
        quotas.key(MAILS_TO_RECIPIENT, counted_address(email)),
        quotas.key(INVITE_MAILS_OF_SENDER, info.user_id or ""),
        INVITE_SENT.key_or_none(inviteId=invite_id),
        USER.key_or_none(userId=info.params["inviterId"]),
    ]


def _sendable_invite(context: Context) -> StoredInvite:
    invite = pending_invite(context)
    if not invite_rules.may_send(invite, context.user_id, context.tier):
        raise not_found()
    return invite


@uses_secret(Secret.INVITE_LINK)
@loads(pending_invite_keys, _email_keys)
@resolve_board(locate_invite, _sendable_invite)
@finds(_sendable_invite)
def send_invite(context: Context, invite: StoredInvite) -> InviteMailed:
    """Sends the invitation e-mail; over the quota of the invite or the recipient, it responds that none was sent.

    Raises 429 over the quota of the caller, and 409 `EXAMPLE_BOARD` for an example board.
    """
    check_sends_mail(context.board)
    of_invite = quotas.usage_of(MAILS_OF_INVITE, invite.id, context.loaded)
    of_recipient = quotas.usage_of(MAILS_TO_RECIPIENT, counted_address(invite.invitee_email), context.loaded)
    if of_invite.is_exhausted(context.now):
        return _throttled(context, invite, "per-invite")
    if of_recipient.is_exhausted(context.now):
        return _throttled(context, invite, "global-recipient")
    of_sender = quotas.usage_of(INVITE_MAILS_OF_SENDER, context.principal.named_user_id, context.loaded)
    of_sender.check(context.now)
    board, writes = _publish_link(context, invite)
    claims = [usage.claim(context.now) for usage in (of_invite, of_recipient, of_sender)]
    _send(_render_invitation(context, board, invite), claims, writes)
    with suppress(ApiError):  # the e-mail was sent, even if its time is not recorded
        transact([invite_links.set_last_sent(invite.id, context.now)])
    return InviteMailed(
        message="The invitation e-mail was sent.",
        sent_to=invite.invitee_email,
        last_sent_at=context.now,
        throttled=False,
    )


_THROTTLED_MESSAGES: Mapping[ThrottleReason, str] = {
    "per-invite": "No e-mail was sent: the limit of e-mails for this invite is reached. Try again later.",
    "global-recipient": "No e-mail was sent: the limit of e-mails to this recipient is reached. Try again later.",
}


def _throttled(context: Context, invite: StoredInvite, reason: ThrottleReason) -> InviteMailed:
    return InviteMailed(
        message=_THROTTLED_MESSAGES[reason],
        sent_to=invite.invitee_email,
        last_sent_at=invite_links.last_sent(invite.id, context.loaded),
        throttled=True,
        throttle_reason=reason,
    )


def _publish_link(context: Context, invite: StoredInvite) -> tuple[StoredBoard, list[Write]]:
    """Returns the board with an invite code, and the writes that make the e-mail's link lead to the invite."""
    board, writes = _with_code(context.board)
    link = invite_link.digest(_token(invite))
    if invite.link == link:
        return board, [*writes, invites.check_unchanged(invite)]
    changed = invite_rules.with_link(invite, link, context.now)
    return board, [
        *writes,
        invites.change(invite, changed),
        *invite_links.publish(invite, board.invite_code or "", link),
    ]


def _with_code(board: StoredBoard) -> tuple[StoredBoard, list[Write]]:
    if board.invite_code is not None:
        return board, [boards.check_exists(board.id)]
    new = invite_link.with_code(board)
    return new, boards.set_invite_code(board, new)


def _token(invite: StoredInvite) -> str:
    return invite_link.token(settings().secret(Secret.INVITE_LINK), invite.id)


def _render_invitation(context: Context, board: StoredBoard, invite: StoredInvite) -> RenderedEmail:
    user = context.stored_or_none(USER, StoredUser, userId=invite.inviter_id)
    url = invite_link.url(settings().root_url, board.invite_code or "", _token(invite))
    rendered = _render(user, board, invite.invitee_email, url, invite.message, invite.board_positions)
    return replace(rendered, origin=EmailOrigin(board.id, invite.id, invite.inviter_id))


def _render_preview(user: StoredUser, board: StoredBoard) -> RenderedEmail:
    url = invite_link.url(settings().root_url, _PREVIEW_CODE, _PREVIEW_CODE)
    message = text(language_of(user.language), "mail.invite.preview_message")
    return _render(user, board, user.email, url, message, ("observer",), preview=True)


def _render(
    user: StoredUser | None,
    board: StoredBoard,
    recipient: str,
    url: str,
    message: str | None,
    positions: Sequence[str],
    *,
    preview: bool = False,
) -> RenderedEmail:
    """Renders the e-mail in the inviter's language, like the message in it: an invitee may have no account yet."""
    language = language_of(user.language if user else None)
    inviter = (user.full_name if user else "") or text(language, "mail.invite.unnamed_inviter")
    subject = "mail.invite.subject_preview" if preview else "mail.invite.subject"
    return render_email(
        "invite",
        language,
        recipient,
        text(language, subject, inviter=inviter, board=board.name),
        preview=preview,
        inviter=inviter,
        board=board.name,
        message=already_escaped(message),
        positions=positions,
        url=url,
    )


def _preview_quota_key(info: RequestInfo) -> list[Key]:
    return [quotas.key(TEST_MAILS, info.user_id)] if info.user_id else []


@loads(_preview_quota_key)
def send_test_invite(context: Context) -> MailSent:
    """Sends a preview of an invitation e-mail to the caller.

    Raises 429 over the quota, and 409 `EXAMPLE_BOARD` for an example board.
    """
    user = context.principal.user
    if user is None:
        raise not_found()
    check_sends_mail(context.board)
    usage = quotas.usage_of(TEST_MAILS, user.id, context.loaded)
    usage.check(context.now)
    claim = usage.claim(context.now)
    _send(_render_preview(user, context.board), [claim], [boards.check_exists(context.board.id)])
    return MailSent(message="The preview e-mail was sent.", sent_to=user.email)


def _send(email: RenderedEmail, claims: Sequence[QuotaClaim], writes: Sequence[Write]) -> None:
    """Claims a use of each quota, sends the e-mail, and releases the uses if it was refused (503)."""
    _claim(claims, writes)
    try:
        sender.send(email)
    except sender.EmailRefused:
        transact([claim.release for claim in claims])
        raise unavailable() from None


def _claim(claims: Sequence[QuotaClaim], writes: Sequence[Write]) -> None:
    """Claims the uses with these writes; releases them if it is unknown whether they were claimed."""
    try:
        transact([*(claim.take for claim in claims), *writes])
    except ApiError as error:
        if error.code is Code.SERVICE_UNAVAILABLE:
            with suppress(ApiError):
                transact([claim.release for claim in claims])
        raise
