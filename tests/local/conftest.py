"""Fixtures for tests of `make run`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.harness import local_run
from tests.harness.local_run import Run

Starter = Callable[..., Run]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The data folder of a run."""
    return tmp_path / "state"


@pytest.fixture
def seeded(state: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Fills the data folder with the demo data, for tests of something else than seeding."""
    local_run.copy_seeded(tmp_path_factory, state)


@pytest.fixture
def run(state: Path) -> Iterator[Starter]:
    """Starts `make run` with the test's own data folder, and stops what still runs after the test."""
    runs: list[Run] = []

    def start(**environment: str) -> Run:
        runs.append(local_run.start(state, **environment))
        return runs[-1]

    yield start
    for started in runs:
        local_run.stop(started)
        print(started.output)  # what a test that fails is explained by
