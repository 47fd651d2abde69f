"""One contestant in a process of its own that sees only its package; it reads questions from standard input.

Usage: worker.py <file of requests>. Questions and answers are JSON lines. A question is
{"request", "count", "store": "live"|"record"|"canned"}; the answer holds the nanoseconds of each request and the last
response. With "record", the store's responses are kept and its capacity is reported. With "canned", the SDK's calls
return what was recorded, so that only the contestant's own code is measured.
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
    """Intercepts the calls of the SDK's clients."""

    def __init__(self) -> None:
        self.mode = "live"
        self.request = ""
        self.recorded: dict[str, Any] = {}
        self.calls: list[dict[str, Any]] = []
        sdk: Any = botocore.client.BaseClient
        self._real = sdk._make_api_call
        sdk._make_api_call = lambda client, name, parameters: self.call(client, name, parameters)  # noqa: PLW0108

    def call(self, client: Any, name: str, parameters: dict[str, Any]) -> Any:
        """Makes a call of the SDK's in the current mode."""
        if self.mode == "live":
            return self._real(client, name, parameters)
        if self.mode == "canned":
            return self.recorded[_call_key(self.request, name, parameters)]
        response = self._real(client, name, {**parameters, "ReturnConsumedCapacity": "TOTAL"})
        units = _units(response) + 2 * str(parameters.get("TransactItems")).count("'ConditionCheck':")
        self.calls.append({"name": name, "units": units, "writes": name not in {"BatchGetItem", "Query"}})
        self.recorded[_call_key(self.request, name, parameters)] = response
        return response


def _call_key(request: str, name: str, parameters: dict[str, Any]) -> str:
    """Returns the key of a recorded response: request and operation, and for queries their values."""
    return f"{request} {name} {_query_values(parameters) if name == 'Query' else ''}"


def _query_values(parameters: dict[str, Any]) -> Any:
    """Returns a query's values, from an expression as text or as objects of the SDK's resource."""
    condition = parameters["KeyConditionExpression"]
    if isinstance(condition, str):
        return parameters["ExpressionAttributeValues"]
    return [part.get_expression()["values"][1] for part in condition.get_expression()["values"]]


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


def load(path: str) -> Handler:
    """Imports the handler in a function's folder."""
    sys.path.insert(0, path)
    spec = importlib.util.spec_from_file_location(f"handler_{len(sys.path)}", Path(path) / "handler.py")
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.lambda_handler


def measure(handler: Handler, event: dict[str, Any], count: int) -> dict[str, Any]:
    """Returns wall and processor time of each of so many requests, for all threads, and the last response."""
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


def resident() -> int:
    """Returns the kilobytes of memory in use."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0])


def main() -> None:
    """Answers until the questions end."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # contestants log to nowhere
    store = Store()
    requests = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    handlers = {folder: load(folder) for folder in dict.fromkeys(request["folder"] for request in requests.values())}
    print(json.dumps({"rss": resident()}), file=answers, flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        request = requests[question["request"]]
        store.mode, store.request, store.calls = question["store"], question["request"], []
        answer = measure(handlers[request["folder"]], request["event"], question["count"])
        print(json.dumps({**answer, "calls": store.calls, "rss": resident()}), file=answers, flush=True)


if __name__ == "__main__":
    main()
