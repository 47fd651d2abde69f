"""Fixtures of the operator's tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.operator import patience
from tests.harness.engine import clear_caches
from tests.harness.revocation_record import BUCKET, record_bucket


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command waits for a table that refuses on purpose."""
    monkeypatch.setattr(patience, "SECONDS", 0.0)


@pytest.fixture
def revocation_record(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty bucket for the record of rights that ended."""
    monkeypatch.setenv("REVOCATIONS_BUCKET", BUCKET)
    clear_caches()
    with record_bucket(bucket):
        yield
    clear_caches()
