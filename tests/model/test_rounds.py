"""Random requests to a board: every answer is as the plain model, or the rules of rights, say."""

from __future__ import annotations

import pytest

from tests.harness.store_calls import InlinePool
from tests.model.rounds import compare, run_history

pytestmark = pytest.mark.usefixtures("_engine")
_RUNS = 10


@pytest.mark.slow
def test_a_board_behaves_like_the_model(pool: InlinePool) -> None:
    del pool
    assert compare(0, _RUNS) > 0


@pytest.mark.parametrize("seed", range(5))
def test_what_a_credential_may_do_follows_from_its_makers_present_rights(pool: InlinePool, seed: int) -> None:
    del pool
    assert run_history(seed, steps=20) > 0
