"""What only shows in large numbers: on an engine that is right, with real threads, as the races are."""

from tests.harness.outbox import outbox
from tests.races.conftest import endpoint, scenario, store

__all__ = ["endpoint", "outbox", "scenario", "store"]
