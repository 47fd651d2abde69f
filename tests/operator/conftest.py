"""Fixtures of the operator's tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.harness.engine import clear_caches
from tests.harness.revocation_record import BUCKET, record_bucket


@pytest.fixture
def revocation_record(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty bucket for the record of rights that ended."""
    monkeypatch.setenv("REVOCATIONS_BUCKET", BUCKET)
    clear_caches()
    with record_bucket(bucket):
        yield
    clear_caches()
