"""What is tried again and how, what each answer means, and what is sent."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import Any

import pytest

from governance import deadline
from governance.store.client import signing
from governance.store.client.errors import NoAnswerError, NoCredentialsError, RefusedError
from governance.store.client.signing import Credentials
from governance.store.client.table_client import ACTIONS, Reply, TableClient
from infra.stack.template import ROOT
from tests.store.client.scripted_server import answer, scripted

GOOD = answer({"Items": []})
LOST = b""
THROTTLED = answer({"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException"}, 400)
TRANSACTION = {"TransactItems": [], "ClientRequestToken": "one"}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    deadline.begin(None)


def made(*connections: Sequence[bytes], operation: str = "query") -> tuple[Reply | Exception, list[bytes]]:
    """What comes of a request to a server that does this on its connections, and what arrived."""
    with scripted(*connections) as server:
        client = TableClient(server.url, "eu-west-1")
        try:
            answer: Reply | Exception = client.call(operation, TRANSACTION)
        except (RefusedError, NoAnswerError) as error:
            answer = error.with_traceback(None)
        finally:
            client._connections.close_idle()
    return answer, [request for _, request in server.requests]


def said(status: int, code: str = "", **more: Any) -> bytes:
    return answer({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "words", **more}, status)


@pytest.mark.parametrize("operation", ["query", "batch_get_item", "scan", "transact_write_items", "update_item"])
@pytest.mark.parametrize(
    "failed",
    [
        LOST,
        GOOD[:-1],
        answer({}, x_amz_crc32="1"),
        answer(b"[]"),
        answer(b"{"),
        *(said(status, "InternalServerError") for status in (500, 502, 503, 504)),
        answer(b"<html>", 503),
        THROTTLED,
        *(said(400, code) for code in ("ProvisionedThroughputExceededException", "RequestLimitExceeded")),
        said(400, "TransactionInProgressException"),
    ],
)
@pytest.mark.usefixtures("waits")
def test_what_may_pass_is_tried_again_with_the_same_bytes(operation: str, failed: bytes) -> None:
    ends = failed in (LOST, GOOD[:-1])
    answer, requests = made(*([failed], [GOOD]) if ends else ([failed, GOOD],), operation=operation)
    assert answer == Reply({"Items": []}, 1)
    first, second = (request.partition(b"\r\n\r\n")[2] for request in requests)
    assert first == second
    assert json.loads(first) == TRANSACTION


@pytest.mark.parametrize(
    ("failed", "code", "status"),
    [
        (said(400, "ValidationException"), "ValidationException", 400),
        (said(400, "AccessDeniedException"), "AccessDeniedException", 400),
        (said(400, "ConditionalCheckFailedException"), "ConditionalCheckFailedException", 400),
        (answer({"__type": "com.amazon.coral.service#ExpiredTokenException"}, 400), "ExpiredTokenException", 400),
        (answer({"__type": "UnrecognizedClientException:http://x"}, 400), "UnrecognizedClientException", 400),
        (answer({}, 307, location="http://127.0.0.1:9/"), "307", 307),
        (answer(b"", 301, location="http://127.0.0.1:9/"), "301", 301),
        (answer(b"<html>", 403), "403", 403),
        (said(501, "NotImplemented"), "NotImplemented", 501),
        (answer([], 404), "404", 404),
    ],
)
@pytest.mark.usefixtures("waits")
def test_a_refusal_that_does_not_pass_is_raised_at_once_and_no_redirect_is_followed(
    failed: bytes, code: str, status: int
) -> None:
    answer, requests = made([failed, GOOD], [GOOD])
    assert isinstance(answer, RefusedError)
    assert (answer.code, answer.status, list(answer.reasons), str(answer)) == (code, status, [], code)
    assert len(requests) == 1


def test_a_cancelled_transaction_has_its_reasons() -> None:
    reasons = [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Item": {"n": {"N": "1.50"}}}]
    answer, _ = made([said(400, "TransactionCanceledException", CancellationReasons=reasons)])
    assert isinstance(answer, RefusedError)
    assert (answer.code, answer.reasons) == ("TransactionCanceledException", reasons)


def test_after_three_attempts_the_last_failure_is_raised(waits: list[float]) -> None:
    answer, requests = made([THROTTLED, THROTTLED, THROTTLED, GOOD])
    assert isinstance(answer, RefusedError)
    assert (answer.code, len(requests), waits) == ("ThrottlingException", 3, [0.5, 1.0, 2.0])
    waits.clear()
    answer, requests = made([LOST], [LOST], [GOOD[:-1]], [GOOD])
    assert isinstance(answer, NoAnswerError)
    assert (answer.code, len(requests), waits) == ("ConnectionClosed", 3, [0.025, 0.05, 0.1])


@pytest.mark.usefixtures("waits")
def test_no_attempt_begins_that_could_end_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []

    def check(needed: float) -> None:
        seconds.append(needed)
        if len(seconds) == 2:
            raise deadline.DeadlineExceededError

    monkeypatch.setattr(deadline, "check", check)
    monkeypatch.setattr("random.uniform", lambda _, most: most)
    with pytest.raises(deadline.DeadlineExceededError):
        made([THROTTLED, GOOD])
    assert seconds == [deadline.STORE_ATTEMPT_SECONDS, deadline.STORE_ATTEMPT_SECONDS + 0.5]


def test_without_credentials_nothing_is_sent_and_nothing_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Credentials:
        raise NoCredentialsError

    monkeypatch.setattr("governance.store.client.table_client.credentials", lambda: none)
    answer, requests = made([GOOD])
    assert isinstance(answer, NoCredentialsError)
    assert requests == []


@pytest.mark.usefixtures("waits")
def test_each_attempt_is_signed_with_the_keys_of_its_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [Credentials("new", "s", "fresh"), Credentials("old", "s", None)]
    monkeypatch.setattr(signing, "_credentials_of_sdk", keys.pop)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    _, (first, second) = made([THROTTLED, GOOD])
    assert b"Credential=old/" in first
    assert b"Credential=new/" in second
    assert b"x-amz-security-token:fresh\r\n" in second


def test_a_request_has_these_headers_and_a_fixed_agent() -> None:
    _, (request,) = made([GOOD])
    first, *lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    names = [line.partition(":")[0] for line in lines]
    assert first == "POST / HTTP/1.1"
    assert names == [
        *("content-type", "host", "x-amz-date", "x-amz-target", "authorization"),
        *("user-agent", "accept-encoding", "content-length"),
    ]
    assert {"x-amz-target:DynamoDB_20120810.Query", "user-agent:board-governance"} <= {*lines}


def test_the_client_has_the_operations_that_the_store_calls_and_no_others() -> None:
    called: set[str] = set()
    for path in (ROOT / "shared/governance/store").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"dynamodb.call", "dynamodb.raw_call"}:
                called.add(ast.literal_eval(node.args[0]))
    assert called == {*ACTIONS}
