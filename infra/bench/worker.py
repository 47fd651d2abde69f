"""One contestant in a process of its own, with nothing but its package: asked over standard input, in JSON lines.

Usage: worker.py <file of routes>. A question is {"route", "count", "store": "live"|"record"|"canned"}; the answer holds
the nanoseconds of each request. With "record", the store's answers are kept and capacity is asked for; with "canned",
the SDK is left out: its calls answer at once with what was recorded, so that what is measured is the contestant's own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import botocore.client

Handler = Any


class Store:
    """Stands between the SDK's clients and their calls."""

    def __init__(self) -> None:
        self.mode = "live"
        self.route = ""
        self.kept: dict[str, Any] = {}
        self.calls: list[dict[str, Any]] = []
        sdk: Any = botocore.client.BaseClient
        self._real = sdk._make_api_call
        sdk._make_api_call = lambda client, name, parameters: self.call(client, name, parameters)  # noqa: PLW0108

    def call(self, client: Any, name: str, parameters: dict[str, Any]) -> Any:
        """A call of the SDK's, as the mode has it."""
        if self.mode == "live":
            return self._real(client, name, parameters)
        if self.mode == "canned":
            return self.kept[_mark(self.route, name, parameters)]
        answer = self._real(client, name, {**parameters, "ReturnConsumedCapacity": "TOTAL"})
        units = _units(answer) + 2 * str(parameters.get("TransactItems")).count("'ConditionCheck':")
        self.calls.append({"name": name, "units": units, "writes": name not in {"BatchGetItem", "Query"}})
        self.kept[_mark(self.route, name, parameters)] = answer
        return answer


def _mark(route: str, name: str, parameters: dict[str, Any]) -> str:
    """Which recorded answer fits: of the same route and operation, and of several queries the same."""
    return f"{route} {name} {_asked(parameters) if name == 'Query' else ''}"


def _asked(parameters: dict[str, Any]) -> Any:
    """What tells one query from another: its values, in an expression of text or one of the resource's objects."""
    condition = parameters["KeyConditionExpression"]
    if isinstance(condition, str):
        return parameters["ExpressionAttributeValues"]
    return [part.get_expression()["values"][1] for part in condition.get_expression()["values"]]


def _units(answer: dict[str, Any]) -> float:
    """The capacity units of a call; the engine leaves out condition checks, for which AWS takes two each."""
    used = answer.get("ConsumedCapacity") or []
    return float(sum(part["CapacityUnits"] for part in (used if isinstance(used, list) else [used])))


class Context:
    """What the runtime hands to a handler."""

    function_name = "bench"
    memory_limit_in_mb = 1024
    invoked_function_arn = "arn:aws:lambda:local:000000000000:function:bench"
    aws_request_id = "00000000-0000-0000-0000-000000000000"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the function would be stopped."""
        return 10_000


def load(path: str) -> Handler:
    """The handler in a function's folder."""
    sys.path.insert(0, path)
    spec = importlib.util.spec_from_file_location(f"handler_{len(sys.path)}", Path(path) / "handler.py")
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.lambda_handler


def measure(handler: Handler, event: dict[str, Any], count: int) -> dict[str, Any]:
    """Wall and processor time of each of so many requests; all threads of the process count."""
    wall, cpu = [], []
    for _ in range(count):
        fresh = dict(event)
        started, busy = time.perf_counter_ns(), time.process_time_ns()
        answer = handler(fresh, Context())
        cpu.append(time.process_time_ns() - busy)
        wall.append(time.perf_counter_ns() - started)
        if answer["statusCode"] not in {200, 201}:
            raise RuntimeError(f"{answer['statusCode']}: {answer['body']}")
    return {"wall": wall, "cpu": cpu, "body": answer["body"]}


def resident() -> int:
    """Kilobytes of memory in use."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0])


def main() -> None:
    """Answer until the questions end."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what contestants log goes nowhere
    store = Store()
    routes = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    handlers = {folder: load(folder) for folder in dict.fromkeys(route["folder"] for route in routes.values())}
    print(json.dumps({"rss": resident()}), file=answers, flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        route = routes[question["route"]]
        store.mode, store.route, store.calls = question["store"], question["route"], []
        answer = measure(handlers[route["folder"]], route["event"], question["count"])
        print(json.dumps({**answer, "calls": store.calls, "rss": resident()}), file=answers, flush=True)


if __name__ == "__main__":
    main()
