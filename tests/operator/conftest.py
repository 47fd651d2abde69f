"""The bucket of these tests."""

from tests.harness.bucket import bucket

__all__ = ["bucket"]
