"""Random sequences of requests to a board: every response and every list agrees with the plain model."""

from __future__ import annotations

import pytest

from tests.harness.store_calls import InlinePool
from tests.model.rounds import compare

pytestmark = pytest.mark.slow
_RUNS = 10


@pytest.mark.usefixtures("_engine")
def test_a_board_behaves_like_the_model(pool: InlinePool) -> None:
    del pool
    assert compare(0, _RUNS) > 0
