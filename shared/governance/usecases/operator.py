"""What an operator does past the API: accounts, billing, tokens; what he does holds from the next request on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from governance.domain.billing import STATES
from governance.domain.tokens import status as token_status
from governance.errors import invalid_body, not_found, unavailable
from governance.instants import now
from governance.models.board import Membership, StoredBoard
from governance.models.event import Event
from governance.models.token import StoredToken
from governance.models.user import StoredUser, UserStatus
from governance.store import boards, tokens, users
from governance.store.table import transact
from governance.store.writes import StaleRead, Write
from governance.usecases.context import Context
from governance.usecases.events import record_event

T = TypeVar("T")
Boards = Sequence[tuple[StoredBoard, Membership]]
_ATTEMPTS = 10
_AT_ONCE = 40
"""Boards whose entries, two for each, go into one transaction."""


def _retried(attempt: Callable[[], T]) -> T:
    """What was read and then changed by somebody else is read again."""
    for _ in range(_ATTEMPTS):
        try:
            return attempt()
        except StaleRead:
            continue
    raise unavailable()


def show_user(user_id: str) -> tuple[StoredUser, Boards]:
    """A user and the boards that he is a member of; 404 where there is no such user."""
    user = users.find(user_id)
    if user is None:
        raise not_found()
    return user, boards.boards_of(user_id, boards.board_ids_of(user_id))


def set_user_status(user_id: str, status: UserStatus) -> StoredUser:
    """The account, opened or closed; 404 where there is no such user, 400 for one that was purged."""
    return _retried(lambda: _set_user_status(user_id, status))


def _set_user_status(user_id: str, status: UserStatus) -> StoredUser:
    old = users.find(user_id)
    if old is None:
        raise not_found()
    if old.purged:
        raise invalid_body({"userId": "was purged, and stays closed"})
    new = old.model_copy(update={"status": status, "version": old.version + 1})
    transact(users.replace(old, new))
    return new


def close_account(user_id: str) -> str | None:
    """Close an account that is to be purged; its address, None where nobody's or somebody else's too."""
    user, _ = show_user(user_id)
    if user.purged:
        return None
    set_user_status(user_id, "inactive")
    return user.email if users.user_ids_by_email(user.email) == [user_id] else None


def purge_user(user_id: str) -> Boards:
    """Remove a user's own personal data for ever, and record it on each of his boards, which are returned.

    His id, his memberships and what he did stay, without a name or an address; his account is closed. A purge that was
    cut off is finished by the next one.
    """
    found = _retried(lambda: _purge(user_id))
    belongings = users.delete_personal_items(user_id)
    for start in range(0, len(belongings), 2 * _AT_ONCE):
        transact(belongings[start : start + 2 * _AT_ONCE])
    return found


def _purge(user_id: str) -> Boards:
    old, found = show_user(user_id)
    if old.purged:
        return found
    moment = now()
    left = StoredUser(
        id=old.id,
        email="",
        status="inactive",
        purged=True,
        created_at=old.created_at,
        updated_at=moment,
        version=old.version + 1,
    )
    for start in range(_AT_ONCE, len(found), _AT_ONCE):
        transact(_purge_acts(old, found[start : start + _AT_ONCE], moment))
    transact([*users.replace_with_remainder(old, left), *_purge_acts(old, found[:_AT_ONCE], moment)])
    return found


def _purge_acts(user: StoredUser, found: Boards, moment: str) -> list[Write]:
    subject = {"id": user.id, "title": None}
    contexts = [Context(now=moment, known_board=board) for board, _ in found]
    return [
        write
        for context in contexts
        for write in record_event(context, Event.USER_PURGED, refs={"userId": user.id}, details=subject)
    ]


def set_billing(board_id: str, state: str) -> tuple[StoredBoard, StoredBoard]:
    """The board before and after its billing state was set; 404 where there is none, 400 for an unknown state."""
    if state not in STATES:
        raise invalid_body({"billingState": f"must be one of {', '.join(STATES)}"})
    return _retried(lambda: _set_billing(board_id, state))


def _set_billing(board_id: str, state: str) -> tuple[StoredBoard, StoredBoard]:
    old = boards.find(board_id)
    if old is None:
        raise not_found()
    moment = now()
    new = old.model_copy(update={"billing_state": state, "updated_at": moment, "version": old.version + 1})
    change = {"from": old.billing_state, "to": state}
    act = record_event(Context(now=moment, known_board=old), Event.BILLING_OVERRIDDEN, details=change)
    transact([boards.replace(old, new), *act])
    return old, new


def revoke_token(token_id: str) -> StoredToken:
    """A token, dead from now on; 404 where there is none of this id."""
    token = tokens.find(token_id)
    if token is None:
        raise not_found()
    moment = now()
    if token_status(token.expires_at, token.revoked_at, moment) != "revoked":
        transact([tokens.revoke(token, moment)])
    return token
