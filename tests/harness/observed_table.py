"""The table's client in tests: it tells hooks of each request, attempt and answer, and reaches moto in this process.

The events have the names of the SDK's, so that a hook can watch the table as it watches a client of the SDK:
`provide-client-params` (the request as it was asked for, which a hook may change), `before-call` and `after-call` (its
attempts together), `before-send` (one attempt, which a hook may answer). A hook that raises ends the call with its
error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from botocore.hooks import HierarchicalEmitter

from governance.settings import settings
from governance.store import dynamodb
from governance.store.client.connections import Answer
from governance.store.client.errors import RefusedError
from governance.store.client.table_client import ACTIONS, Reply, TableClient
from tests.harness.moto_shortcuts import answer_of_moto

_SERVICE = SimpleNamespace(service_name="dynamodb")
_ANSWERED = "https://in-process.test"
events: Any = HierarchicalEmitter()
"""Where hooks are registered."""


@dataclass
class Sent:
    """One attempt."""

    action: str
    body: bytes


class ObservedTable(TableClient):
    """The real client, which emits events; without an endpoint, its attempts reach moto's table."""

    def call(self, operation: str, request: Mapping[str, Any]) -> Reply:
        params = dict(request)
        _emit("provide-client-params", ACTIONS[operation], params=params)
        return super().call(operation, params)

    def perform(self, action: str, body: bytes) -> Reply:
        params = {"body": body}
        _emit("before-call", action, params=params)
        try:
            reply = super().perform(action, params["body"])
        except RefusedError as error:
            _emit("after-call", action, parsed={"Error": {"Code": error.code}})
            raise
        _emit("after-call", action, parsed=reply.result)
        return reply

    def send(self, action: str, body: bytes) -> Answer:
        sent = Sent(action, body)
        answers = (answer for _, answer in _emit("before-send", action, request=sent))
        given = next((answer for answer in answers if answer is not None), None)
        return self.deliver(sent) if given is None else given

    def deliver(self, sent: Sent) -> Answer:
        """Returns the engine's answer to an attempt."""
        if settings().table_endpoint:
            return super().send(sent.action, sent.body)
        status, body = answer_of_moto(sent.action, sent.body)
        return Answer(status, {}, body)


def renew() -> None:
    """Makes the next use of the client another one."""
    if client.cache_info().currsize:
        client()._connections.close_idle()
    client.cache_clear()


def _emit(event: str, action: str, **arguments: Any) -> Any:
    model = SimpleNamespace(name=action, service_model=_SERVICE)
    return events.emit(f"{event}.dynamodb.{action}", model=model, **arguments)


@lru_cache(maxsize=1)
def client() -> ObservedTable:
    """Returns the client that stands in for the service's, one for an endpoint."""
    return ObservedTable(settings().table_endpoint or _ANSWERED, settings().region)


setattr(dynamodb, "client", client)  # noqa: B010 - for all tests of a process, whatever engine they use
