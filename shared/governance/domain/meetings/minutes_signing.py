"""The rules of signatures on minutes: who signs, when, and which version (ADR minutes)."""

from __future__ import annotations

from collections.abc import Container, Sequence

from governance.agenda_limits import MINUTES_SIGNING_MINUTES
from governance.domain.access.access import Principal
from governance.errors import ApiError, Code, Reason, conflict, invalid_body
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.meetings.minutes_signing import (
    MinutesSigner,
    MinutesSigners,
    MinutesSignersBody,
    StoredMinutesSigner,
    StoredMinutesSigners,
)
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredMinutesSignature


def changed(
    board_id: BoardId,
    old: StoredMinutesSigners | None,
    body: MinutesSignersBody,
    members: Sequence[UserId],
    now: Instant,
) -> StoredMinutesSigners | None:
    """Returns the new list of signers; None if it is the same among the members of the board.

    Raises 400 for a user who is not a member, or who is in it twice.
    """
    wanted = [signer.user_id for signer in body.signers]
    errors = {
        f"signers.{index}.userId": "must be the id of a member of the board, once"
        for index, user_id in enumerate(wanted)
        if user_id not in members or user_id in wanted[:index]
    }
    if errors:
        raise invalid_body(errors)
    new = StoredMinutesSigners(
        board_id=board_id,
        signers=tuple(StoredMinutesSigner(user_id=signer.user_id, role=signer.role) for signer in body.signers),
        updated_at=now,
        version=old.version + 1 if old else 1,
    )
    return None if _present(old, members) == _present(new, members) else new.in_place_of(old)


def _present(signers: StoredMinutesSigners | None, members: Container[UserId]) -> list[StoredMinutesSigner]:
    """Returns the signers who are members of the board."""
    return [signer for signer in (signers.signers if signers else ()) if signer.user_id in members]


def to_resource(board_id: BoardId, signers: StoredMinutesSigners | None, members: Container[UserId]) -> MinutesSigners:
    """Returns the list of signers as clients see it."""
    return MinutesSigners(
        board_id=board_id,
        signers=tuple(MinutesSigner(user_id=signer.user_id, role=signer.role) for signer in _present(signers, members)),
        updated_at=signers.updated_at if signers else None,
    )


def check_signer(signers: StoredMinutesSigners | None, principal: Principal, now: Instant) -> StoredMinutesSigners:
    """Returns the list of signers, which has the caller.

    Raises 403 `FORBIDDEN` for a caller who is not among the signers, then `FRESH_SESSION_REQUIRED` for one who signed
    in more than `MINUTES_SIGNING_MINUTES` ago.
    """
    if signers is None or all(signer.user_id != principal.user_id for signer in signers.signers):
        raise ApiError(Code.FORBIDDEN)
    since = principal.authenticated_at
    if since is None or since < shift(now, minutes=-MINUTES_SIGNING_MINUTES):
        raise ApiError(Code.FRESH_SESSION_REQUIRED)
    return signers


def signed(
    approval: StoredMinutesApproval | None,
    signers: StoredMinutesSigners,
    user_id: UserId,
    event_id: str,
    now: Instant,
) -> StoredMinutesApproval:
    """Returns the approval with the signature of one of the signers, in their role, on the approved version.

    Raises 409: `NOT_APPROVED` for minutes that are not approved, `ALREADY_SIGNED` for a second signature of the user.
    """
    if approval is None or approval.status != "approved":
        raise conflict(Reason.NOT_APPROVED)
    if any(signature.user_id == user_id for signature in approval.signatures):
        raise conflict(Reason.ALREADY_SIGNED)
    role = next(signer.role for signer in signers.signers if signer.user_id == user_id)
    signature = StoredMinutesSignature(user_id=user_id, role=role, at=now, event_id=event_id)
    changes = {"signatures": (*approval.signatures, signature), "updated_at": now, "version": approval.version + 1}
    return approval.model_copy(update=changes)
