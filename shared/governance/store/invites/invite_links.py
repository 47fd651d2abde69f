"""The rows that invite links and board codes lead to; a link's row exists while its invite is pending (ADR invites)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from governance.domain.invites.invite_link import digest
from governance.ids import is_uuid4
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.models.boards.board import StoredBoard
from governance.models.invites.invite import StoredInvite
from governance.store.schema.entities import BOARD, INVITE_SENT, USER
from governance.store.schema.keys import Item, Key, make_item
from governance.store.schema.lookups import board_code_key, invite_link_key
from governance.store.table import read, read_one
from governance.store.writes import Delete, Put, Update, Write

_NO_UUID = "none"
_NOBODY = "0" * 24


@dataclass(frozen=True)
class LinkTarget:
    """The pending invite that a link leads to, with its board and its inviter."""

    invite_id: str
    board: StoredBoard
    inviter: StoredUser | None


def link_keys(code: str, token: str) -> tuple[Key, Key]:
    """Returns the keys of the rows for a link's code and its token.

    If the token is not a UUID, they are keys that are never written, so that a malformed link costs the same reads as
    any.
    """
    known_code = code.lower() if is_uuid4(code) else _NO_UUID
    known_token = token if is_uuid4(token) else _NO_UUID
    return board_code_key(known_code), invite_link_key(known_code, digest(known_token))


def is_open(keys: tuple[Key, Key], loaded: Mapping[Key, Item]) -> bool:
    """Returns whether the code is a board's and the token a pending invite's."""
    return all(key in loaded for key in keys)


def read_target(row: Item | None) -> LinkTarget | None:
    """Returns the invite, the board and the inviter behind a link's row; None for a link that is not open.

    Two keys are read in either case, so that the response time does not reveal whether the link is open.
    """
    board_id, inviter_id = (row["boardId"], row["inviterId"]) if row else (_NOBODY, _NOBODY)
    board_key, user_key = BOARD.key_for(boardId=board_id), USER.key_for(userId=inviter_id)
    items = read([board_key, user_key])
    if row is None or board_key not in items:
        return None
    user = items.get(user_key)
    inviter = StoredUser.model_validate(user) if user else None
    return LinkTarget(row["inviteId"], StoredBoard.model_validate(items[board_key]), inviter)


def board_of_code(code: str) -> dict[str, str] | None:
    """Returns the id of the board that an invite code opens, as `boardId`; None for an unknown code."""
    row = read_one(board_code_key(code.lower())) if is_uuid4(code) else None
    return row and {"boardId": row["boardId"]}


def publish(invite: StoredInvite, code: str, link: str) -> list[Write]:
    """Returns the writes that make a link lead to the invite.

    `link` is the digest of the link's token. A link made with an earlier secret stops working.
    """
    row = {"boardId": invite.board_id, "inviteId": invite.id, "inviterId": invite.inviter_id}
    writes: list[Write] = [Put(make_item(invite_link_key(code, link), row))]
    return writes if invite.link is None else [Delete(invite_link_key(code, invite.link)), *writes]


def last_sent(invite_id: str, loaded: Mapping[Key, Item]) -> Instant | None:
    """Returns when an invite's e-mail was last sent, from the loaded items; None if it never was."""
    row = loaded.get(INVITE_SENT.key_for(inviteId=invite_id))
    return row["lastSentAt"] if row else None


def read_last_sent(invite_ids: Iterable[str]) -> dict[str, Instant]:
    """Returns when the e-mails of invites were last sent, with one batch; none for an invite that was never mailed."""
    keys = {INVITE_SENT.key_for(inviteId=invite_id): invite_id for invite_id in invite_ids}
    return {keys[key]: row["lastSentAt"] for key, row in read(keys).items()}


def set_last_sent(invite_id: str, now: Instant) -> Write:
    """Returns the write that notes that an invite's e-mail is sent now."""
    return Update(INVITE_SENT.key_for(inviteId=invite_id), "SET #s = :now", {"#s": "lastSentAt"}, {":now": now})
