"""One contestant in a process of its own that sees only its package; it reads questions from standard input.

Usage: worker.py <folder of the function> <file of events by name>. Questions and answers are JSON lines: a question is
{"request", "count"}; the answer holds the nanoseconds of processor time of each request, and the last response. With
"profiled", it holds the number of functions that one request calls instead of the time.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any


class Context:
    """The context that the runtime passes to a handler."""

    function_name, aws_request_id, memory_limit_in_mb = "bench", "00000000-0000-0000-0000-000000000000", 1024
    invoked_function_arn = "arn:aws:lambda:local:000000000000:function:bench"

    def get_remaining_time_in_millis(self) -> int:
        """Returns the milliseconds until the function would be stopped."""
        return 10_000


def measure(handler: Any, event: dict[str, Any], count: int) -> dict[str, Any]:
    """Returns the processor time of each of that many requests, of all threads, and the last response."""
    spent, statuses = [], set()
    for _ in range(count):
        fresh, started = dict(event), time.process_time_ns()
        response = handler(fresh, Context())
        spent.append(time.process_time_ns() - started)
        statuses.add(response["statusCode"])
    if len(statuses) > 1:
        raise RuntimeError(f"one request, several statuses: {statuses}")
    return {"spent": spent, "status": response["statusCode"], "body": response["body"]}


def profile(handler: Any, event: dict[str, Any]) -> dict[str, Any]:
    """Returns how many functions of Python and C one request calls on all threads, and its response."""
    counted: Counter[str] = Counter()
    threading_module: Any = threading
    threading_module.setprofile_all_threads(lambda _frame, kind, _argument: counted.update([kind]))
    try:
        response = handler(dict(event), Context())
    finally:
        threading_module.setprofile_all_threads(None)
    calls = counted["call"] + counted["c_call"]
    return {"calls": calls, "status": response["statusCode"], "body": response["body"]}


def main() -> None:
    """Answers until the questions end."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # contestants log to nowhere
    sys.path.insert(0, sys.argv[1])
    handler = importlib.import_module("handler").lambda_handler
    events = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    for line in sys.stdin:
        question = json.loads(line)
        event = events[question["request"]]
        answer = profile(handler, event) if "profiled" in question else measure(handler, event, question["count"])
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
