"""Logs and metrics: what happened, never with what; no token, address, header, query or body is written (ADR 0008)."""

from __future__ import annotations

import json
import sys
import traceback
from types import TracebackType

from governance.instants import now
from governance.settings import settings

_SERVICE = "board-governance"
_json = json.JSONEncoder(separators=(",", ":")).encode


def frames(trace: TracebackType | None) -> list[str]:
    """Where an exception came from, without its message: messages may quote what a client sent."""
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]


def log_request(method: str, route: str, status: int, request_id: str, principal: str, milliseconds: int) -> None:
    """One line for a request: the route's template, never the path, which may carry a capability.

    It is written as Powertools would write it, without the 40 milliseconds that importing its logger takes.
    """
    if settings().log_level in {"DEBUG", "INFO"}:
        line = {"level": "INFO", "message": "request", "timestamp": now(), "service": _SERVICE}
        about = {"method": method, "route": route, "status": status, "principal": principal}
        sys.stdout.write(_json({**line, **about, "requestId": request_id, "ms": milliseconds}) + "\n")


def log_crash(error: BaseException, route: str, request_id: str) -> None:
    """A defect of ours, by its type and its frames; counted, so that an alarm can wake somebody."""
    from aws_lambda_powertools import Logger
    from aws_lambda_powertools.metrics import MetricUnit, single_metric

    with single_metric(name="Crashes", unit=MetricUnit.Count, value=1, namespace="BoardGovernance") as metric:
        metric.add_dimension(name="route", value=route)
    Logger(service=_SERVICE, log_uncaught_exceptions=False).error(
        "crash",
        extra={
            "route": route,
            "requestId": request_id,
            "error": type(error).__name__,
            "frames": frames(error.__traceback__),
        },
    )
