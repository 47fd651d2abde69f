"""Invites: a pending one is stored under its e-mail address, a closed one under its id (ADR invites).

So an address cannot have two pending invites on a board, and a user who joins by a code finds the invite by address. A
row under the id alone says where an invite is stored. `sent_invites` reads the invites that a user sent,
`received_invites` those that an address received.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from governance.ids import BoardId, UserId
from governance.limits import PENDING_INVITES_PER_BOARD
from governance.models.account.user import StoredUser
from governance.models.invites.invite import InviteStatus, StoredInvite
from governance.store import counters
from governance.store.account.users import user_ids_by_email
from governance.store.decoding import decode_all
from governance.store.dynamodb import run_async
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import (
    BOARD,
    INVITE,
    INVITE_LOCATION,
    INVITE_SENT,
    PENDING_INVITE,
    PENDING_INVITE_COUNT,
    USER,
    pending_invite_key,
    sent_invite_key,
)
from governance.store.schema.keys import SK, Item, Key, key_of, make_item, position
from governance.store.schema.lookups import invite_link_key, received_invite_key
from governance.store.table import query, read, read_one
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Update, Write, equals

_LOCATION = ("boardId", "inviteeEmail", "inviterId")


def pending(loaded: Mapping[Key, Item], board_id: BoardId, email: str) -> StoredInvite | None:
    """Returns the pending invite of an address from the loaded items; None if it has none."""
    item = loaded.get(pending_invite_key(board_id, email))
    return StoredInvite.model_validate(item) if item else None


def find_pending(loaded: Mapping[Key, Item], board_id: BoardId, email: str) -> StoredInvite | None:
    """Returns the pending invite of an address; reads it if it was not loaded.

    An older session may claim an address that is no longer the user's, so its key was the wrong one to load.
    """
    return pending(loaded, board_id, email) or _read_pending(board_id, email)


def pending_and_user_ids(board_id: BoardId, email: str) -> tuple[StoredInvite | None, list[UserId]]:
    """Returns the pending invite of an address and the ids of the users who have it: two reads at the same time."""
    user_ids = run_async(partial(user_ids_by_email, email))
    return _read_pending(board_id, email), user_ids.result()


def _read_pending(board_id: BoardId, email: str) -> StoredInvite | None:
    item = read_one(pending_invite_key(board_id, email))
    return StoredInvite.model_validate(item) if item else None


def locate(invite_id: str) -> dict[str, str] | None:
    """Returns the fields of an invite that never change: id, board, address, inviter; None if it does not exist."""
    key = INVITE_LOCATION.key_or_none(inviteId=invite_id)
    row = read_one(key) if key else None
    return {**{name: row[name] for name in _LOCATION}, "inviteId": invite_id} if row else None


def create(invite: StoredInvite) -> list[Write]:
    """Returns the writes of a new pending invite. They fail with `StaleRead` if the address has one already.

    They fail with 409 `LIMIT_REACHED` if the board has as many pending invites as it may have.
    """
    location = {name: value for name, value in invite.item().items() if name in _LOCATION}
    return [
        Put(_pending_item(invite), ABSENT),
        counters.add(_count_key(invite), PENDING_INVITES_PER_BOARD),
        Put(make_item(INVITE_LOCATION.key_for(inviteId=invite.id), location)),
        add_to_sent_list(invite, invite.inviter_id),
        Put(make_item(_received_key(invite), {"board_id": invite.board_id, "invite_id": invite.id})),
    ]


def change(old: StoredInvite, new: StoredInvite) -> Write:
    """Returns the write that changes a pending invite. It fails with `StaleRead` if it changed since it was read."""
    return Put(_pending_item(new), _as_read(old))


def check_unchanged(invite: StoredInvite) -> Write:
    """Returns a check that the invite is still pending and as it was read."""
    return Check(_pending_key(invite), _as_read(invite))


def check_pending(invite: StoredInvite) -> Write:
    """Returns a check that the invite is still pending, changed or not."""
    return Check(_pending_key(invite), equals(id=invite.id))


@dataclass(frozen=True)
class PendingInvites:
    """All pending invites of a board, newest first, and their counter as it was read before them."""

    board_id: BoardId
    invites: list[StoredInvite]
    counter: Item | None


@dataclass(frozen=True)
class InviteChange:
    """A pending invite before and after a change."""

    old: StoredInvite
    new: StoredInvite


def read_pending(board_id: BoardId, counter: Item | None) -> PendingInvites:
    """Returns all pending invites of a board, given their counter as it was read; reads nothing if that counts none."""
    some = counters.number_in(counter) > 0
    items = query(ranges.PENDING_INVITES.within(BOARD.key_for(boardId=board_id).pk), descending=True) if some else ()
    return PendingInvites(board_id, _invites(items), counter)


def close(old: StoredInvite, new: StoredInvite, code: str | None) -> list[Write]:
    """Returns the writes that close an invite: they free its address, disable its link and move it under its id.

    `code` is the board's invite code, None for a board without one. They fail with `StaleRead` if the invite changed.
    """
    return [counters.subtract(_count_key(old)), *_close(old, new, code)]


def _close(old: StoredInvite, new: StoredInvite, code: str | None) -> list[Write]:
    writes: list[Write] = [
        Delete(_pending_key(old), _as_read(old)),
        Delete(_received_key(old)),
        Put(make_item(_closed_key(new), new.item(), **_entries(new))),
    ]
    return [*writes, Delete(invite_link_key(code, old.link))] if code and old.link else writes


def end(changes: Sequence[InviteChange], code: str | None, pending: PendingInvites | None = None) -> list[Write]:
    """Returns the writes that close or change several invites of a board; `code` is its invite code.

    They fail with `StaleRead` if one of them changed since it was read, or, given `pending`, any was made meanwhile.
    """
    writes: list[Write] = []
    closed = [change for change in changes if change.new.status != "pending"]
    for invite_change in changes:
        writes += (
            _close(invite_change.old, invite_change.new, code)
            if invite_change in closed
            else [change(invite_change.old, invite_change.new)]
        )
    if pending is not None:
        count = PENDING_INVITE_COUNT.key_for(boardId=pending.board_id)
        writes.append(counters.subtract_if_unchanged(count, pending.counter, len(closed)))
    elif closed:
        writes.append(counters.subtract(_count_key(closed[0].old), len(closed)))
    return writes


def add_to_sent_list(invite: StoredInvite, sender_id: UserId) -> Write:
    """Returns the write that puts the invite in a sender's list; it is there once, however often it is sent."""
    row = {
        "invite_id": invite.id,
        "board_id": invite.board_id,
        "invitee_email": invite.invitee_email,
        "inviter_id": invite.inviter_id,
    }
    return Put(make_item(sent_invite_key(sender_id, invite.created_at, invite.id), row))


def keys_outside_board(invite: StoredInvite, code: str | None) -> list[Key]:
    """Returns the keys of an invite's rows outside its board: location, last e-mail, lists, link."""
    return keys_elsewhere(code)({**invite.item(), **_own_key(invite).attributes})


def keys_elsewhere(code: str | None) -> Callable[[Item], list[Key]]:
    """Returns the function that names an invite's rows outside its board; none for an item of another kind.

    `code` is the board's invite code, under which the links of its invites are stored.
    """

    def keys(item: Item) -> list[Key]:
        if not item[SK].startswith((INVITE.sk_prefix, PENDING_INVITE.sk_prefix)):
            return []
        senders = [item["inviterId"], *item.get("alsoInvitedBy", ())]
        rows = [INVITE_LOCATION.key_for(inviteId=item["id"]), INVITE_SENT.key_for(inviteId=item["id"])]
        rows += [sent_invite_key(sender, item["createdAt"], item["id"]) for sender in senders]
        if item[SK].startswith(PENDING_INVITE.sk_prefix):
            rows.append(
                received_invite_key(item[SK].removeprefix(PENDING_INVITE.sk_prefix), item["createdAt"], item["id"])
            )
        return [*rows, invite_link_key(code, item["link"])] if code and item.get("link") else rows

    return keys


def delete(invite: StoredInvite) -> list[Write]:
    """Returns the writes that delete an invite on its board, not its other rows.

    They fail with `StaleRead` if a pending invite changed since it was read.
    """
    if invite.status != "pending":
        return [Delete(_closed_key(invite))]
    return [Delete(_pending_key(invite), _as_read(invite)), counters.subtract(_count_key(invite))]


def delete_message(invite: StoredInvite) -> Write:
    """Returns the write that deletes an invite's message. It fails with `StaleRead` if the invite changed meanwhile."""
    own = _own_key(invite)
    names, values = {"#m": "message", "#v": "version"}, {":none": None, ":one": 1}
    return Update(own, "SET #m = :none ADD #v :one", names, values, _as_read(invite))


def _as_read(invite: StoredInvite) -> Condition:
    return equals(id=invite.id, version=invite.version)


def _pending_item(invite: StoredInvite) -> Item:
    return make_item(_pending_key(invite), invite.item(), **_entries(invite))


def _entries(invite: StoredInvite) -> dict[str, str]:
    """Returns the attributes that put the invite into the lists of its board, of all invites and of its status."""
    at = list_position(invite)
    return ranges.INVITES.entry(at) | ranges.invites_of_status(invite.status).entry(at)


def _own_key(invite: StoredInvite) -> Key:
    return _pending_key(invite) if invite.status == "pending" else _closed_key(invite)


def _pending_key(invite: StoredInvite) -> Key:
    return pending_invite_key(invite.board_id, invite.invitee_email)


def _received_key(invite: StoredInvite) -> Key:
    return received_invite_key(invite.invitee_email, invite.created_at, invite.id)


def _count_key(invite: StoredInvite) -> Key:
    return PENDING_INVITE_COUNT.key_for(boardId=invite.board_id)


def _closed_key(invite: StoredInvite) -> Key:
    return INVITE.key_for(boardId=invite.board_id, inviteId=invite.id)


# -- lists, newest first


def page_of_board(
    board_id: BoardId, window: Window, status: InviteStatus | None = None
) -> tuple[list[StoredInvite], str | None]:
    """Returns a page of a board's invites, all or of one status, by creation, and the last's position (None: end)."""
    listed = ranges.INVITES if status is None else ranges.invites_of_status(status)
    items, last = page(BOARD.key_for(boardId=board_id).pk, [listed], window)
    return _invites(items), last


def pending_page(board_id: BoardId, window: Window) -> tuple[list[StoredInvite], str | None]:
    """Returns a page of a board's pending invites, by creation, and the position of the last (None: no more)."""
    return page_of_board(board_id, window, "pending")


def pending_counts(board_ids: Iterable[BoardId]) -> dict[BoardId, int]:
    """Returns how many pending invites each board has, in one round trip; boards that never had one are left out."""
    keys = {PENDING_INVITE_COUNT.key_for(boardId=board_id): board_id for board_id in board_ids}
    return {keys[key]: counters.number_in(item) for key, item in read(keys).items()}


def list_position(invite: StoredInvite) -> str:
    """Returns the position of an invite in the lists of its board."""
    return position(invite.created_at, invite.id)


def inviters(invites: Iterable[StoredInvite]) -> dict[UserId, StoredUser]:
    """Returns the inviters of invites, by user id, with one batch."""
    return users_in(read(USER.key_for(userId=invite.inviter_id) for invite in invites))


def _invites(items: Iterable[Item]) -> list[StoredInvite]:
    return decode_all(StoredInvite, items)


def users_in(items: Mapping[Key, Item]) -> dict[UserId, StoredUser]:
    """Returns the users among the items, by id."""
    users = (item for item in items.values() if key_of(item).sk == USER.sk)
    return {user.id: user for user in decode_all(StoredUser, users)}
