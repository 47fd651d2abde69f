"""Faults at one call of a request, injected through the events of the clients.

The call is selected by its number. Faults named `once` end after the first attempt; persistent faults affect every
retry. moto does not deduplicate transactions by their client token, so this module does it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from governance.mail import sender
from governance.queue import sending
from governance.store.client.connections import Answer
from governance.store.client.errors import NoAnswerError
from tests.harness import observed_table
from tests.harness.crash_injection import ProcessKilled
from tests.harness.observed_table import Sent
from tests.harness.observed_table import events as table_events

TRANSACT, BATCH, QUERY, UPDATE, MAIL = "TransactWriteItems", "BatchGetItem", "Query", "UpdateItem", "SendEmail"


def _response(status: int, **body: Any) -> Answer:
    return Answer(status, {}, json.dumps(body).encode())


def _error(code: str, status: int = 400, **more: Any) -> Answer:
    return _response(status, __type=f"com.amazonaws.dynamodb.v20120810#{code}", message="injected", **more)


def _cancelled(code: str) -> Answer:
    return _error("TransactionCanceledException", CancellationReasons=[{"Code": code}])


@dataclass
class Attempt:
    number: int
    request: Sent
    responses: dict[str, Answer]

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.request.body))

    def lose_response(self) -> None:
        """Performs the call, once for each token, and loses the response."""
        self.take_effect()
        raise NoAnswerError("ReadTimeout")

    def take_effect(self) -> Answer:
        """Returns the engine's response; for a known token, the first response to it."""
        token = self.body.get("ClientRequestToken")
        if token is None:
            return observed_table.client().deliver(self.request)
        if token not in self.responses:
            self.responses[token] = observed_table.client().deliver(self.request)
        return self.responses[token]

    def unprocessed(self) -> Answer:
        return _response(200, Responses={}, UnprocessedKeys=self.body["RequestItems"])

    def empty_page(self) -> Answer:
        marker = {"PK": {"S": "nothing"}, "SK": {"S": "yet"}}
        return _response(200, Items=[], Count=0, ScannedCount=0, LastEvaluatedKey=marker)


def _unreachable(_: Attempt) -> None:
    raise NoAnswerError("ConnectTimeout")


Effect = Callable[[Attempt], Answer | None]


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
    "response lost": Fault(Attempt.lose_response, persistent=True, operations=(TRANSACT, UPDATE)),
    "response lost once": Fault(Attempt.lose_response, persistent=False),
    "conflict": Fault(lambda _: _cancelled("TransactionConflict"), persistent=True, operations=(TRANSACT,)),
    "conflict once": Fault(lambda _: _cancelled("TransactionConflict"), persistent=False, operations=(TRANSACT,)),
    "throttled item once": Fault(lambda _: _cancelled("ThrottlingError"), persistent=False, operations=(TRANSACT,)),
    "in progress once": Fault(lambda _: _error(_IN_PROGRESS), persistent=False, operations=(TRANSACT,)),
    "unprocessed": Fault(Attempt.unprocessed, persistent=True, operations=(BATCH,)),
    "unprocessed once": Fault(Attempt.unprocessed, persistent=False, operations=(BATCH,)),
    "empty page once": Fault(Attempt.empty_page, persistent=False, operations=(QUERY,)),
}
SEEN = ("throttled", "response lost")
"""A call that fails before it takes effect, and one that fails after it: what a caller of the store can tell apart. The
store repeats what may pass, and reports everything that persists as one error, 503 (`store/client`, `store/test_table`,
`store/test_transactions`)."""


def fault_cases(calls: list[str], names: Iterable[str] = SEEN) -> Iterator[tuple[int, str]]:
    """Yields every call with each of the faults that its operation can have."""
    for call, operation in enumerate(calls):
        yield from ((call, name) for name in names if operation in FAULTS[name].operations)


@dataclass
class FaultInjector:
    """Observes every call of a request; makes one of them fail, or crashes the process at it."""

    call: int = -1
    fault: Fault | None = None
    crash: str = ""
    calls: list[str] = field(default_factory=list)
    responses: dict[str, Answer] = field(default_factory=dict)
    attempts: int = 0

    def before_call(self, model: Any, **_: Any) -> None:
        self.calls.append(model.name)
        number = len(self.calls) - 1
        if self.crash and (number > self.call or (number == self.call and self.crash == "before")):
            raise ProcessKilled

    def after_call(self, **_: Any) -> None:
        if self.crash == "after" and len(self.calls) - 1 >= self.call:
            raise ProcessKilled

    def before_send(self, request: Sent, **_: Any) -> Answer | None:
        """Returns a response instead of the engine's."""
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

    def _known(self, request: Sent) -> Answer | None:
        attempt = Attempt(0, request, self.responses)
        return attempt.take_effect() if attempt.body.get("ClientRequestToken") in self.responses else None

    @staticmethod
    def _forget_marker(request: Sent) -> None:
        """Replaces the marker of an injected empty page: the page after it is the engine's first."""
        body = json.loads(request.body)
        if body.get("ExclusiveStartKey", {}).get("PK") == {"S": "nothing"}:
            del body["ExclusiveStartKey"]
            request.body = json.dumps(body).encode()


@contextmanager
def inject(injector: FaultInjector) -> Iterator[FaultInjector]:
    with ExitStack() as stack:
        watched: dict[str, Any] = {"sesv2": sender.client().meta.events, "sqs": sending.client().meta.events}
        for service, events in {"dynamodb": table_events, **watched}.items():
            for name, hook in (("before-call", injector.before_call), ("after-call", injector.after_call)):
                events.register_first(f"{name}.{service}.*", hook)
                stack.callback(events.unregister, f"{name}.{service}.*", hook)
        table_events.register_first("before-send.dynamodb.*", injector.before_send)
        stack.callback(table_events.unregister, "before-send.dynamodb.*", injector.before_send)
        yield injector
