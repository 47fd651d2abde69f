"""Batches hold every row once, in order, few enough and small enough together for one transaction."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from governance.limits import BATCH_BYTES
from governance.store.batches import batches

SIZES = st.lists(st.integers(0, BATCH_BYTES * 2) | st.just(BATCH_BYTES // 4))


def test_rows_that_have_exactly_the_bytes_of_a_batch_are_one_batch() -> None:
    half = BATCH_BYTES // 2
    assert [*batches([half] * 5, lambda size: size, 9)] == [[half, half], [half, half], [half]]


def test_a_row_that_is_too_large_is_a_batch_alone() -> None:
    large = BATCH_BYTES + 1
    assert [*batches([large, 1, large], lambda size: size, 9)] == [[large], [1], [large]]


@given(SIZES, st.integers(1, 5))
def test_batches_are_small_and_no_smaller_than_they_must_be(sizes: list[int], most: int) -> None:
    made = [*batches(sizes, lambda size: size, most)]
    assert [size for batch in made for size in batch] == sizes
    assert all(made)
    assert all(len(batch) <= most and (len(batch) == 1 or sum(batch) <= BATCH_BYTES) for batch in made)
    for batch, after in itertools.pairwise(made):
        assert len(batch) == most or sum(batch) + after[0] > BATCH_BYTES
