"""Invites: a pending one is stored under its e-mail address, a closed one under its id (ADR 0040).

So an address cannot have two pending invites on a board, and a user who joins by a code finds the invite by address. A
row under the id alone says where an invite is stored. `sent_invites` reads the lists of what a user sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from governance.ids import BoardId, UserId
from governance.limits import PENDING_INVITES_PER_BOARD
from governance.models.invite import StoredInvite
from governance.models.user import StoredUser
from governance.store import counters
from governance.store.paging import Window, page
from governance.store.schema import (
    BOARD,
    INVITE,
    INVITE_LOCATION,
    INVITE_SENT,
    PENDING_INVITE_COUNT,
    PENDING_INVITE_PREFIX,
    SK,
    USER,
    Item,
    Key,
    invite_link_key,
    key_of,
    make_item,
    pending_invite_key,
    position,
    ranges,
    sent_invite_key,
)
from governance.store.table import query, read, read_one, run_async
from governance.store.users import user_ids_by_email
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Update, Write, equals

_LOCATION = ("boardId", "inviteeEmail", "inviterId")


def pending(loaded: Mapping[Key, Item], board_id: BoardId, email: str) -> StoredInvite | None:
    """Returns the pending invite of an address from what was read; None if it has none."""
    item = loaded.get(pending_invite_key(board_id, email))
    return StoredInvite.model_validate(item) if item else None


def find_pending(loaded: Mapping[Key, Item], board_id: BoardId, email: str) -> StoredInvite | None:
    """Returns the pending invite of an address; reads it if it is not among what was loaded.

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
    """Returns what never changes of an invite: its id, board, address and inviter; None if there is no such invite."""
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


def close(old: StoredInvite, new: StoredInvite, code: str | None) -> list[Write]:
    """Returns the writes that close an invite: they free its address, disable its link and move it under its id.

    `code` is the board's invite code, None for a board without one. They fail with `StaleRead` if the invite changed.
    """
    writes: list[Write] = [
        Delete(_pending_key(old), _as_read(old)),
        counters.remove(_count_key(old)),
        Put(make_item(_closed_key(new), new.item(), **ranges.INVITES.entry(list_position(new)))),
    ]
    return [*writes, Delete(invite_link_key(code, old.link))] if code and old.link else writes


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
    """Returns the keys of an invite's rows outside its board: location, last e-mail, senders' lists, link."""
    return keys_elsewhere(code)({**invite.item(), **_own_key(invite).attributes})


def keys_elsewhere(code: str | None) -> Callable[[Item], list[Key]]:
    """Returns the function that names an invite's rows outside its board; none for an item of another kind.

    `code` is the board's invite code, under which the links of its invites are stored.
    """

    def keys(item: Item) -> list[Key]:
        if not item[SK].startswith((INVITE.sk_prefix, PENDING_INVITE_PREFIX)):
            return []
        senders = [item["inviterId"], *item.get("alsoInvitedBy", ())]
        rows = [INVITE_LOCATION.key_for(inviteId=item["id"]), INVITE_SENT.key_for(inviteId=item["id"])]
        rows += [sent_invite_key(sender, item["createdAt"], item["id"]) for sender in senders]
        return [*rows, invite_link_key(code, item["link"])] if code and item.get("link") else rows

    return keys


def delete(invite: StoredInvite) -> list[Write]:
    """Returns the writes that delete an invite on its board, not its other rows.

    They fail with `StaleRead` if a pending invite changed since it was read.
    """
    if invite.status != "pending":
        return [Delete(_closed_key(invite))]
    return [Delete(_pending_key(invite), _as_read(invite)), counters.remove(_count_key(invite))]


def delete_message(invite: StoredInvite) -> Write:
    """Returns the write that deletes an invite's message. It fails with `StaleRead` if the invite changed meanwhile."""
    own = _own_key(invite)
    names, values = {"#m": "message", "#v": "version"}, {":none": None, ":one": 1}
    return Update(own, "SET #m = :none ADD #v :one", names, values, _as_read(invite))


def _as_read(invite: StoredInvite) -> Condition:
    return equals(id=invite.id, version=invite.version)


def _pending_item(invite: StoredInvite) -> Item:
    entries = ranges.INVITES.entry(list_position(invite)) | ranges.PENDING_INVITES.entry(list_position(invite))
    return make_item(_pending_key(invite), invite.item(), **entries)


def _own_key(invite: StoredInvite) -> Key:
    return _pending_key(invite) if invite.status == "pending" else _closed_key(invite)


def _pending_key(invite: StoredInvite) -> Key:
    return pending_invite_key(invite.board_id, invite.invitee_email)


def _count_key(invite: StoredInvite) -> Key:
    return PENDING_INVITE_COUNT.key_for(boardId=invite.board_id)


def _closed_key(invite: StoredInvite) -> Key:
    return INVITE.key_for(boardId=invite.board_id, inviteId=invite.id)


# -- lists, newest first


def list_of_board(board_id: BoardId) -> list[StoredInvite]:
    """Returns all invites of a board, newest first."""
    return _invites(query(ranges.INVITES.within(BOARD.key_for(boardId=board_id).pk), descending=True))


def page_of_board(board_id: BoardId, window: Window) -> tuple[list[StoredInvite], str | None]:
    """Returns a page of a board's invites, by creation, and the position of the last (None: no more)."""
    items, last = page(BOARD.key_for(boardId=board_id).pk, [ranges.INVITES], window)
    return _invites(items), last


def pending_page(board_id: BoardId, window: Window) -> tuple[list[StoredInvite], str | None]:
    """Returns a page of a board's pending invites, by creation, and the position of the last (None: no more)."""
    items, last = page(BOARD.key_for(boardId=board_id).pk, [ranges.PENDING_INVITES], window)
    return _invites(items), last


def pending_counts(board_ids: Iterable[BoardId]) -> dict[BoardId, int]:
    """Returns how many pending invites those of the boards have that ever had one, in one round trip."""
    keys = {PENDING_INVITE_COUNT.key_for(boardId=board_id): board_id for board_id in board_ids}
    return {keys[key]: counters.number_in(item) for key, item in read(keys).items()}


def list_position(invite: StoredInvite) -> str:
    """Returns the position of an invite in the lists of its board."""
    return position(invite.created_at, invite.id)


def inviters(invites: Iterable[StoredInvite]) -> dict[UserId, StoredUser]:
    """Returns the inviters of invites, by user id, with one batch."""
    return users_in(read(USER.key_for(userId=invite.inviter_id) for invite in invites))


def _invites(items: Iterable[Item]) -> list[StoredInvite]:
    return [StoredInvite.model_validate(item) for item in items]


def users_in(items: Mapping[Key, Item]) -> dict[UserId, StoredUser]:
    """Returns the users among what was read, by id."""
    users = (item for item in items.values() if key_of(item).sk == USER.sk)
    return {item["id"]: StoredUser.model_validate(item) for item in users}
