"""Fixtures for the notification tests: the collected e-mails and the bucket."""

from tests.harness.bucket import bucket
from tests.harness.outbox import outbox

__all__ = ["bucket", "outbox"]
