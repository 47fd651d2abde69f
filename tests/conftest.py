"""Fixtures for all tests: a store engine for the run and a fresh table for each test."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from hypothesis import settings

from governance.store import dynamodb
from governance.store.history import events
from governance.store.reports import kpi_formulas
from infra.local import engine as local
from infra.local import gateway
from infra.pages.app.site import MissingPackagesError
from tests.contract.shared_board import SharedBoard, new_shared_board
from tests.harness import engine, kpi, prepared, privileges
from tests.harness.board_scenario import BoardScenario
from tests.harness.bucket import fresh_bucket
from tests.harness.clock import Clock, install
from tests.harness.outbox import Outbox, collected
from tests.harness.programs import ROOT, absent, add_to_path, packages, program, remedy
from tests.harness.store_calls import InlinePool

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_LONGEST = {"fuzz", "large"}
_PATIENCE_SECONDS = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--at", type=datetime.fromisoformat, help="an instant at which the clock begins, with an offset")
    parser.addoption("--engine", default="moto", help="moto, dynamodb-local, or the URL of a running engine")


def pytest_configure(config: pytest.Config) -> None:
    add_to_path()
    gateway.TIMEOUT_SECONDS = _PATIENCE_SECONDS  # no request is late because the machine is busy
    pytest.MonkeyPatch().setattr(events, "EVENT_COMMIT_SECONDS", _PATIENCE_SECONDS)
    if settings.get_current_profile_name() == "default":
        settings.register_profile("tests", deadline=None)  # no test fails because the machine is busy
        settings.load_profile("tests")
    if (start := config.getoption("--at")) is not None:
        travel = time_machine.travel(start, tick=True)
        travel.start()
        config.add_cleanup(travel.stop)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Names what did not run for lack of a program, and the command that installs it."""
    if lacking := absent(terminalreporter.stats.get("skipped", [])):
        for name, number in lacking.items():
            terminalreporter.write_line(f"{number} tests did not run: they need {name}, which is not installed.")
        terminalreporter.write_line(f"To run them: {remedy(lacking)} && make test")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begins with the folders whose files take longest, so that no worker ends with one of them alone."""
    items.sort(key=lambda item: item.path.parent.name not in _LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, Any, Any]:
    return (yield from skip_without_pages())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    return (yield from skip_without_pages())


def skip_without_pages() -> Generator[None, Any, Any]:
    """Skips a test that serves the pages where the packages that they are made of are absent."""
    try:
        return (yield)
    except MissingPackagesError:
        packages(ROOT / "infra/pages/app")
        raise


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails a run of CI that did not run every test."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and absent(reporter.stats.get("skipped", [])):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def _engine(request: pytest.FixtureRequest) -> Iterator[str]:
    name = str(request.config.getoption("--engine"))
    with engine.running(name):
        yield name


@pytest.fixture(scope="session", autouse=True)
def _privileges() -> Iterator[None]:
    """Checks every handler's AWS calls against the roles in the template."""
    with privileges.enforced_privileges():
        yield


@pytest.fixture
def pool(_engine: str, monkeypatch: pytest.MonkeyPatch) -> InlinePool:
    """Runs the store's concurrent calls one after the other, so that their order is always the same."""
    inline = InlinePool()
    monkeypatch.setattr(dynamodb, "_pool", inline)
    return inline


@pytest.fixture
def store(pool: InlinePool) -> Iterator[str]:  # noqa: ARG001 - requested for its effect
    """A fresh table."""
    with engine.fresh_table() as name:
        yield name


@pytest.fixture
def scenario(store: str) -> BoardScenario:  # noqa: ARG001 - requested for its effect
    """A board that olivia owns."""
    return prepared.board_scenario()


@pytest.fixture
def outbox(store: str) -> Iterator[Outbox]:  # noqa: ARG001 - requested for its effect
    """The e-mails that are sent, collected instead."""
    with collected() as collector:
        yield collector


@pytest.fixture
def bucket(store: str) -> Iterator[S3Client]:  # noqa: ARG001 - requested for its effect
    """An S3 client for a bucket that holds the neutral avatar and nothing else."""
    with fresh_bucket() as client:
        yield client


@pytest.fixture(scope="session", autouse=True)
def _formulas() -> Iterator[None]:
    """Lets this process know the formulas of the catalog, without a bucket."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kpi_formulas, "_current", kpi.KnownFormulas())
        yield


@pytest.fixture
def formulas(bucket: S3Client, monkeypatch: pytest.MonkeyPatch) -> S3Client:
    """An S3 client for a bucket with the formulas of the newest release, for a process that has not read them yet."""
    kpi.publish(bucket, kpi.released_text())
    kpi.forget(monkeypatch)
    return bucket


@pytest.fixture(scope="module")
def shared_board(_engine: str) -> Iterator[SharedBoard]:
    """One board with all actors, for all tests of a module."""
    with new_shared_board() as board:
        yield board


@pytest.fixture(scope="session")
def endpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The endpoint of DynamoDB Local in memory, or of the engine that `--engine` names."""
    chosen = str(request.config.getoption("--engine"))
    if chosen != "moto":
        yield chosen
        return
    program("java")
    packages(ROOT / ".local/npm")
    started = local.dynamodb_local(tmp_path_factory.mktemp("dynamodb-local") / "log")
    yield started.environment["AWS_ENDPOINT_URL"]
    started.stop()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all components, which tests move."""
    return install(monkeypatch)
