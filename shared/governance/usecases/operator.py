"""What operators do without the API: accounts, billing, tokens. It takes effect from the next request on."""

from __future__ import annotations

from collections.abc import Sequence

from governance.domain.billing import STATES
from governance.domain.tokens import status as token_status
from governance.errors import invalid_body, not_found
from governance.ids import BoardId, MembershipId, UserId
from governance.instants import Instant, now
from governance.models.board import Membership, StoredBoard
from governance.models.event import Event
from governance.models.token import StoredToken
from governance.models.user import StoredUser, UserStatus
from governance.store import boards, tokens, users
from governance.store.retry import retry_stale_reads
from governance.store.table import transact
from governance.store.writes import Write
from governance.usecases.context import Context
from governance.usecases.events import record_event
from governance.usecases.members import move_ownership
from governance.usecases.tokens import token_revocation

Boards = Sequence[tuple[StoredBoard, Membership]]
_WRITES_PER_TRANSACTION = 80
_BOARDS_PER_TRANSACTION = _WRITES_PER_TRANSACTION // 2
"""Boards whose events and audit entries, two writes each, are recorded in one transaction."""


def show_user(user_id: UserId) -> tuple[StoredUser, Boards]:
    """Returns a user and the boards that they are a member of; raises 404 if there is no such user."""
    user = users.find(user_id)
    if user is None:
        raise not_found()
    return user, boards.boards_of(user_id, boards.board_ids_of(user_id))


def set_user_status(user_id: UserId, status: UserStatus) -> StoredUser:
    """Sets the status of an account; raises 404 if there is no such user, 400 for one that was purged."""
    return retry_stale_reads(lambda: _set_user_status(user_id, status))


def _set_user_status(user_id: UserId, status: UserStatus) -> StoredUser:
    old = users.find(user_id)
    if old is None:
        raise not_found()
    if old.purged:
        raise invalid_body({"userId": "must not be the id of a purged user, whose account stays closed"})
    new = old.model_copy(update={"status": status, "version": old.version + 1})
    transact(users.replace(old, new))
    return new


def close_account(user_id: UserId) -> str | None:
    """Closes an account that is to be purged; returns its e-mail address, None if another user has it too.

    Raises 400 for a user who owns a board, which would be left without anyone who can transfer or delete it.
    """
    user, own_boards = show_user(user_id)
    if user.purged:
        return None
    _check_owns_none(own_boards)
    set_user_status(user_id, "inactive")
    return user.email if users.user_ids_by_email(user.email) == [user_id] else None


def purge_user(user_id: UserId) -> Boards:
    """Deletes a user's personal data for good, and records it on each of their boards, which are returned.

    The user's id, memberships and audit entries stay, without a name or an address; the account is closed. A purge that
    was interrupted is finished by the next one.
    """
    own_boards = retry_stale_reads(lambda: _purge(user_id))
    deletions = users.delete_personal_items(user_id)
    for start in range(0, len(deletions), _WRITES_PER_TRANSACTION):
        transact(deletions[start : start + _WRITES_PER_TRANSACTION])
    return own_boards


def _purge(user_id: UserId) -> Boards:
    old, own_boards = show_user(user_id)
    if old.purged:
        return own_boards
    _check_owns_none(own_boards)
    moment = now()
    remainder = StoredUser(
        id=old.id,
        email="",
        status="inactive",
        purged=True,
        created_at=old.created_at,
        updated_at=moment,
        version=old.version + 1,
    )
    for start in range(_BOARDS_PER_TRANSACTION, len(own_boards), _BOARDS_PER_TRANSACTION):
        transact(_purge_events(old, own_boards[start : start + _BOARDS_PER_TRANSACTION], moment))
    events = _purge_events(old, own_boards[:_BOARDS_PER_TRANSACTION], moment)
    transact([*users.replace_with_remainder(old, remainder), *events])
    return own_boards


def _check_owns_none(own_boards: Boards) -> None:
    owned = [board.id for board, member in own_boards if member.admin_role == "owner"]
    if owned:
        advice = "transfer each with `boardctl board transfer BOARD_ID MEMBER_ID`"
        raise invalid_body({"userId": f"must not own a board, but owns {', '.join(owned)}; {advice}"})


def _purge_events(user: StoredUser, own_boards: Boards, moment: Instant) -> list[Write]:
    subject = {"id": user.id, "title": None}
    contexts = [Context(now=moment, known_board=board) for board, _ in own_boards]
    return [
        write
        for context in contexts
        for write in record_event(context, Event.USER_PURGED, refs={"userId": user.id}, details=subject)
    ]


def set_billing(board_id: BoardId, state: str) -> tuple[StoredBoard, StoredBoard]:
    """Sets a board's billing state; returns the board before and after. Raises 404, and 400 for an unknown state."""
    if state not in STATES:
        raise invalid_body({"billingState": f"must be one of {', '.join(STATES)}"})
    return retry_stale_reads(lambda: _set_billing(board_id, state))


def _set_billing(board_id: BoardId, state: str) -> tuple[StoredBoard, StoredBoard]:
    old = boards.find(board_id)
    if old is None:
        raise not_found()
    moment = now()
    new = old.model_copy(update={"billing_state": state, "updated_at": moment, "version": old.version + 1})
    change = {"from": old.billing_state, "to": state}
    event = record_event(Context(now=moment, known_board=old), Event.BILLING_OVERRIDDEN, details=change)
    transact([boards.replace(old, new), *event])
    return old, new


def transfer_ownership(board_id: BoardId, member_id: MembershipId) -> tuple[StoredBoard, Membership]:
    """Makes another member the owner of a board, whatever became of the old owner; returns the board and the new owner.

    Raises 404 if there is no such board, and 400 unless `member_id` is another member with an active account.
    """
    return retry_stale_reads(lambda: _transfer_ownership(board_id, member_id))


def _transfer_ownership(board_id: BoardId, member_id: MembershipId) -> tuple[StoredBoard, Membership]:
    board = boards.find(board_id)
    owner = (
        next((member for member in boards.members(board_id) if member.admin_role == "owner"), None) if board else None
    )
    if board is None or owner is None:
        raise not_found()
    new_owner, _, writes = move_ownership(Context(now=now(), known_board=board), owner, member_id)
    transact(writes)
    return board, new_owner


def revoke_token(token_id: str) -> StoredToken:
    """Revokes a token; raises 404 if there is none of this id."""
    token = tokens.find(token_id)
    if token is None:
        raise not_found()
    moment = now()
    board = boards.find(token.board_id) if token.board_id else None
    if token_status(token.expires_at, token.revoked_at, moment) == "revoked":
        return token
    if board is None:
        transact([tokens.revoke(token, moment)])
    else:
        transact(token_revocation(Context(now=moment, known_board=board), token))
    return token
