"""Counters: exact under what happens between a recount's reads and its write."""

from __future__ import annotations

import pytest

from governance.errors import ApiError
from governance.store import counters
from governance.store.schema.entities import MEMBER_COUNT
from governance.store.schema.keys import Key
from governance.store.table import read_one
from governance.store.transactions import transact
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
    transact([counters.subtract(key)])
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
        transact([counters.subtract(key)])
        transact([counters.add(key, LIMIT)])
        return 0

    with pytest.raises(StaleRead):
        transact([counters.add(key, LIMIT, recount)])
    assert count(key) == LIMIT


def test_a_number_that_was_never_written_is_zero(key: Key) -> None:
    assert counters.number_in(None) == 0
    set_count(key, 0)
    assert counters.number_in(read_one(key)) == 0
    set_count(key, 2)
    assert counters.number_in(read_one(key)) == 2


@pytest.mark.parametrize("number", [0, 2])
def test_a_number_is_taken_off_only_a_counter_that_is_as_it_was_read(key: Key, number: int) -> None:
    transact([counters.add(key, 10)])
    transact([counters.add(key, 10)])
    as_read = read_one(key)
    transact([counters.subtract_if_unchanged(key, as_read, number)])
    assert count(key) == 2 - number
    transact([counters.add(key, 10)])
    transact([counters.subtract(key)])
    with pytest.raises(StaleRead):
        transact([counters.subtract_if_unchanged(key, as_read, number)])
    assert count(key) == 2 - number


def test_a_counter_that_was_not_there_is_still_not_there(key: Key) -> None:
    transact([counters.subtract_if_unchanged(key, None, 0)])
    assert read_one(key) is None
    transact([counters.add(key, 10)])
    with pytest.raises(StaleRead):
        transact([counters.subtract_if_unchanged(key, None, 0)])


def test_a_counter_is_deleted_only_with_the_number_that_was_read(key: Key) -> None:
    transact([counters.add(key, 10)])
    as_read = read_one(key)
    assert as_read is not None
    transact([counters.add(key, 10)])
    with pytest.raises(StaleRead):
        transact([counters.delete(key, as_read)])
    transact([counters.subtract(key)])
    transact([counters.delete(key, as_read)])
    assert read_one(key) is None


def test_a_true_number_is_stored_only_over_the_counter_that_was_read(key: Key) -> None:
    transact([counters.set_number(key, None, 5)])
    assert count(key) == 5
    with pytest.raises(StaleRead):
        transact([counters.set_number(key, None, 1)])
    as_read = read_one(key)
    transact([counters.add(key, 10)])
    with pytest.raises(StaleRead):
        transact([counters.set_number(key, as_read, 1)])
    assert count(key) == 6
