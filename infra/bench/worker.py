"""One contestant in a process of its own that sees only its package; it reads questions from standard input.

Usage: worker.py <folder of the function> <file of events by name>. Questions and answers are JSON lines. A question is
{"request", "count", "units"}; the answer holds the nanoseconds of each request, the last response and, if units are
asked for, the store calls with their capacity.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import botocore.client

Handler = Any


class Store:
    """Records the calls of the SDK's clients, where `recording` is on."""

    def __init__(self) -> None:
        self.recording = False
        self.calls: list[dict[str, Any]] = []
        sdk: Any = botocore.client.BaseClient
        self._real = sdk._make_api_call
        sdk._make_api_call = lambda client, name, parameters: self.call(client, name, parameters)  # noqa: PLW0108

    def call(self, client: Any, name: str, parameters: dict[str, Any]) -> Any:
        """Makes a call of the SDK's."""
        if not self.recording:
            return self._real(client, name, parameters)
        response = self._real(client, name, {**parameters, "ReturnConsumedCapacity": "TOTAL"})
        units = _units(response) + 2 * str(parameters.get("TransactItems")).count("'ConditionCheck':")
        self.calls.append({"name": name, "units": units, "writes": name not in {"BatchGetItem", "Query"}})
        return response


def _units(response: dict[str, Any]) -> float:
    """Returns the capacity units of a call, without condition checks, which the engine does not report."""
    used = response.get("ConsumedCapacity") or []
    return float(sum(part["CapacityUnits"] for part in (used if isinstance(used, list) else [used])))


class Context:
    """The context that the runtime passes to a handler."""

    function_name = "bench"
    memory_limit_in_mb = 1024
    invoked_function_arn = "arn:aws:lambda:local:000000000000:function:bench"
    aws_request_id = "00000000-0000-0000-0000-000000000000"

    def get_remaining_time_in_millis(self) -> int:
        """Returns the milliseconds until the function would be stopped."""
        return 10_000


def measure(handler: Handler, event: dict[str, Any], count: int) -> dict[str, Any]:
    """Returns wall and processor time of each of that many requests, for all threads, and the last response."""
    wall, cpu, statuses = [], [], set()
    for _ in range(count):
        fresh = dict(event)
        started, busy = time.perf_counter_ns(), time.process_time_ns()
        response = handler(fresh, Context())
        cpu.append(time.process_time_ns() - busy)
        wall.append(time.perf_counter_ns() - started)
        statuses.add(response["statusCode"])
    if len(statuses) > 1:
        raise RuntimeError(f"one request, several statuses: {statuses}")
    return {"wall": wall, "cpu": cpu, "status": response["statusCode"], "body": response["body"]}


def main() -> None:
    """Answers until the questions end."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # contestants log to nowhere
    store = Store()
    sys.path.insert(0, sys.argv[1])
    handler = importlib.import_module("handler").lambda_handler
    events = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    for line in sys.stdin:
        question = json.loads(line)
        store.recording, store.calls = question["units"], []
        answer = measure(handler, events[question["request"]], question["count"])
        print(json.dumps({**answer, "calls": store.calls}), file=answers, flush=True)


if __name__ == "__main__":
    main()
