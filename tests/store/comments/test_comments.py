"""The comments of a user: a list of them has only those that are still there when it reads them."""

from __future__ import annotations

import pytest

from governance.store.comments import comments
from governance.store.paging import Window
from governance.store.transactions import transact
from tests.harness.fault_injection import meanwhile
from tests.store.stored_items import BOARD, MEETING, USER, comment_on


@pytest.mark.usefixtures("store")
def test_a_users_comments_are_without_one_that_is_deleted_before_it_is_read() -> None:
    comment, window = comment_on("meeting", MEETING), Window(limit=10, descending=False)
    transact(comments.create(comment))
    assert comments.of_author(BOARD, USER, window)[0] == [comment]
    with meanwhile(lambda: transact(comments.delete(comment)), "BatchGetItem"):
        assert comments.of_author(BOARD, USER, window)[0] == []
