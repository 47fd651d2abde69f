"""The bucket and the outbox of these tests."""

from tests.harness.bucket import bucket
from tests.harness.outbox import outbox

__all__ = ["bucket", "outbox"]
