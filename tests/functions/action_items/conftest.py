"""A scheduled meeting with action items."""

from __future__ import annotations

import pytest

from tests.harness.agenda import Agenda, new_agenda
from tests.harness.world import World


@pytest.fixture
def agenda(world: World) -> Agenda:
    """A scheduled meeting of olivia's."""
    return new_agenda(world)
