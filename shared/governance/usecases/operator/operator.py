"""Operators' actions outside the API: accounts, billing, tokens, webhooks. They apply from the next request on."""

from __future__ import annotations

from collections.abc import Sequence

from governance import instants
from governance.domain.access.access import BILLING_STATES
from governance.domain.account.tokens import status as token_status
from governance.domain.events.boards import BILLING_OVERRIDDEN
from governance.domain.events.kind import Transition
from governance.domain.webhooks import webhook as webhook_rules
from governance.errors import invalid_body, not_found
from governance.ids import BoardId, MembershipId, UserId
from governance.models.account.token import StoredToken
from governance.models.account.user import StoredUser, UserStatus
from governance.models.boards.board import Membership, StoredBoard
from governance.models.webhooks.webhook import StoredWebhook, StoredWebhooks
from governance.store.account import tokens, users
from governance.store.boards import board_lists, boards
from governance.store.transactions import transact
from governance.store.webhooks import webhooks
from governance.store.writes import retry_stale_reads
from governance.usecases.account.tokens import token_revocation
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event
from governance.usecases.members.members import move_ownership
from governance.usecases.webhooks.webhooks import disabling

Boards = Sequence[tuple[StoredBoard, Membership]]


def show_user(user_id: UserId) -> tuple[StoredUser, Boards]:
    """Returns a user and the boards that they are a member of; raises 404 if there is no such user."""
    user = users.find(user_id)
    if user is None:
        raise not_found()
    return user, boards.boards_of(user_id, board_lists.board_ids_of(user_id))


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


def check_owns_none(own_boards: Boards) -> None:
    """Raises 400 if a user owns one of these boards, so that no board is left without an owner who can act."""
    owned = [board.id for board, member in own_boards if member.admin_role == "owner"]
    if owned:
        advice = "transfer each with `boardctl board transfer BOARD_ID MEMBER_ID`"
        raise invalid_body({"userId": f"must not own a board, but owns {', '.join(owned)}; {advice}"})


def set_billing(board_id: BoardId, state: str) -> tuple[StoredBoard, StoredBoard]:
    """Sets a board's billing state; returns the board before and after. Raises 404, and 400 for an unknown state."""
    if state not in BILLING_STATES:
        raise invalid_body({"billingState": f"must be one of {', '.join(BILLING_STATES)}"})
    return retry_stale_reads(lambda: _set_billing(board_id, state))


def _set_billing(board_id: BoardId, state: str) -> tuple[StoredBoard, StoredBoard]:
    old = boards.find(board_id)
    if old is None:
        raise not_found()
    now = instants.now()
    new = old.model_copy(update={"billing_state": state, "updated_at": now, "version": old.version + 1})
    change = Transition(before=old.billing_state, after=state)
    event = record_event(Context(now=now, known_board=old), BILLING_OVERRIDDEN, change)
    transact([boards.replace(old, new), *board_lists.move(new, boards.roster(board_id), None), *event])
    return old, new


def transfer_ownership(board_id: BoardId, member_id: MembershipId) -> tuple[StoredBoard, Membership]:
    """Makes another member the owner of a board; returns the board and the new owner.

    The account of the old owner may be closed. Raises 404 if there is no such board, and 400 unless `member_id` is
    another member with an active account.
    """
    return retry_stale_reads(lambda: _transfer_ownership(board_id, member_id))


def _transfer_ownership(board_id: BoardId, member_id: MembershipId) -> tuple[StoredBoard, Membership]:
    board = boards.find(board_id)
    owner = (
        next((member for member in boards.members(board_id) if member.admin_role == "owner"), None) if board else None
    )
    if board is None or owner is None:
        raise not_found()
    context = Context(now=instants.now(), known_board=board)
    new_owner, _, writes = move_ownership(context, owner, member_id)
    transact(context.while_board_exists(writes))
    return board, new_owner


def revoke_token(token_id: str) -> StoredToken:
    """Revokes a token; raises 404 if it does not exist, or was deleted with its board."""
    return retry_stale_reads(lambda: _revoke_token(token_id))


def _revoke_token(token_id: str) -> StoredToken:
    token = tokens.find(token_id)
    if token is None:
        raise not_found()
    now = instants.now()
    if token_status(token.expires_at, token.revoked_at, now) == "revoked":
        return token
    if token.board_id is None:
        transact(tokens.revoke(token, now))
        return token
    board = boards.find(token.board_id)
    if board is None:
        raise not_found()
    context = Context(now=now, known_board=board)
    transact(context.while_board_exists(token_revocation(context, token)))
    return token


def webhooks_of_board(board_id: BoardId) -> StoredWebhooks:
    """Returns the webhooks of a board; raises 404 if there is no such board."""
    if boards.find(board_id) is None:
        raise not_found()
    return webhooks.of_board(board_id)


def disable_webhook(webhook_id: str) -> StoredWebhook:
    """Disables a webhook and notifies the owner of its board; raises 404 if it does not exist."""
    return retry_stale_reads(lambda: _disable(webhook_id))


def _disable(webhook_id: str) -> StoredWebhook:
    board_id = webhooks.board_of(webhook_id)
    board = webhooks.of_board(board_id) if board_id else None
    webhook = webhook_rules.find(board, webhook_id) if board else None
    if board is None or webhook is None:
        raise not_found()
    if webhook.enabled:
        transact(disabling(board, webhook, "operator", instants.now()))
    return webhook
