"""Invites: pending ones lie under their address, which guards them; closed ones under their id (ADR 0040).

So a second pending invite of an address cannot be written, and who joins by a code finds his invite by his address. A
row under the id alone says where an invite lies; rows in the senders' own collections say what they sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from governance.models.board import StoredBoard
from governance.models.invite import StoredInvite
from governance.models.user import StoredUser
from governance.store import schema
from governance.store.schema import (
    BOARD,
    INVITE,
    INVITE_LOCATION,
    INVITE_SENT,
    MEMBER,
    USER,
    Item,
    Key,
    invite_link,
    key_of,
    make_item,
    sent_invite,
)
from governance.store.table import Range, query, read, read_one, run_async
from governance.store.writes import ABSENT, Check, Condition, Delete, Put, Write, equals

_PLACE = ("boardId", "inviteeEmail", "inviterId")
_ALL, _PENDING = "INVITES#", "INVITES#PENDING#"


@dataclass(frozen=True)
class SentRow:
    """What a sender's own row knows of an invite."""

    invite_id: str
    board_id: str
    invitee_email: str
    inviter_id: str


@dataclass(frozen=True)
class InvitesWithNames:
    """Invites with the boards and the inviters that they name, as they are today."""

    invites: list[StoredInvite]
    boards: Mapping[str, StoredBoard]
    inviters: Mapping[str, StoredUser]


# -- one invite


def pending_key(board_id: str, email: str) -> Key:
    """Where the pending invite of an address lies."""
    return schema.pending_invite(board_id, email)


def pending(loaded: Mapping[Key, Item], board_id: str, email: str) -> StoredInvite | None:
    """The pending invite of an address, among what was read."""
    item = loaded.get(pending_key(board_id, email))
    return StoredInvite.model_validate(item) if item else None


def find_pending(loaded: Mapping[Key, Item], board_id: str, email: str) -> StoredInvite | None:
    """Returns the pending invite of an address; reads it if it is not among what was loaded.

    An older session may claim an address that is no longer the user's, so its key was the wrong one to load.
    """
    if (found := pending(loaded, board_id, email)) is not None:
        return found
    item = read_one(pending_key(board_id, email))
    return StoredInvite.model_validate(item) if item else None


def pending_and_user_ids(board_id: str, email: str) -> tuple[StoredInvite | None, list[str]]:
    """The pending invite of an address, and the ids of the users who bear it: two reads, side by side."""
    bearers = run_async(partial(query, Range(schema.email_user(email, "").pk, schema.EMAIL_USER_PREFIX)))
    key = pending_key(board_id, email)
    item = read_one(key)
    return (StoredInvite.model_validate(item) if item else None), [row["userId"] for row in bearers.result()]


def locate(invite_id: str) -> dict[str, str] | None:
    """What never changes of an invite: board, address, inviter; None where there is none of this id."""
    key = INVITE_LOCATION.key(inviteId=invite_id)
    row = read_one(key) if key else None
    return {**{name: row[name] for name in _PLACE}, "inviteId": invite_id} if row else None


def create(invite: StoredInvite) -> list[Write]:
    """A new pending invite; fails where the address has one."""
    where = {name: value for name, value in invite.item().items() if name in _PLACE}
    return [
        Put(_pending_item(invite), ABSENT),
        Put(make_item(INVITE_LOCATION.at(inviteId=invite.id), where)),
        add_to_sent_list(invite, invite.inviter_id),
    ]


def change(old: StoredInvite, new: StoredInvite) -> Write:
    """A pending invite as it is now, if it is still as it was read."""
    return Put(_pending_item(new), _as_read(old))


def check_unchanged(invite: StoredInvite) -> Write:
    """The invite is still pending, as it was read."""
    return Check(pending_key(invite.board_id, invite.invitee_email), _as_read(invite))


def check_pending(invite: StoredInvite) -> Write:
    """The invite is still pending, whatever else became of it."""
    return Check(pending_key(invite.board_id, invite.invitee_email), equals(id=invite.id))


def close(old: StoredInvite, new: StoredInvite, code: str | None) -> list[Write]:
    """An invite is pending no longer: its address is free, its link is dead, and it lies under its id."""
    writes: list[Write] = [
        Delete(pending_key(old.board_id, old.invitee_email), _as_read(old)),
        Put(make_item(_closed_key(new), new.item(), L1=_place_in_list(new))),
    ]
    return [*writes, Delete(invite_link(code, old.link))] if code and old.link else writes


def add_to_sent_list(invite: StoredInvite, sender_id: str) -> Write:
    """The invite stands in a sender's list; once, however often he sends it."""
    row = SentRow(invite.id, invite.board_id, invite.invitee_email, invite.inviter_id)
    return Put(make_item(sent_invite(sender_id, invite.created_at, invite.id), vars(row)))


def keys_outside_board(invite: StoredInvite, code: str | None) -> list[Key]:
    """The rows of an invite outside its board: its place, its last mail, its senders' lists, its link."""
    rows = [INVITE_LOCATION.at(inviteId=invite.id), INVITE_SENT.at(inviteId=invite.id)]
    rows += [sent_invite(sender, invite.created_at, invite.id) for sender in invite.senders]
    return [*rows, invite_link(code, invite.link)] if code and invite.link else rows


def delete_all_rows(invite: StoredInvite, code: str | None) -> list[Write]:
    """Every row of an invite, wherever it stands."""
    own = [pending_key(invite.board_id, invite.invitee_email)] if invite.status == "pending" else [_closed_key(invite)]
    return [Delete(key) for key in (*own, *keys_outside_board(invite, code))]


def _as_read(invite: StoredInvite) -> Condition:
    return equals(id=invite.id, version=invite.version)


def _pending_item(invite: StoredInvite) -> Item:
    places = {"L1": _place_in_list(invite), "L2": f"{_PENDING}{invite.created_at}#{invite.id}"}
    return make_item(pending_key(invite.board_id, invite.invitee_email), invite.item(), **places)


def _closed_key(invite: StoredInvite) -> Key:
    return INVITE.at(boardId=invite.board_id, inviteId=invite.id)


def _place_in_list(invite: StoredInvite) -> str:
    return f"{_ALL}{invite.created_at}#{invite.id}"


# -- lists, newest first


def list_of_board(board_id: str) -> list[StoredInvite]:
    """All invites of a board."""
    return _invites(query(Range(BOARD.at(boardId=board_id).pk, _ALL, "L1"), descending=True))


def list_pending(board_id: str) -> list[StoredInvite]:
    """The pending invites of a board."""
    return _invites(query(Range(BOARD.at(boardId=board_id).pk, _PENDING, "L2"), descending=True))


def sent_rows(user_id: str) -> list[SentRow]:
    """What a user sent or sent again."""
    rows = query(Range(USER.at(userId=user_id).pk, schema.SENT_INVITE_PREFIX), descending=True)
    return [SentRow(**{name: row[name] for name in SentRow.__dataclass_fields__}) for row in rows]


def sent_by(user_id: str, rows: Iterable[SentRow]) -> InvitesWithNames:
    """The invites behind a sender's rows, of boards that he is a member of: one batch."""
    rows = list(rows)
    found = read(key for row in rows for key in _keys_of(row, user_id))
    mine = [row for row in rows if MEMBER.at(boardId=row.board_id, userId=user_id) in found]
    invites = [invite for row in mine if (invite := _invite_of(row, found)) is not None]
    return InvitesWithNames(invites, _boards(found), _users(found))


def inviters(invites: Iterable[StoredInvite]) -> dict[str, StoredUser]:
    """The inviters of invites, by id: one batch."""
    return _users(read(USER.at(userId=invite.inviter_id) for invite in invites))


def _keys_of(row: SentRow, user_id: str) -> Iterable[Key]:
    """An invite lies in one of two places; which one, the row need not know."""
    yield pending_key(row.board_id, row.invitee_email)
    yield INVITE.at(boardId=row.board_id, inviteId=row.invite_id)
    yield BOARD.at(boardId=row.board_id)
    yield MEMBER.at(boardId=row.board_id, userId=user_id)
    yield USER.at(userId=row.inviter_id)


def _invite_of(row: SentRow, found: Mapping[Key, Item]) -> StoredInvite | None:
    closed = found.get(INVITE.at(boardId=row.board_id, inviteId=row.invite_id))
    if closed is not None:
        return StoredInvite.model_validate(closed)
    open_ = pending(found, row.board_id, row.invitee_email)
    return open_ if open_ is not None and open_.id == row.invite_id else None


def _invites(items: Iterable[Item]) -> list[StoredInvite]:
    return [StoredInvite.model_validate(item) for item in items]


def _boards(found: Mapping[Key, Item]) -> dict[str, StoredBoard]:
    items = (item for item in found.values() if key_of(item).sk == "BOARD")
    return {item["id"]: StoredBoard.model_validate(item) for item in items}


def _users(found: Mapping[Key, Item]) -> dict[str, StoredUser]:
    items = (item for item in found.values() if key_of(item).sk == "USER")
    return {item["id"]: StoredUser.model_validate(item) for item in items}
