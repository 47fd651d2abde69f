"""Example boards: who their characters are, and what such a board does not do (ADR boards)."""

from __future__ import annotations

from dataclasses import replace

from governance.domain.boards.example_board import (
    CHARACTERS,
    character_id,
    character_ids,
    character_user,
    check_sends_mail,
    new_example_board,
)
from governance.ids import BoardId, is_id
from governance.instants import Instant
from tests.domain.samples import conflict, refusal

NOW = Instant("2040-05-01T12:00:00.000Z")
BOARD, OTHER = BoardId("1" * 24), BoardId("2" * 24)


def test_a_new_example_board_says_that_it_is_one_and_is_in_its_trial() -> None:
    board = new_example_board(NOW)
    assert (board.is_example, board.billing_state) == (True, "TRIAL_ACTIVE")
    assert (board.created_at, board.updated_at) == (NOW, NOW)
    assert "example" in board.name
    assert new_example_board(NOW).id != board.id


def test_each_character_of_each_board_has_an_id_that_is_always_the_same() -> None:
    ids = [character_id(board, character.name) for board in (BOARD, OTHER) for character in CHARACTERS]
    assert all(map(is_id, ids))
    assert len({*ids}) == 2 * len(CHARACTERS)
    assert [*character_ids(BOARD), *character_ids(OTHER)] == ids


def test_a_character_is_a_user_who_cannot_sign_in_with_an_address_that_cannot_exist() -> None:
    chair = CHARACTERS[0]
    user = character_user(BOARD, chair, NOW)
    assert (user.id, user.status) == (character_id(BOARD, chair.name), "inactive")
    assert user.email.endswith(".example")
    assert (user.first_name, user.last_name) == (chair.name.capitalize(), chair.last_name)
    assert (user.created_at, user.updated_at) == (NOW, NOW)
    assert character_user(BOARD, replace(chair, name="other"), NOW).email != user.email


def test_only_an_example_board_sends_no_mail() -> None:
    board = new_example_board(NOW)
    assert refusal(check_sends_mail, board) == conflict("EXAMPLE_BOARD")
    check_sends_mail(board.model_copy(update={"is_example": False}))
