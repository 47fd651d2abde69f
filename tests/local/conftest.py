"""Fixtures for what runs on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.harness import local_run
from tests.harness.local_run import Run

Starter = Callable[..., Run]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The folder for the data of a run."""
    return tmp_path / "state"


@pytest.fixture
def run(state: Path) -> Iterator[Starter]:
    """Start `make run` on the test's own folder; what is still running in the end is stopped."""
    runs: list[Run] = []

    def start(**environment: str) -> Run:
        runs.append(local_run.start(state, **environment))
        return runs[-1]

    yield start
    for each in runs:
        local_run.stop(each)
