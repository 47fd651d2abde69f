"""The steps of a purge that need no search of the table (ADR cleanup).

A purge may be killed at any call and repeated: each step continues where it stopped, or changes nothing when repeated.
"""

from __future__ import annotations

from functools import partial

from governance.domain.events.account import USER_PURGED, UserPurged
from governance.domain.quota import (
    MAILS_TO_RECIPIENT,
    NOTIFICATION_MAILS_DAILY,
    NOTIFICATION_MAILS_HOURLY,
    SAME_NOTIFICATION_MAILS,
    counted_address,
)
from governance.errors import ApiError, Code
from governance.ids import BoardId, UserId
from governance.instants import now
from governance.limits import TRANSACTION_WRITES
from governance.models.account.purge import PurgeProgress
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.store import quotas
from governance.store.account import purges, users
from governance.store.action_items import action_items
from governance.store.invites import invites, sent_invites
from governance.store.transactions import delete_all, transact
from governance.store.writes import Write, retry_stale_reads
from governance.usecases.context import Context
from governance.usecases.event_writes import record_event
from governance.usecases.operator.operator import check_owns_none, show_user

_BOARDS_PER_TRANSACTION = (TRANSACTION_WRITES - 1) // 2
"""Boards with two writes each; the progress is one more."""
_ALL_BOARDS = "~"
"""Behind the ids of all boards."""
_ADDRESS_QUOTAS = (
    MAILS_TO_RECIPIENT,
    NOTIFICATION_MAILS_HOURLY,
    NOTIFICATION_MAILS_DAILY,
    SAME_NOTIFICATION_MAILS,
)


def check(user_id: UserId) -> None:
    """Raises 404 if there is no such user, and 400 if the user owns a board; changes nothing."""
    user, own_boards = show_user(user_id)
    if not user.purged:
        check_owns_none(own_boards)


def begin(user_id: UserId) -> PurgeProgress:
    """Closes an account for good and replaces the user by a remainder without name and address.

    After that, no session changes the user. The address becomes a former one, which the next steps search for. Returns
    the progress, that of an unfinished attempt if there is one. Raises 404 if there is no such user, 400 if the user
    owns a board.
    """
    return retry_stale_reads(lambda: _begin(user_id))


def _begin(user_id: UserId) -> PurgeProgress:
    user, own_boards = show_user(user_id)
    if user.purged:
        return purges.find(user_id) or _again(user_id)
    check_owns_none(own_boards)
    user = _close(user)
    progress = PurgeProgress(user_id=user_id)
    transact([*users.replace_with_remainder(user, _remainder(user)), purges.start(progress)])
    return progress


def _again(user_id: UserId) -> PurgeProgress:
    """Starts the purge of a purged user once more: a restore may have brought rows back. Boards record no repeat."""
    progress = PurgeProgress(user_id=user_id, recorded_to=_ALL_BOARDS)
    transact([purges.start(progress)])
    return progress


def _close(user: StoredUser) -> StoredUser:
    """Closes an account, and returns the user. Opens it again and raises 400 if the user has become an owner meanwhile.

    A closed account gets no board: every transaction that makes somebody an owner checks that their account is active.
    So the boards that are read after the closing are final.
    """
    closed = user.model_copy(update={"status": "inactive", "version": user.version + 1})
    transact(users.replace(user, closed))
    try:
        check_owns_none(show_user(user.id)[1])
    except ApiError as error:
        if error.code is Code.SERVICE_UNAVAILABLE:
            raise  # it is not known; the account stays closed until the purge is repeated
        reopened = closed.model_copy(update={"status": user.status, "version": closed.version + 1})
        transact(users.replace(closed, reopened))
        raise
    return closed


def _remainder(user: StoredUser) -> StoredUser:
    return StoredUser(
        id=user.id,
        email="",
        status="inactive",
        purged=True,
        created_at=user.created_at,
        updated_at=now(),
        version=user.version + 1,
    )


def addresses_to_remove(user_id: UserId) -> frozenset[str]:
    """Returns the e-mail addresses that a purged user had, without those that another user has now."""
    return frozenset(address for address in users.former_addresses(user_id) if not users.user_ids_by_email(address))


def forget_quotas(address: str) -> None:
    """Deletes the quotas of e-mails to an address."""
    delete_all(
        key
        for quota in _ADDRESS_QUOTAS
        for subject in {address, counted_address(address)}
        for key in quotas.keys_of_subject(quota, subject)
    )


def forget_own_texts(user_id: UserId) -> None:
    """Deletes a user's messages in invites, and their name in the action items that are assigned to them."""
    for row in sent_invites.list_of_sender(user_id):
        retry_stale_reads(partial(_forget_message, row, user_id))
    for location in action_items.all_assigned_to(user_id):
        retry_stale_reads(partial(_forget_assignee_name, BoardId(location["boardId"]), location["id"], user_id))


def _forget_message(row: sent_invites.SentInvite, user_id: UserId) -> None:
    invite = sent_invites.find_invite(row)
    if invite is not None and invite.inviter_id == user_id and invite.message is not None:
        transact([invites.delete_message(invite)])


def _forget_assignee_name(board_id: BoardId, item_id: str, user_id: UserId) -> None:
    item = action_items.find(board_id, item_id)
    if item is not None and item.assignee_user_id == user_id and item.assignee_name is not None:
        nameless = item.model_copy(update={"assignee_name": None, "version": item.version + 1})
        transact(action_items.replace(item, nameless, now()))


def record(progress: PurgeProgress) -> PurgeProgress:
    """Records the purge once on each board of the user, in its events and its audit log.

    The progress is written with the entries of its boards, so that no repeat records a board again.
    """
    own_boards = sorted((board for board, _ in show_user(progress.user_id)[1]), key=lambda board: board.id)
    missing = [board for board in own_boards if board.id > progress.recorded_to]
    for start in range(0, len(missing), _BOARDS_PER_TRANSACTION):
        chunk = missing[start : start + _BOARDS_PER_TRANSACTION]
        progress, step = purges.advance(progress, recorded_to=chunk[-1].id)
        transact([step, *(write for board in chunk for write in _entries(progress.user_id, board))])
    return progress


def _entries(user_id: UserId, board: StoredBoard) -> list[Write]:
    context = Context(now=now(), known_board=board)
    return record_event(context, USER_PURGED, UserPurged(user_id=user_id, id=user_id, title=None))


def delete_personal_rows(user_id: UserId) -> None:
    """Deletes the rows that belong to the user alone, including former addresses and recorded responses."""
    delete_all(users.personal_keys(user_id))


def finish(user_id: UserId) -> None:
    """Ends the purge. Until then a repeat continues it."""
    transact([purges.finish(user_id)])
