"""Fixtures for race tests: a thread-safe engine (DynamoDB Local, `make dynamodb-local`) and pools of real threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from governance.store import table
from infra.local import engine as local
from tests.harness import engine
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.race import Racers

_UNLIMITED = str(10**9)
_THREADS = 8


@pytest.fixture(scope="session")
def endpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The endpoint of DynamoDB Local in memory, or of the engine that `--engine` names."""
    chosen = str(request.config.getoption("--engine"))
    if chosen != "moto":
        yield chosen
        return
    started = local.dynamodb_local(tmp_path_factory.mktemp("dynamodb-local") / "log")
    yield started.environment["AWS_ENDPOINT_URL"]
    started.stop()


@pytest.fixture
def store(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A fresh table, and a pool of real threads."""
    with ThreadPoolExecutor(32, thread_name_prefix="store-side") as pool:
        monkeypatch.setattr(table, "_pool", pool)
        monkeypatch.setitem(os.environ, "AWS_ENDPOINT_URL", endpoint)
        with engine.fresh_table(RATE_LIMIT_PRINCIPAL=_UNLIMITED, RATE_LIMIT_ADDRESS=_UNLIMITED) as name:
            yield name


@pytest.fixture
def scenario(store: str) -> BoardScenario:  # noqa: ARG001 - requested for its effect
    """A board that olivia owns."""
    return new_board_scenario()


@pytest.fixture
def racers() -> Iterator[Racers]:
    """Threads that start their calls at the same moment."""
    with Racers(_THREADS) as threads:
        yield threads
