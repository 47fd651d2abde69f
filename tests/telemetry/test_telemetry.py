"""Logs and metrics under threads, by level, by sampling rate, and in names that are few and known."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from governance import telemetry
from governance.store.dynamodb import run_async
from governance.telemetry import DIMENSIONS, Metric
from tests.harness import engine, logs
from tests.harness.board_scenario import new_board_scenario

THREADS, ROUNDS = 8, 25


@dataclass
class Context:
    """What Lambda hands to a handler."""

    aws_request_id: str


@pytest.fixture(autouse=True)
def service(_engine: str) -> Iterator[None]:
    """A service that writes requests and metrics."""
    with engine.fresh_table(POWERTOOLS_LOG_LEVEL="INFO", POWERTOOLS_METRICS_DISABLED="false"):
        yield


def at_once(call: Callable[[int], None]) -> None:
    """Runs the call in threads of their own that begin together."""
    barrier = threading.Barrier(THREADS)

    def start(number: int) -> None:
        barrier.wait()
        call(number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(start, range(THREADS)))


def test_lines_of_requests_in_threads_keep_their_own_ids(capfd: pytest.CaptureFixture[str]) -> None:
    def serve(number: int) -> None:
        for turn in range(ROUNDS):
            name = f"{number}-{turn}"
            telemetry.begin_invocation(Context(name), f"req_{name}")
            run_async(lambda name=name: telemetry.logger().info("beside", mark=name)).result()  # type: ignore[misc]
            telemetry.log_request("GET", name, 200, "session", 1)

    at_once(serve)
    lines = logs.lines(capfd.readouterr().out)
    assert len(lines) == 2 * THREADS * ROUNDS
    for line in lines:
        mark = line.get("mark") or line["route"]
        assert (line["function_request_id"], line["correlation_id"]) == (mark, f"req_{mark}")


def test_metrics_of_threads_are_whole_lines_of_one_count_each(capfd: pytest.CaptureFixture[str]) -> None:
    def serve(number: int) -> None:
        for _ in range(ROUNDS):
            telemetry.count(Metric.CRASHES, f"/{number}")
            telemetry.logger().info("between")

    at_once(serve)
    written = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    counted = [line for line in written if "_aws" in line]
    assert len(written) == 2 * len(counted) == 2 * THREADS * ROUNDS
    assert all(line["Crashes"] == [1.0] for line in counted)
    assert sorted(line["route"] for line in counted) == sorted(f"/{n}" for n in range(THREADS) for _ in range(ROUNDS))


@pytest.mark.parametrize("metric", Metric)
def test_a_metric_is_published_in_total_and_by_its_dimension(metric: Metric, capfd: pytest.CaptureFixture[str]) -> None:
    dimension = DIMENSIONS.get(metric)
    telemetry.count(metric, "value" if dimension else None)
    (logged,) = logs.metrics(capfd.readouterr().out)
    (description,) = logged["_aws"]["CloudWatchMetrics"]
    assert description["Namespace"] == "BoardGovernance"
    assert description["Dimensions"] == [["service"], *([["service", dimension]] if dimension else [])]
    assert logged["service"] == "board-governance"


def test_sampled_requests_show_their_store_calls(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    scenario = new_board_scenario()
    scenario.owner.client.get(scenario.path)
    assert {line["level"] for line in logs.lines(capfd.readouterr().out)} == {"INFO"}
    monkeypatch.setenv("POWERTOOLS_LOGGER_SAMPLE_RATE", "1")
    telemetry.logger.cache_clear()
    scenario.owner.client.get(scenario.path)
    call, *_, request = logs.lines(capfd.readouterr().out)
    assert (call["message"], call["operation"], call["retries"]) == ("store call", "batch_get_item", 0)
    assert (request["message"], request["level"]) == ("request", "INFO")
