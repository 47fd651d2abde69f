"""Tokens in the store: found by their owner or by their id alone, and when one was last used."""

from __future__ import annotations

from itertools import count

import pytest

from governance.errors import ApiError, Code
from governance.ids import BoardId, UserId, new_id
from governance.instants import now, shift
from governance.models.account.token import StoredToken
from governance.store.account import tokens
from governance.store.paging import Window
from governance.store.schema.entities import BOARD, BOARD_TOKEN, USER, token_use_key
from governance.store.table import read
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.store import stored_items

pytestmark = pytest.mark.usefixtures("store")
USER_ID, BOARD_ID, OTHER_BOARD = UserId("1" * 24), BoardId("2" * 24), BoardId("3" * 24)
NOW = now()
_ages = count()


def minted(board_id: BoardId | None = None) -> StoredToken:
    """Stores a token of the user or of a board, each made a minute before the last one."""
    of_user = {"created_by_user_id": USER_ID, "created_at": shift(NOW, minutes=-next(_ages))}
    token = stored_items.token(board_id).model_copy(update={"id": new_id(), **of_user})
    transact(tokens.create(token))
    return token


@pytest.mark.parametrize("board_id", [None, BOARD_ID])
def test_the_tokens_of_an_owner_are_listed_in_pages_and_no_others(board_id: BoardId | None) -> None:
    made = [minted(board_id) for _ in range(3)]
    minted(OTHER_BOARD)
    minted(BOARD_ID if board_id is None else None)
    owner = USER.key_for(userId=USER_ID) if board_id is None else BOARD.key_for(boardId=board_id)
    after, listed = None, []
    while True:
        page, after = tokens.list_of_owner(owner.pk, Window(1, descending=True, after=after))
        listed += page
        if after is None:
            break
    assert listed == made


def test_a_token_is_found_by_its_id_alone() -> None:
    own, of_board = minted(), minted(BOARD_ID)
    assert (tokens.find(own.id), tokens.find(of_board.id)) == (own, of_board)
    assert [tokens.find(other) for other in ("f" * 24, "nonsense")] == [None, None]


def test_a_token_that_is_gone_is_not_found_and_one_that_was_revoked_meanwhile_is_read_again() -> None:
    token = minted(BOARD_ID)
    transact(tokens.revoke(token, NOW))
    with pytest.raises(StaleRead):
        transact(tokens.revoke(token, NOW))
    with pytest.raises(ApiError) as refusal:
        transact(tokens.revoke(token.model_copy(update={"id": new_id()}), NOW))
    assert refusal.value.code is Code.RESOURCE_NOT_FOUND


def test_all_tokens_of_a_board_are_found_and_none_of_another() -> None:
    made = [minted(BOARD_ID) for _ in range(2)]
    minted(OTHER_BOARD)
    assert sorted(token.id for token in tokens.all_of_board(BOARD_ID)) == sorted(token.id for token in made)


def test_a_use_is_noted_a_minute_after_the_last_one_that_is_and_never_an_earlier_one() -> None:
    for seconds, noted in ((0, 0), (59, 0), (60, 60), (30, 60), (119, 60), (121, 121)):
        tokens.set_last_used("a", shift(NOW, seconds=seconds))
        assert tokens.last_uses(["a", "b"]) == {"a": shift(NOW, seconds=noted)}


def test_the_rows_of_a_board_token_under_its_own_id_are_known_from_it() -> None:
    token = minted(BOARD_ID)
    tokens.set_last_used(token.id, NOW)
    (item,) = read([BOARD_TOKEN.key_for(boardId=BOARD_ID, tokenId=token.id)]).values()
    elsewhere = tokens.keys_elsewhere(item)
    assert read(elsewhere).keys() == set(elsewhere)
    assert token_use_key(token.id) in elsewhere
    assert len(elsewhere) == 2
    assert tokens.keys_elsewhere(BOARD.key_for(boardId=BOARD_ID).attributes) == []
