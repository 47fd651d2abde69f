"""What invite links and board codes lead to; a link's row is there while its invite is pending (ADR 0040)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from governance.domain.invite_link import digest
from governance.ids import is_uuid4
from governance.models.board import StoredBoard
from governance.models.invite import StoredInvite
from governance.models.user import StoredUser
from governance.store.schema import BOARD, INVITE_SENT, USER, Item, Key, board_code, invite_link, make_item
from governance.store.table import read, read_one
from governance.store.writes import Delete, Put, Update, Write

_NO_UUID = "none"
_NOBODY = "0" * 24


@dataclass(frozen=True)
class LinkTarget:
    """What an open link names."""

    board: StoredBoard
    inviter: StoredUser | None


def link_keys(code: str, token: str) -> tuple[Key, Key]:
    """The rows of a link's code and token; for what is no UUID, rows that nobody writes: the work is the same."""
    sound_code = code.lower() if is_uuid4(code) else _NO_UUID
    sound_token = token if is_uuid4(token) else _NO_UUID
    return board_code(sound_code), invite_link(sound_code, digest(sound_token))


def is_open(keys: tuple[Key, Key], loaded: Mapping[Key, Item]) -> bool:
    """Whether the code is a board's and the token a pending invite's."""
    return all(key in loaded for key in keys)


def read_target(row: Item | None) -> LinkTarget | None:
    """The board and the inviter behind a link's row; without one, two keys are read all the same."""
    board_id, inviter_id = (row["boardId"], row["inviterId"]) if row else (_NOBODY, _NOBODY)
    board_key, user_key = BOARD.at(boardId=board_id), USER.at(userId=inviter_id)
    found = read([board_key, user_key])
    if board_key not in found:
        return None
    user = found.get(user_key)
    return LinkTarget(StoredBoard.model_validate(found[board_key]), StoredUser.model_validate(user) if user else None)


def board_of_code(code: str) -> dict[str, str] | None:
    """The board that a code opens; None for a code that is none."""
    row = read_one(board_code(code.lower())) if is_uuid4(code) else None
    return row and {"boardId": row["boardId"]}


def publish(invite: StoredInvite, code: str, link: str) -> list[Write]:
    """The link leads to the invite from now on; an earlier one, of another secret, does no longer."""
    row = {"boardId": invite.board_id, "inviteId": invite.id, "inviterId": invite.inviter_id}
    writes: list[Write] = [Put(make_item(invite_link(code, link), row))]
    return writes if invite.link is None else [Delete(invite_link(code, invite.link)), *writes]


def last_sent(invite_id: str, loaded: Mapping[Key, Item]) -> str | None:
    """When an invite's mail last went out."""
    row = loaded.get(INVITE_SENT.at(inviteId=invite_id))
    return row["lastSentAt"] if row else None


def set_last_sent(invite_id: str, now: str) -> Write:
    """An invite's mail has gone out."""
    return Update(INVITE_SENT.at(inviteId=invite_id), "SET #s = :now", {"#s": "lastSentAt"}, {":now": now})
