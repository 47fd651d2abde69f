"""The pending invites of an address: an older row of it never shows another invite."""

from __future__ import annotations

import pytest

from governance.store.invites import invites, received_invites
from governance.store.paging import Window
from governance.store.schema.entities import BOARD, pending_invite_key
from governance.store.schema.keys import make_item
from governance.store.transactions import transact
from governance.store.writes import Delete, Put
from tests.store import stored_items
from tests.store.stored_items import INVITE, MAIL


def listed() -> list[str]:
    """Returns the ids of the invites that the address sees."""
    found, _ = received_invites.page_of_address(MAIL, Window(10, descending=True))
    return [each.invite.id for each in found]


@pytest.mark.usefixtures("store")
def test_a_row_shows_the_invite_that_it_names_and_no_other() -> None:
    board = stored_items.board()
    transact([Put(make_item(BOARD.key_for(boardId=board.id), board.item())), *invites.create(INVITE)])
    assert listed() == [INVITE.id]
    transact([Delete(pending_invite_key(board.id, MAIL))])
    assert listed() == []
    transact(invites.create(INVITE.model_copy(update={"id": "2" * 24})))
    assert listed() == ["2" * 24]
