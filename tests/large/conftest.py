"""Fixtures for tests with large numbers; like the race tests they need a thread-safe engine and real threads."""

from tests.harness.outbox import outbox
from tests.races.conftest import endpoint, scenario, store

__all__ = ["endpoint", "outbox", "scenario", "store"]
