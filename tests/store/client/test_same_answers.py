"""The table's client and the SDK send the same and understand the same."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from governance.settings import settings
from governance.store import dynamodb
from governance.store.client import connections, table_client
from governance.store.client.errors import RefusedError
from governance.store.client.table_client import Reply, TableClient
from tests.harness import engine
from tests.harness.moto_shortcuts import answer_of_moto
from tests.harness.observed_table import ObservedTable
from tests.harness.store_calls import InlinePool
from tests.harness.table_server import TableServer, serving
from tests.model.rounds import compare

Call = Callable[[], Any]


@pytest.fixture(autouse=True)
def _one_patient_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_client, "_ATTEMPTS", 1)
    monkeypatch.setattr(connections, "READ_SECONDS", 60.0)  # the engine answers late where the machine is busy


def sdk(url: str) -> Any:
    return boto3.client("dynamodb", endpoint_url=url, config=Config(retries={"total_max_attempts": 1}))


def outcome(call: Call) -> tuple[str, int, Any]:
    """What a client makes of an answer: the result, or code, status and reasons of the error."""
    try:
        answer = call()
    except RefusedError as error:
        return error.code, error.status, list(error.reasons)
    except ClientError as error:
        response: Any = error.response
        reasons = response.get("CancellationReasons", [])
        return response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"], reasons
    if isinstance(answer, Reply):
        return "", 200, answer.result
    return "", 200, {name: value for name, value in answer.items() if name != "ResponseMetadata"}


@dataclass
class BothClients:
    """A client that makes each call by both clients; the second one gets the engine's answer to the first."""

    server: TableServer
    calls: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._own, self._sdk = TableClient(self.server.url, "eu-west-1"), sdk(self.server.url)
        self.server.respond = self._answer
        self._first: tuple[int, bytes] | None = None

    def _answer(self, action: str, body: bytes) -> tuple[int, bytes]:
        first, self._first = self._first, None
        if first is None:
            first = self._first = answer_of_moto(action, body)
        return first

    def __call__(self) -> BothClients:
        return self

    def call(self, operation: str, request: Mapping[str, Any]) -> Reply:
        self.server.requests.clear()
        own = outcome(lambda: self._own.call(operation, request))
        assert own == outcome(lambda: getattr(self._sdk, operation)(**request))
        sent = [(action, json.loads(body)) for action, _, body in self.server.requests]
        assert sent[0] == sent[1]
        self.calls[operation] = self.calls.get(operation, 0) + 1
        code, status, content = own
        if code:
            raise RefusedError(code, status, content)
        return Reply(content)

    def close(self) -> None:
        self._own._connections.close_idle()
        self._sdk.close()


@pytest.mark.usefixtures("_engine")
def test_random_requests_are_sent_and_answered_alike(pool: InlinePool, monkeypatch: pytest.MonkeyPatch) -> None:
    del pool
    with serving() as server:
        both = BothClients(server)
        monkeypatch.setattr(dynamodb, "client", both)
        compare(50, runs=3)
        both.close()
    assert {"batch_get_item", "query", "transact_write_items"} <= both.calls.keys()
    assert sum(both.calls.values()) > 100


KEY = {"PK": {"S": "A"}, "SK": {"S": "1"}}
NUMBERS = {"exact": {"N": "1.50"}, "long": {"N": "12345678901234567890.123456789"}, "set": {"NS": ["1.10"]}}


def _put(item: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"Put": {"TableName": "", "Item": item, **more}}


def _transaction(*parts: dict[str, Any], token: str = "one") -> dict[str, Any]:
    return {"TransactItems": list(parts), "ClientRequestToken": token}


_CHECKED = {"ConditionExpression": "attribute_not_exists(PK)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
_BETWEEN = {"KeyConditionExpression": "PK = :a", "ExpressionAttributeValues": {":a": {"S": "A"}}}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("query", {**_BETWEEN, "ConsistentRead": True}),
    ("query", {**_BETWEEN, "Limit": 1, "ReturnConsumedCapacity": "TOTAL"}),
    ("query", {**_BETWEEN, "IndexName": "none"}),
    ("query", {"KeyConditionExpression": "PK > :a", "ExpressionAttributeValues": {":a": {"S": "A"}}}),
    ("query", {"KeyConditionExpression": "nonsense"}),
    ("query", {**_BETWEEN, "TableName": "absent"}),
    ("scan", {"Limit": 2}),
    ("scan", {"FilterExpression": "nonsense ("}),
    ("batch_get_item", {"RequestItems": {"": {"Keys": [KEY, {**KEY, "SK": {"S": "é"}}]}}}),
    ("batch_get_item", {"RequestItems": {"": {"Keys": [KEY, KEY]}}}),
    ("batch_get_item", {"RequestItems": {"": {"Keys": [{"PK": {"S": "A"}}]}}}),
    ("batch_get_item", {"RequestItems": {"absent": {"Keys": [KEY]}}}),
    ("transact_write_items", _transaction(_put({**KEY, "SK": {"S": "new"}}))),
    ("transact_write_items", _transaction(_put({**KEY, **NUMBERS}, **_CHECKED), token="two")),
    ("transact_write_items", _transaction(_put(KEY), _put(KEY), token="three")),
    ("transact_write_items", _transaction(_put({"PK": {"S": "A"}}), token="four")),
    ("transact_write_items", _transaction(_put({**KEY, "n": {"N": "x"}}), token="five")),
    ("transact_write_items", _transaction(_put({**KEY, "s": {"S": "x" * 500_000}}), token="six")),
    ("update_item", {"Key": KEY, "UpdateExpression": "SET nonsense"}),
    ("update_item", {"Key": KEY, "UpdateExpression": "SET a = :v", "ConditionExpression": "attribute_not_exists(PK)"}
     | {"ExpressionAttributeValues": {":v": {"NULL": True}}}),
]  # fmt: skip


def _named(part: Any, table: str) -> Any:
    """Returns a request of this table."""
    if isinstance(part, dict):
        return {(name or table): table if name == "TableName" and not value else _named(value, table)
                for name, value in part.items()}  # fmt: skip
    return [_named(member, table) for member in part] if isinstance(part, list) else part


def check_alike(url: str, table: str) -> None:
    """Asserts that both clients have the same outcome of each case, and that most of them are errors."""
    own, other, codes = TableClient(url, "eu-west-1"), sdk(url), list[str]()
    other.put_item(TableName=table, Item={**KEY, **NUMBERS})
    for operation, case in CASES:
        request = _named(case, table)
        if operation in ("query", "scan", "update_item"):
            request.setdefault("TableName", table)
        ours = outcome(lambda operation=operation, request=request: own.call(operation, request))  # type: ignore[misc]
        theirs = outcome(lambda operation=operation, request=request: getattr(other, operation)(**request))  # type: ignore[misc]
        assert ours == theirs, (operation, request)
        codes.append(ours[0])
    own._connections.close_idle()
    other.close()
    assert codes.count("") >= 4
    assert {"ValidationException", "ResourceNotFoundException", "ConditionalCheckFailedException"} <= {*codes}
    assert codes[13] == "TransactionCanceledException"


def test_errors_and_numbers_of_moto_are_understood_alike(store: str) -> None:
    assert os.environ.get("AWS_ENDPOINT_URL") is None, "moto answers where no endpoint is set"
    with serving() as server:
        check_alike(server.url, store)


@pytest.mark.slow
def test_errors_and_numbers_of_amazons_engine_are_understood_alike(endpoint: str) -> None:
    with engine.fresh_threaded_table(endpoint) as table:
        assert settings().table_endpoint == endpoint
        assert isinstance(dynamodb.client(), ObservedTable)
        check_alike(endpoint, table)
