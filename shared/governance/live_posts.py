"""Sends messages to clients of the live channel, and ends connections, through the gateway that holds these.

No other module calls it. A client may be gone before the gateway has said so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import Any

from governance import aws, deadline, telemetry
from governance.settings import settings
from governance.telemetry import Metric

POST_SECONDS = 3.0
"""The longest post, with the time to connect."""
_AT_ONCE = 32


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="post")


def post(connection_id: str, message: Mapping[str, Any]) -> bool:
    """Sends a message to a connection; returns whether it still exists. A post that fails is lost, logged and
    counted.

    Raises `DeadlineExceededError` if the post could end too late.
    """
    deadline.check(POST_SECONDS)
    text = json.dumps(message, separators=(",", ":"))
    try:
        client().post_to_connection(ConnectionId=connection_id, Data=text.encode())
    except aws.errors() as error:
        return not _is_gone(error, "post_to_connection")
    return True


def post_all(connection_ids: Iterable[str], message: Mapping[str, Any]) -> list[str]:
    """Sends a message to connections, many at a time; returns the ids of those that have ended.

    Raises `DeadlineExceededError`, after the posts that fit into the invocation.
    """
    waiting = [
        (connection_id, _pool().submit(partial(copy_context().run, post, connection_id, message)))
        for connection_id in connection_ids
    ]
    return [connection_id for connection_id, posted in waiting if not posted.result()]


def disconnect(connection_id: str) -> None:
    """Ends a connection; does nothing if it has ended."""
    try:
        client().delete_connection(ConnectionId=connection_id)
    except aws.errors() as error:
        _is_gone(error, "delete_connection")


def client() -> Any:
    """Returns the client of the gateway that holds the connections."""
    return aws.apigatewaymanagementapi(settings().live_endpoint)


def _is_gone(error: Exception, operation: str) -> bool:
    """Returns whether an error says that a connection has ended; logs and counts any other one."""
    code = error.response["Error"]["Code"] if isinstance(error, aws.refusal()) else type(error).__name__
    if code in {"GoneException", "410"}:
        return True
    telemetry.logger().error("post failed", operation=operation, code=code)
    telemetry.count(Metric.DELIVERIES_FAILED, "post")
    return False
