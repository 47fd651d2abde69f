"""Counters: exact under what happens between a recount's reads and its write."""

from __future__ import annotations

import pytest

from governance.errors import ApiError
from governance.store import counters
from governance.store.schema import MEMBER_COUNT, Key
from governance.store.table import transact
from governance.store.writes import StaleRead
from tests.harness.counts import count, set_count

LIMIT = 3


@pytest.fixture
def key(store: str) -> Key:
    del store
    return MEMBER_COUNT.key_for(boardId="0" * 24)


def test_a_counter_takes_as_many_as_its_limit_and_again_after_a_removal(key: Key) -> None:
    for _ in range(LIMIT):
        transact([counters.add(key, LIMIT)])
    with pytest.raises(ApiError):
        transact([counters.add(key, LIMIT)])
    transact([counters.remove(key)])
    transact([counters.add(key, LIMIT)])
    assert count(key) == LIMIT


def test_a_full_counter_takes_the_true_number_and_the_request_runs_again(key: Key) -> None:
    set_count(key, LIMIT)
    with pytest.raises(StaleRead):
        transact([counters.add(key, LIMIT, lambda: 1)])
    assert count(key) == 1
    set_count(key, LIMIT)
    with pytest.raises(ApiError):
        transact([counters.add(key, LIMIT, lambda: LIMIT)])


def test_a_recount_does_not_overwrite_what_was_added_meanwhile(key: Key) -> None:
    set_count(key, LIMIT)

    def recount() -> int:
        transact([counters.remove(key)])
        transact([counters.add(key, LIMIT)])
        return 0

    with pytest.raises(StaleRead):
        transact([counters.add(key, LIMIT, recount)])
    assert count(key) == LIMIT
