"""What invite links and codes lead to: an open link's invite, and nothing for any other."""

from __future__ import annotations

import pytest

from governance.ids import new_id
from governance.store.invites import invite_links
from governance.store.invites.invite_links import LinkTarget
from governance.store.schema.entities import BOARD
from governance.store.schema.keys import make_item
from governance.store.schema.lookups import board_code_key
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.store import stored_items
from tests.store.stored_items import CODE, USER


@pytest.mark.usefixtures("store")
def test_a_link_leads_to_its_invite_while_its_board_exists() -> None:
    row = {"boardId": stored_items.BOARD, "inviterId": USER, "inviteId": "1" * 24}
    assert invite_links.read_target(None) is None
    assert invite_links.read_target(row) is None
    board = stored_items.board(CODE)
    transact([Put(make_item(BOARD.key_for(boardId=board.id), board.item()))])
    assert invite_links.read_target(row) == LinkTarget("1" * 24, board, None)
    assert invite_links.read_target({**row, "boardId": new_id()}) is None
    assert invite_links.read_target(None) is None


@pytest.mark.usefixtures("store")
def test_a_code_gives_the_id_of_its_board_alone(pool: InlinePool) -> None:
    transact([Put(make_item(board_code_key(CODE), {"boardId": stored_items.BOARD, "name": "B"}))])
    assert invite_links.board_of_code(CODE.upper()) == {"boardId": stored_items.BOARD}
    with count_store_calls(pool) as calls:
        assert invite_links.board_of_code("x" * 5000) is None  # longer than any key
    assert (calls.sequential, calls.concurrent) == ([], [])


def test_all_malformed_links_lead_to_the_same_rows() -> None:
    assert invite_links.link_keys("x" * 5000, "y") == invite_links.link_keys("a", "b" * 5000)
