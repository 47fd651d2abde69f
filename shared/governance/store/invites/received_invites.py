"""The pending invites of an e-mail address: rows under the address, and the invites behind them (ADR invites)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from governance.models.boards.board import StoredBoard
from governance.models.invites.invite import StoredInvite
from governance.store.decoding import decode_or_none
from governance.store.invites.invites import pending
from governance.store.paging import Window, page
from governance.store.schema import ranges
from governance.store.schema.entities import BOARD, pending_invite_key
from governance.store.schema.keys import Item, Key
from governance.store.schema.lookups import received_invite_partition
from governance.store.table import read


@dataclass(frozen=True)
class ReceivedInvite:
    """A pending invite and its board."""

    invite: StoredInvite
    board: StoredBoard


def page_of_address(email: str, window: Window) -> tuple[list[ReceivedInvite], str | None]:
    """Returns a page of an address's pending invites, by creation, and the position of the last (None: no more).

    An invite that was closed meanwhile, or whose board was deleted, is left out.
    """
    rows, last = page(received_invite_partition(email), [ranges.RECEIVED_INVITES], window)
    items = read(key for row in rows for key in (BOARD.key_for(boardId=row["board_id"]), _pending_key(email, row)))
    return [invite for row in rows for invite in _found(email, row, items)], last


def _pending_key(email: str, row: Item) -> Key:
    return pending_invite_key(row["board_id"], email)


def _found(email: str, row: Item, items: Mapping[Key, Item]) -> Iterator[ReceivedInvite]:
    invite = pending(items, row["board_id"], email)
    if invite is None or invite.id != row["invite_id"]:
        return
    if (board := decode_or_none(StoredBoard, items.get(BOARD.key_for(boardId=row["board_id"])))) is not None:
        yield ReceivedInvite(invite, board)
