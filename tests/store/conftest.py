"""What tests of the store share."""

from __future__ import annotations

import pytest


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The longest that each pause between two attempts may be, in seconds; no pause takes place."""
    longest: list[float] = []

    def uniform(least: float, most: float) -> float:
        longest.append(most)
        return least

    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("random.uniform", uniform)
    return longest
