"""A scheduled meeting that guests may be let into."""

from __future__ import annotations

import pytest

from tests.harness.gathering import Gathering, new_gathering
from tests.harness.world import World


@pytest.fixture
def meeting(world: World) -> Gathering:
    """A scheduled meeting of olivia's."""
    return new_gathering(world)
