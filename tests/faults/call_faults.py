"""Faults at one call of a request, injected through the SDK's event hooks.

The call is selected by its number. Faults named `once` end after the first attempt; persistent faults affect every
retry. moto does not deduplicate transactions by their client token, so this module does it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError
from moto.core.models import botocore_stubber

from governance import delivery_queue
from governance.mail import sender
from governance.store import dynamodb
from tests.harness.crash_injection import ProcessKilled

TRANSACT, BATCH, QUERY, UPDATE, MAIL = "TransactWriteItems", "BatchGetItem", "Query", "UpdateItem", "SendEmail"
_URL = "https://dynamodb.test"


class _Raw:
    """A response body that the SDK can read."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def stream(self) -> Iterator[bytes]:
        yield self._body


def _response(status: int, **body: Any) -> AWSResponse:
    raw: Any = _Raw(json.dumps(body).encode())
    return AWSResponse(_URL, status, HTTPHeaders(), raw)


def _error(code: str, status: int = 400, **more: Any) -> AWSResponse:
    return _response(status, __type=f"com.amazonaws.dynamodb.v20120810#{code}", message="injected", **more)


def _body(request: AWSPreparedRequest) -> dict[str, Any]:
    text: Any = request.body
    return dict(json.loads(text or "{}"))


def _cancelled(code: str) -> AWSResponse:
    return _error("TransactionCanceledException", CancellationReasons=[{"Code": code}])


def _perform(request: AWSPreparedRequest) -> AWSResponse:
    """Returns the engine's response: of moto in this process, or of the engine at the endpoint."""
    session = dynamodb.client()._endpoint.http_session  # type: ignore[attr-defined]
    response: AWSResponse = botocore_stubber("", request) or session.send(request)
    return response


@dataclass
class Attempt:
    """One attempt of the SDK at the faulty call."""

    number: int
    request: AWSPreparedRequest
    responses: dict[str, bytes]

    @property
    def body(self) -> dict[str, Any]:
        return _body(self.request)

    def lose_response(self) -> None:
        """Performs the call, once for each token, and loses the response."""
        self.take_effect()
        raise ReadTimeoutError(endpoint_url=_URL)

    def take_effect(self) -> AWSResponse:
        """Returns the engine's response; for a known token, the first response to it."""
        token = self.body.get("ClientRequestToken")
        if token is None:
            return _perform(self.request)
        if token not in self.responses:
            self.responses[token] = _perform(self.request).content
        raw: Any = _Raw(self.responses[token])
        return AWSResponse(_URL, 200, HTTPHeaders(), raw)

    def unprocessed(self) -> AWSResponse:
        return _response(200, Responses={}, UnprocessedKeys=self.body["RequestItems"])

    def empty_page(self) -> AWSResponse:
        marker = {"PK": {"S": "nothing"}, "SK": {"S": "yet"}}
        return _response(200, Items=[], Count=0, ScannedCount=0, LastEvaluatedKey=marker)


def _unreachable(_: Attempt) -> None:
    raise EndpointConnectionError(endpoint_url=_URL)


Effect = Callable[[Attempt], AWSResponse | None]


@dataclass(frozen=True)
class Fault:
    """What happens at the faulty call, whether retries fail too, and the operations that it can happen to."""

    effect: Effect
    persistent: bool
    operations: tuple[str, ...] = (TRANSACT, BATCH, QUERY, UPDATE)


_THROTTLED = "ThrottlingException"
_IN_PROGRESS = "TransactionInProgressException"
FAULTS = {
    "throttled": Fault(lambda _: _error(_THROTTLED), persistent=True),
    "throttled once": Fault(lambda _: _error(_THROTTLED), persistent=False),
    "internal error": Fault(lambda _: _error("InternalServerError", 500), persistent=True),
    "internal error once": Fault(lambda _: _error("InternalServerError", 500), persistent=False),
    "unreachable": Fault(_unreachable, persistent=True),
    "unreachable once": Fault(_unreachable, persistent=False),
    "response lost": Fault(Attempt.lose_response, persistent=True),
    "response lost once": Fault(Attempt.lose_response, persistent=False),
    "conflict": Fault(lambda _: _cancelled("TransactionConflict"), persistent=True, operations=(TRANSACT,)),
    "conflict once": Fault(lambda _: _cancelled("TransactionConflict"), persistent=False, operations=(TRANSACT,)),
    "throttled item once": Fault(lambda _: _cancelled("ThrottlingError"), persistent=False, operations=(TRANSACT,)),
    "in progress once": Fault(lambda _: _error(_IN_PROGRESS), persistent=False, operations=(TRANSACT,)),
    "unprocessed": Fault(Attempt.unprocessed, persistent=True, operations=(BATCH,)),
    "unprocessed once": Fault(Attempt.unprocessed, persistent=False, operations=(BATCH,)),
    "empty page once": Fault(Attempt.empty_page, persistent=False, operations=(QUERY,)),
}


@dataclass
class FaultInjector:
    """Observes every call of a request; makes one of them fail, or crashes the process at it."""

    call: int = -1
    fault: Fault | None = None
    crash: str = ""
    calls: list[str] = field(default_factory=list)
    responses: dict[str, bytes] = field(default_factory=dict)
    attempts: int = 0

    def before_call(self, model: Any, **_: Any) -> None:
        self.calls.append(model.name)
        number = len(self.calls) - 1
        if self.crash and (number > self.call or (number == self.call and self.crash == "before")):
            raise ProcessKilled

    def after_call(self, **_: Any) -> None:
        if self.crash == "after" and len(self.calls) - 1 >= self.call:
            raise ProcessKilled

    def before_send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        """Returns a response instead of the engine's. moto sees every request, so its URL is changed to hide it."""
        response = self._response_for(request)
        if response is not None:
            request.url = "https://nowhere.test/"
        return response

    def _response_for(self, request: AWSPreparedRequest) -> AWSResponse | None:
        self._forget_marker(request)
        if self.fault is None or not self._is_faulty():
            return self._known(request)
        self.attempts += 1
        if self.attempts > 1 and not self.fault.persistent:
            return self._known(request)
        return self.fault.effect(Attempt(self.attempts, request, self.responses))

    def _is_faulty(self) -> bool:
        """Whether this is the selected call or a retry of it by the service: the same operation, directly after it."""
        following = self.calls[self.call :]
        return bool(following) and set(following) == {self.calls[self.call]}

    def _known(self, request: AWSPreparedRequest) -> AWSResponse | None:
        attempt = Attempt(0, request, self.responses)
        return attempt.take_effect() if attempt.body.get("ClientRequestToken") in self.responses else None

    @staticmethod
    def _forget_marker(request: AWSPreparedRequest) -> None:
        """Replaces the marker of an injected empty page: the page after it is the engine's first."""
        body = _body(request)
        if body.get("ExclusiveStartKey", {}).get("PK") == {"S": "nothing"}:
            del body["ExclusiveStartKey"]
            request.body = json.dumps(body).encode()
            request.headers["Content-Length"] = str(len(request.body))


@contextmanager
def inject(injector: FaultInjector) -> Iterator[FaultInjector]:
    """Registers the injector for the store, the mail service and the queue."""
    with ExitStack() as stack:
        clients = (("dynamodb", dynamodb.client()), ("sesv2", sender.client()), ("sqs", delivery_queue.client()))
        for service, client in clients:
            events: Any = client.meta.events
            for name, hook in (("before-call", injector.before_call), ("after-call", injector.after_call)):
                events.register_first(f"{name}.{service}.*", hook)
                stack.callback(events.unregister, f"{name}.{service}.*", hook)
        events = dynamodb.client().meta.events
        events.register_first("before-send.dynamodb.*", injector.before_send)
        stack.callback(events.unregister, "before-send.dynamodb.*", injector.before_send)
        yield injector
