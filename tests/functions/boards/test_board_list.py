"""The list of a user's boards: its orders, and what it shows right after a change."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from governance.instants import now, shift
from governance.store.boards import board_lists, boards
from governance.store.paging import Window
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from governance.usecases.boards import board_order
from governance.usecases.boards.board_order import move_in_lists
from governance.usecases.members.members import new_membership
from tests.harness.board_scenario import BoardScenario, Person, person
from tests.harness.client import Client
from tests.harness.meeting_scenario import stored_events
from tests.harness.store_calls import InlinePool, count_store_calls

pytestmark = pytest.mark.usefixtures("store")
LIST = "/api/v1/boards"


def new_board(owner: Person, name: str) -> BoardScenario:
    return BoardScenario(owner, owner.client.post(LIST, {"name": name}).data["id"])


def names(client: Client, **query: Any) -> list[str]:
    return [board["name"] for board in client.all(LIST, **query)]


def three_boards(owner: Person, *others: Person) -> list[BoardScenario]:
    made = [new_board(owner, name) for name in ("a", "b", "c")]
    for board in made:
        for other in others:
            board.join(other)
    return made


@pytest.mark.parametrize("sort", ["createdAt", "updatedAt"])
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_have_every_board_once_in_order(sort: str, order: str, limit: int) -> None:
    owner = person("olivia")
    first, second, _ = three_boards(owner)
    for board in (second, first):
        assert owner.client.patch(board.path, {"description": "changed"}).status == 200
    pages = list(owner.client.pages(LIST, sort=sort, order=order, limit=limit))
    assert [len(page) for page in pages] == {1: [1, 1, 1], 2: [2, 1], 3: [3]}[limit]
    listed = [board for page in pages for board in page]
    assert {board["name"] for board in listed} == {"a", "b", "c"}
    assert all((one[sort] < other[sort]) == (order == "asc") for one, other in pairwise(listed))


def test_a_changed_board_comes_first_for_every_member_at_once() -> None:
    owner, ben = person("olivia"), person("ben")
    first, *_ = three_boards(owner, ben)
    owner.client.patch(first.path, {"name": "z"})
    assert names(owner.client) == names(ben.client) == ["z", "c", "b"]
    assert names(ben.client, sort="createdAt") == ["c", "b", "z"]


def test_of_a_large_board_others_see_the_new_name_at_once_and_the_new_place_after_the_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner, ben = person("olivia"), person("ben")
    first, *_ = three_boards(owner, ben)
    monkeypatch.setattr(board_lists, "_MOVED_TOGETHER", 1)
    owner.client.patch(first.path, {"name": "z"})
    assert names(owner.client) == ["z", "c", "b"]
    assert names(ben.client) == ["c", "b", "z"]
    assert names(ben.client, limit=1) == ["c", "b", "z"]
    (event,) = stored_events(first, "board.changed")
    for _ in range(2):
        move_in_lists(event)
        assert names(ben.client) == names(owner.client) == ["z", "c", "b"]


def test_the_rows_of_many_members_move_in_several_transactions(
    pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person("olivia")
    people = [person(name) for name in ("ann", "ben", "cleo", "dan")]
    first, *_ = three_boards(owner, *people)
    monkeypatch.setattr(board_lists, "_MOVED_TOGETHER", 1)
    monkeypatch.setattr(board_order, "TRANSACTION_WRITES", 2)
    owner.client.patch(first.path, {"name": "z"})
    (event,) = stored_events(first, "board.changed")
    with count_store_calls(pool) as calls:
        move_in_lists(event)
    assert calls.sequential.count("TransactWriteItems") == 3, "one for two of the five members"
    assert [names(member.client) for member in people] == [["z", "c", "b"]] * 4


def test_a_board_that_was_read_earlier_never_moves_a_row_back(monkeypatch: pytest.MonkeyPatch) -> None:
    owner, ben = person("olivia"), person("ben")
    first, *_ = three_boards(owner)
    first.join(ben)
    monkeypatch.setattr(board_lists, "_MOVED_TOGETHER", 1)
    owner.client.patch(first.path, {"name": "y"})
    read_earlier, roster = first.stored_board, boards.roster(first.board_id)
    owner.client.patch(first.path, {"name": "z"})
    transact(board_lists.move_outdated(read_earlier, roster))
    assert names(owner.client) == ["z", "c", "b"]
    last = board_lists.list_page(owner.id, "updatedAt", Window(1, descending=True)).rows[0][0]
    assert last.startswith(first.stored_board.updated_at)
    older, _ = stored_events(first, "board.changed")
    move_in_lists(older)
    assert board_lists.move_outdated(first.stored_board, roster) == []


def test_a_user_who_joins_while_the_board_changes_gets_its_place_by_the_event() -> None:
    owner, ben = person("olivia"), person("ben")
    first, second, _ = three_boards(owner)
    second.join(ben)
    before = first.stored_board
    owner.client.patch(first.path, {"name": "z"})
    transact(boards.add_member(before, new_membership(first.board_id, ben.id, now())))
    assert names(ben.client) == ["b", "z"]
    (event,) = stored_events(first, "board.changed")
    move_in_lists(event)
    assert names(ben.client) == ["z", "b"]


def test_a_member_who_left_since_the_roster_was_read_gets_no_row_back() -> None:
    owner, ben = person("olivia"), person("ben")
    first, *_ = three_boards(owner)
    first.join(ben)
    roster, board = boards.roster(first.board_id), first.stored_board
    (member,) = [entry["id"] for entry in owner.client.all(f"{first.path}/members") if entry["userId"] == ben.id]
    assert ben.client.delete(f"{first.path}/members/{member}").status == 200
    assert names(ben.client) == []
    newer = board.model_copy(update={"updated_at": shift(now(), days=1)})
    with pytest.raises(StaleRead):
        transact(board_lists.move(newer, roster, None))
    assert len(board_lists.move_outdated(newer, roster)) == 1
    assert board_lists.board_ids_of(ben.id) == []


def test_a_deleted_board_is_gone_at_once_and_leaves_no_gap_in_the_pages() -> None:
    owner = person("olivia")
    made = [new_board(owner, name) for name in "abcdef"]
    for board in (made[5], made[4], made[2], made[0]):
        assert owner.client.delete(board.path).status == 200
    response = owner.client.get(LIST, limit=2)
    assert [board["name"] for board in response.data] == ["d", "b"]
    assert response.json["meta"] == {"nextCursor": None, "hasMore": False}
    assert [len(page) for page in owner.client.pages(LIST, limit=1)] == [1, 1]
