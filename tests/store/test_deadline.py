"""A request has one deadline, however many calls it makes and however silent the store is."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from governance import aws, deadline
from governance.errors import ApiError, Code
from governance.settings import settings
from governance.store import dynamodb, table, transactions
from governance.store.client import connections
from governance.store.schema.entities import USER
from infra.stack.template import Template
from tests.harness import fault_injection, logs
from tests.harness.client import APIS, gateway_event, session
from tests.harness.clock import SteppedTime
from tests.harness.observed_table import ObservedTable
from tests.harness.store_calls import InlinePool

KEY = USER.key_for(userId="0" * 24)
FUNCTION_SECONDS = float(Template().document["Globals"]["Function"]["Timeout"])


@dataclass
class Context:
    """The context of an invocation that has the given number of seconds left."""

    seconds: float

    def get_remaining_time_in_millis(self) -> int:
        return int(self.seconds * 1000)


@pytest.fixture(autouse=True)
def _no_deadline() -> Iterator[None]:
    yield
    deadline.begin(None)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SteppedTime:
    clock = SteppedTime()
    monkeypatch.setattr(deadline, "time", clock)
    return clock


@pytest.fixture
def silent(store: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # noqa: ARG001 - a fixture needs another
    """Makes the store accept connections and never answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.MonkeyPatch.context() as patch:
            settings.cache_clear()
            patch.setattr(dynamodb, "client", cache(lambda: ObservedTable(settings().table_endpoint, "eu-west-1")))
            yield
    settings.cache_clear()


def refusal(call: Any) -> Code:
    with pytest.raises(ApiError) as caught:
        call()
    return caught.value.code


@pytest.mark.usefixtures("store")
def test_the_attempts_are_as_long_as_the_clients_make_them() -> None:
    assert connections.CONNECT_SECONDS + connections.READ_SECONDS == deadline.STORE_ATTEMPT_SECONDS
    config: Any = aws.sesv2().meta.config
    assert config.connect_timeout + config.read_timeout == deadline.MAIL_ATTEMPT_SECONDS


@pytest.mark.usefixtures("store")
def test_a_call_begins_only_while_it_can_end_in_time_and_the_next_request_has_its_own(
    clock: SteppedTime, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        deadline.begin(Context(FUNCTION_SECONDS))
        assert table.read_one(KEY) is None
        clock.now += FUNCTION_SECONDS - deadline.STORE_ATTEMPT_SECONDS
        with fault_injection.hooked("before-send.dynamodb.*", lambda **_: pytest.fail("a call")):
            assert refusal(lambda: table.read_one(KEY)) is Code.SERVICE_UNAVAILABLE
            assert refusal(lambda: dynamodb.run_async(lambda: table.read_one(KEY)).result()) is Code.SERVICE_UNAVAILABLE
        assert [line["codes"] for line in logs.lines(capfd.readouterr().out)] == [["DeadlineExceeded"]] * 2


def test_a_call_in_the_background_has_the_deadline_of_its_request() -> None:
    """The pool is the real one, with threads: the fixture `store` would replace it."""
    deadline.begin(Context(1.0))
    assert dynamodb.run_async(lambda: deadline.has_time(2.0)).result() is False


@pytest.mark.usefixtures("store")
def test_a_retry_after_a_conflict_does_not_begin_after_the_deadline(
    clock: SteppedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dynamodb, "back_off", lambda _: setattr(clock, "now", clock.now + 4))
    deadline.begin(Context(FUNCTION_SECONDS))
    cancelled = ("TransactWriteItems", "TransactionCanceledException")
    with fault_injection.refused(*cancelled, reason="TransactionConflict") as refusals:
        assert refusal(lambda: transactions.transact([])) is Code.SERVICE_UNAVAILABLE
    assert len(refusals) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("silent")
def test_a_silent_store_is_a_503_before_the_function_is_stopped(pool: InlinePool) -> None:
    del pool
    headers = {"authorization": f"Bearer {session('olivia@example.com')}"}
    started = time.monotonic()
    answer = APIS["boards"](gateway_event("GET", "/api/v1/boards", "", headers, None), Context(FUNCTION_SECONDS))
    assert answer["statusCode"] == 503
    assert time.monotonic() - started < FUNCTION_SECONDS
