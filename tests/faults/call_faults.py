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


class Killed(BaseException):
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
class Trouble:
    """What happens at the call in trouble, and whether it goes on; `of` names the operations that it can happen to."""

    effect: Effect
    lasting: bool
    of: tuple[str, ...] = (TRANSACT, BATCH, QUERY, UPDATE)
    commits: bool = False


_THROTTLED = "ThrottlingException"
TROUBLES = {
    "throttled": Trouble(lambda _: _refusal(_THROTTLED), lasting=True),
    "throttled once": Trouble(lambda _: _refusal(_THROTTLED), lasting=False),
    "internal error": Trouble(lambda _: _refusal("InternalServerError", 500), lasting=True),
    "internal error once": Trouble(lambda _: _refusal("InternalServerError", 500), lasting=False),
    "unreachable": Trouble(_unreachable, lasting=True),
    "unreachable once": Trouble(_unreachable, lasting=False),
    "answer lost": Trouble(Attempt.lose_answer, lasting=True, commits=True),
    "answer lost once": Trouble(Attempt.lose_answer, lasting=False),
    "conflict": Trouble(lambda _: _cancelled("TransactionConflict"), lasting=True, of=(TRANSACT,)),
    "conflict once": Trouble(lambda _: _cancelled("TransactionConflict"), lasting=False, of=(TRANSACT,)),
    "throttled item once": Trouble(lambda _: _cancelled("ThrottlingError"), lasting=False, of=(TRANSACT,)),
    "in progress once": Trouble(lambda _: _refusal("TransactionInProgressException"), lasting=False, of=(TRANSACT,)),
    "unprocessed": Trouble(Attempt.unprocessed, lasting=True, of=(BATCH,)),
    "unprocessed once": Trouble(Attempt.unprocessed, lasting=False, of=(BATCH,)),
    "empty page once": Trouble(Attempt.empty_page, lasting=False, of=(QUERY,)),
}


@dataclass
class Wire:
    """Sees every call of a request; puts one in trouble, or kills the process at it."""

    target: int = -1
    trouble: Trouble | None = None
    kill: str = ""
    calls: list[str] = field(default_factory=list)
    done: dict[str, bytes] = field(default_factory=dict)
    attempts: int = 0

    def before_call(self, model: Any, **_: Any) -> None:
        self.calls.append(model.name)
        number = len(self.calls) - 1
        if self.kill and (number > self.target or (number == self.target and self.kill == "before")):
            raise Killed

    def after_call(self, **_: Any) -> None:
        if self.kill == "after" and len(self.calls) - 1 >= self.target:
            raise Killed

    def before_send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        """The answer in the engine's place; the engine in this process hears of every request, but not of this one."""
        response = self._answer(request)
        if response is not None:
            request.url = "https://nowhere.test/"
        return response

    def _answer(self, request: AWSPreparedRequest) -> AWSResponse | None:
        self._forget_marker(request)
        if self.trouble is None or not self._in_trouble():
            return self._known(request)
        self.attempts += 1
        if self.attempts > 1 and not self.trouble.lasting:
            return self._known(request)
        return self.trouble.effect(Attempt(self.attempts, request, self.done))

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
def wired(wire: Wire) -> Iterator[Wire]:
    """The wire is between us and the store and the mail service."""
    with ExitStack() as stack:
        for service, client in (("dynamodb", table.client()), ("sesv2", sender.client())):
            events: Any = client.meta.events
            for name, hook in (("before-call", wire.before_call), ("after-call", wire.after_call)):
                events.register_first(f"{name}.{service}.*", hook)
                stack.callback(events.unregister, f"{name}.{service}.*", hook)
        events = table.client().meta.events
        events.register_first("before-send.dynamodb.*", wire.before_send)
        stack.callback(events.unregister, "before-send.dynamodb.*", wire.before_send)
        yield wire
