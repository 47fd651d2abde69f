"""What may go wrong at one call of a request, put into the SDK's own way by its hooks.

The target is a call by its number; `once` troubles end by themselves, `lasting` ones go on for as long as the request
tries. A store that recognises a transaction by its token is played here, for the in-process engine does not.
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

from governance.mail import sender
from governance.store import table

TRANSACT, BATCH, QUERY, UPDATE, MAIL = "TransactWriteItems", "BatchGetItem", "Query", "UpdateItem", "SendEmail"
_URL = "https://dynamodb.test"


class ProcessKilled(BaseException):
    """The process is gone: no handler of ours gets to see this."""


class _Raw:
    """A response body as the SDK reads it."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def stream(self) -> Iterator[bytes]:
        yield self._body


def _response(status: int, **body: Any) -> AWSResponse:
    raw: Any = _Raw(json.dumps(body).encode())
    return AWSResponse(_URL, status, HTTPHeaders(), raw)


def _refusal(code: str, status: int = 400, **more: Any) -> AWSResponse:
    return _response(status, __type=f"com.amazonaws.dynamodb.v20120810#{code}", message="injected", **more)


def _body(request: AWSPreparedRequest) -> dict[str, Any]:
    text: Any = request.body
    return dict(json.loads(text or "{}"))


def _cancelled(code: str) -> AWSResponse:
    return _refusal("TransactionCanceledException", CancellationReasons=[{"Code": code}])


def _perform(request: AWSPreparedRequest) -> AWSResponse:
    """What the engine answers: the one in this process, or the one at the endpoint."""
    session = table.client()._endpoint.http_session  # type: ignore[attr-defined]
    response: AWSResponse = botocore_stubber("", request) or session.send(request)
    return response


@dataclass
class Attempt:
    """One try of the SDK's at the call that is in trouble."""

    number: int
    request: AWSPreparedRequest
    done: dict[str, bytes]

    @property
    def body(self) -> dict[str, Any]:
        return _body(self.request)

    def lose_answer(self) -> None:
        """It takes effect, once for each token, and nobody hears of it."""
        self.take_effect()
        raise ReadTimeoutError(endpoint_url=_URL)

    def take_effect(self) -> AWSResponse:
        """The engine's answer; that of the first time where the store knows the token."""
        token = self.body.get("ClientRequestToken")
        if token is None:
            return _perform(self.request)
        if token not in self.done:
            self.done[token] = _perform(self.request).content
        raw: Any = _Raw(self.done[token])
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
    """What happens at the call in trouble, and whether it goes on; `of` names the operations that it can happen to."""

    effect: Effect
    persistent: bool
    of: tuple[str, ...] = (TRANSACT, BATCH, QUERY, UPDATE)
    commits: bool = False


_THROTTLED = "ThrottlingException"
FAULTS = {
    "throttled": Fault(lambda _: _refusal(_THROTTLED), persistent=True),
    "throttled once": Fault(lambda _: _refusal(_THROTTLED), persistent=False),
    "internal error": Fault(lambda _: _refusal("InternalServerError", 500), persistent=True),
    "internal error once": Fault(lambda _: _refusal("InternalServerError", 500), persistent=False),
    "unreachable": Fault(_unreachable, persistent=True),
    "unreachable once": Fault(_unreachable, persistent=False),
    "answer lost": Fault(Attempt.lose_answer, persistent=True, commits=True),
    "answer lost once": Fault(Attempt.lose_answer, persistent=False),
    "conflict": Fault(lambda _: _cancelled("TransactionConflict"), persistent=True, of=(TRANSACT,)),
    "conflict once": Fault(lambda _: _cancelled("TransactionConflict"), persistent=False, of=(TRANSACT,)),
    "throttled item once": Fault(lambda _: _cancelled("ThrottlingError"), persistent=False, of=(TRANSACT,)),
    "in progress once": Fault(lambda _: _refusal("TransactionInProgressException"), persistent=False, of=(TRANSACT,)),
    "unprocessed": Fault(Attempt.unprocessed, persistent=True, of=(BATCH,)),
    "unprocessed once": Fault(Attempt.unprocessed, persistent=False, of=(BATCH,)),
    "empty page once": Fault(Attempt.empty_page, persistent=False, of=(QUERY,)),
}


@dataclass
class FaultInjector:
    """Sees every call of a request; puts one in trouble, or kills the process at it."""

    target: int = -1
    fault: Fault | None = None
    crash: str = ""
    calls: list[str] = field(default_factory=list)
    done: dict[str, bytes] = field(default_factory=dict)
    attempts: int = 0

    def before_call(self, model: Any, **_: Any) -> None:
        self.calls.append(model.name)
        number = len(self.calls) - 1
        if self.crash and (number > self.target or (number == self.target and self.crash == "before")):
            raise ProcessKilled

    def after_call(self, **_: Any) -> None:
        if self.crash == "after" and len(self.calls) - 1 >= self.target:
            raise ProcessKilled

    def before_send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        """The answer in the engine's place; the engine in this process hears of every request, but not of this one."""
        response = self._answer(request)
        if response is not None:
            request.url = "https://nowhere.test/"
        return response

    def _answer(self, request: AWSPreparedRequest) -> AWSResponse | None:
        self._forget_marker(request)
        if self.fault is None or not self._in_trouble():
            return self._known(request)
        self.attempts += 1
        if self.attempts > 1 and not self.fault.persistent:
            return self._known(request)
        return self.fault.effect(Attempt(self.attempts, request, self.done))

    def _in_trouble(self) -> bool:
        """The call itself, and its repeats by us: those of the same operation that follow at once."""
        following = self.calls[self.target :]
        return bool(following) and set(following) == {self.calls[self.target]}

    def _known(self, request: AWSPreparedRequest) -> AWSResponse | None:
        attempt = Attempt(0, request, self.done)
        return attempt.take_effect() if attempt.body.get("ClientRequestToken") in self.done else None

    @staticmethod
    def _forget_marker(request: AWSPreparedRequest) -> None:
        """The page after an empty one is the first of the engine's."""
        body = _body(request)
        if body.get("ExclusiveStartKey", {}).get("PK") == {"S": "nothing"}:
            del body["ExclusiveStartKey"]
            request.body = json.dumps(body).encode()
            request.headers["Content-Length"] = str(len(request.body))


@contextmanager
def inject(injector: FaultInjector) -> Iterator[FaultInjector]:
    """The wire is between us and the store and the mail service."""
    with ExitStack() as stack:
        for service, client in (("dynamodb", table.client()), ("sesv2", sender.client())):
            events: Any = client.meta.events
            for name, hook in (("before-call", injector.before_call), ("after-call", injector.after_call)):
                events.register_first(f"{name}.{service}.*", hook)
                stack.callback(events.unregister, f"{name}.{service}.*", hook)
        events = table.client().meta.events
        events.register_first("before-send.dynamodb.*", injector.before_send)
        stack.callback(events.unregister, "before-send.dynamodb.*", injector.before_send)
        yield injector
