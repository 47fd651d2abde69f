"""Random histories of a board: every credential ever issued may do what its maker's present rights say."""

from __future__ import annotations

import pytest

from tests.harness.store_calls import InlinePool
from tests.model import rights


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize("seed", range(5))
def test_what_a_credential_may_do_follows_from_its_makers_present_rights(pool: InlinePool, seed: int) -> None:
    del pool
    assert rights.run(seed, steps=20) > 0
