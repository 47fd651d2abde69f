"""What the tests of invites share."""

from tests.harness.outbox import outbox

__all__ = ["outbox"]
