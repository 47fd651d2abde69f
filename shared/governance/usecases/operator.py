"""What operators do without the API: accounts, billing, tokens. It takes effect from the next request on."""

from __future__ import annotations

from collections.abc import Sequence

from governance.domain.billing import STATES
from governance.domain.tokens import status as token_status
from governance.errors import invalid_body, not_found
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.models.board import Membership, StoredBoard
from governance.models.event import Event
from governance.models.token import StoredToken
from governance.models.user import StoredUser, UserStatus
from governance.store import boards, tokens, users
from governance.store.retry import retry_stale_reads
from governance.store.table import transact
from governance.usecases.context import Context
from governance.usecases.events import record_event

Boards = Sequence[tuple[StoredBoard, Membership]]


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


def revoke_token(token_id: str) -> StoredToken:
    """Revokes a token; raises 404 if there is none of this id."""
    token = tokens.find(token_id)
    if token is None:
        raise not_found()
    moment = now()
    if token_status(token.expires_at, token.revoked_at, moment) != "revoked":
        transact([tokens.revoke(token, moment)])
    return token
