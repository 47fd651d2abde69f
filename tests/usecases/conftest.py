"""The outbox of these tests."""

from tests.harness.outbox import outbox

__all__ = ["outbox"]
