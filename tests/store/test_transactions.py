"""Writes to the store: transactions and how often each is tried, counters, and members that only grow."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from governance.errors import ApiError, Code, forbidden, not_found
from governance.instants import now, shift
from governance.store import partitions, table, transactions
from governance.store.client.errors import RefusedError
from governance.store.failures import StoreDefectError
from governance.store.schema.keys import Key, Range, key_of
from governance.store.writes import ABSENT, EXISTS, Check, Delete, Put, Write, fail_with
from tests.harness import logs
from tests.harness.fault_injection import estimated_size, refused, unreachable, without_credentials
from tests.harness.store_calls import InlinePool, count_store_calls, requests_to
from tests.store.named_items import BOARD, key, names, put

pytestmark = pytest.mark.usefixtures("store")
CANCELLED = "TransactionCanceledException"
CONFLICT: dict[str, Any] = {"code": CANCELLED, "reason": "TransactionConflict"}


def test_a_transaction_makes_all_writes_or_none_and_raises_the_error_of_the_first_failed_condition() -> None:
    transactions.transact(put("A", "C"))
    failing: list[Write] = [
        Put(key("B").attributes),
        Check(key("A"), EXISTS, fail_with(not_found)),
        Put(key("C").attributes, ABSENT, lambda old: forbidden() if old == key("C").attributes else not_found()),
        Check(key("absent"), EXISTS, fail_with(not_found)),
    ]
    with pytest.raises(ApiError) as refusal:
        transactions.transact(failing)
    assert refusal.value.code is forbidden().code
    assert list(table.read([key("A"), key("B")])) == [key("A")]
    with pytest.raises(ApiError) as refusal:
        transactions.transact([Check(key("absent"), EXISTS, lambda old: not_found() if old is None else forbidden())])
    assert refusal.value.code is not_found().code


def test_a_transaction_is_over_when_the_first_of_its_writes_must_have_been_committed() -> None:
    limits = [shift(now(), minutes=minutes) for minutes in (5, -1, 10)]
    late = [Put(key(name).attributes, commit_by=limit) for name, limit in zip("ABC", limits, strict=True)]
    with pytest.raises(ApiError) as refusal:
        transactions.transact(late)
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
    transactions.transact(late[::2])
    assert list(table.read([key("A"), key("B"), key("C")])) == [key("A"), key("C")]


@pytest.mark.parametrize(
    "refusal", [CONFLICT, {"code": CANCELLED, "reason": "ThrottlingError"}, {"code": "TransactionInProgressException"}]
)
def test_a_transaction_that_meets_another_is_tried_ten_times_and_then_logged(
    waits: list[float], refusal: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with refused("TransactWriteItems", times=9, **refusal):
        transactions.transact(put("A"))
    assert table.read_one(key("A")) is not None
    assert waits == [0.025, 0.05, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]
    with refused("TransactWriteItems", **refusal) as refusals, pytest.raises(ApiError) as error:
        transactions.transact(put("B"))
    assert (error.value.code, len(refusals)) == (Code.SERVICE_UNAVAILABLE, 10)
    assert table.read_one(key("B")) is None
    (line,) = [line for line in logs.lines(capsys.readouterr().out) if line["message"] == "store failure"]
    assert (line["operation"], line["codes"]) == ("transact_write_items", [refusal.get("reason", refusal["code"])])


@pytest.mark.usefixtures("waits")
def test_a_transaction_of_more_items_has_two_attempts_for_each() -> None:
    writes = put(*(f"I{number}" for number in range(12)))
    with refused("TransactWriteItems", times=23, **CONFLICT):
        transactions.transact(writes)
    with refused("TransactWriteItems", **CONFLICT) as refusals, pytest.raises(ApiError):
        transactions.transact(writes)
    assert len(refusals) == 24


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        ({"code": "ThrottlingException"}, Code.SERVICE_UNAVAILABLE),
        ({"code": CANCELLED, "reason": "ItemCollectionSizeLimitExceeded"}, Code.CONFLICT),
        ({"code": CANCELLED, "reason": "ValidationError"}, None),
        ({"code": "ValidationException"}, None),
    ],
)
def test_no_other_failure_of_a_transaction_is_tried_again(
    waits: list[float], refusal: dict[str, Any], error: Code | None
) -> None:
    with (
        refused("TransactWriteItems", **refusal) as refusals,
        pytest.raises((ApiError, StoreDefectError, RefusedError)) as raised,
    ):
        transactions.transact(put("A"))
    assert (len(refusals), waits) == (1, [])
    assert (raised.value.code if isinstance(raised.value, ApiError) else None) is error


def test_a_transaction_asks_for_the_sizes_of_its_partitions_and_the_log_names_large_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    partitions._log.cache_clear()
    with requests_to("dynamodb.TransactWriteItems") as requests, estimated_size(BOARD, 9.0):
        transactions.transact(put("A"))
    assert [request["ReturnItemCollectionMetrics"] for request in requests] == ["SIZE"]
    assert [line["partition"] for line in logs.lines(capsys.readouterr().out)] == [BOARD]


@pytest.mark.usefixtures("waits")
def test_each_conflict_after_which_a_transaction_is_tried_again_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    with refused("TransactWriteItems", times=2, **CONFLICT):
        transactions.transact(put("A"))
    counted = [metric for metric in logs.metrics(capsys.readouterr().out) if "ConflictsRetried" in metric]
    assert len(counted) == 2


def test_only_the_writes_to_full_partitions_go_to_their_reserves_and_only_if_each_has_one() -> None:
    writes = [*put("A"), *(replace(write, reserve="RESERVE") for write in put("B"))]
    full = {"code": CANCELLED, "reason": "ItemCollectionSizeLimitExceeded"}  # of the second write
    with refused("TransactWriteItems", times=1, **full) as refusals:
        transactions.transact(writes)
    assert len(refusals) == 1
    assert table.read_one(key("A")) == key("A").attributes
    assert [key_of(item) for item in table.query(Range("RESERVE"))] == [Key("RESERVE", "B")]
    with refused("TransactWriteItems", times=1, **full), pytest.raises(ApiError) as refusal:
        transactions.transact(writes[::-1])
    assert refusal.value.code is Code.CONFLICT


@pytest.mark.usefixtures("waits")
def test_each_attempt_of_a_transaction_has_its_token_and_the_next_transaction_another() -> None:
    with requests_to("dynamodb.TransactWriteItems") as requests, refused("TransactWriteItems", times=2, **CONFLICT):
        transactions.transact(put("A"))
        transactions.transact(put("B"))
    tokens = [request["ClientRequestToken"] for request in requests]
    assert [len({*tokens[:3]}), len({*tokens}), len(tokens)] == [1, 2, 4]
    assert all(len(token) == 32 for token in tokens)


def test_a_deletion_of_many_items_is_transactions_of_a_hundred(pool: InlinePool) -> None:
    keys = [key(f"I{number:03}") for number in range(101)]
    transactions.transact(put(*(row.sk for row in keys[:100])))
    transactions.transact(put(keys[100].sk, "kept"))
    with count_store_calls(pool) as calls:
        transactions.delete_all(keys)
        transactions.delete_all([])
    assert calls.sequential == ["TransactWriteItems"] * 2
    assert names(table.query(Range(BOARD))) == ["kept"]


def test_an_increment_adds_sets_the_expiry_and_forgets_old_counters() -> None:
    assert transactions.increment(key("RATE"), "w1", 2, 77) == {**key("RATE").attributes, "w1": 2, "ttl": 77}
    assert transactions.increment(key("RATE"), "w1", -3, 78) == {**key("RATE").attributes, "w1": -1, "ttl": 78}
    assert transactions.increment(key("RATE"), "w2", 5, 79, ["w1"]) == {**key("RATE").attributes, "w2": 5, "ttl": 79}
    transactions.increment(key("RATE"), "w3", 6, 79)
    forgotten = transactions.increment(key("RATE"), "w4", 7, 80, ["w2", "w3"])
    assert forgotten == {**key("RATE").attributes, "w4": 7, "ttl": 80}


def test_a_member_is_set_unless_it_holds_a_greater_value_and_a_failure_is_logged_and_ignored(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for value, unless_after, stored in (("5", "4", "5"), ("7", "5", "7"), ("8", "6", "7")):
        transactions.set_if_newer(key("USED"), "at", value, unless_after)
        assert table.read([key("USED")])[key("USED")]["at"] == stored
    assert "store failure" not in capsys.readouterr().out
    with unreachable():
        transactions.set_if_newer(key("USED"), "at", "9", "9")
    with without_credentials():
        transactions.set_if_newer(key("USED"), "at", "9", "9")
    capsys.readouterr()
    with refused("UpdateItem", "ValidationException"):
        transactions.set_if_newer(key("USED"), "at", "9", "9")
    assert re.search(r'"operation": ?"update_item"', capsys.readouterr().out)
    assert table.read([key("USED")])[key("USED")]["at"] == "7"


def test_a_deletion_may_have_a_condition() -> None:
    transactions.transact(put("A"))
    with pytest.raises(ApiError):
        transactions.transact([Delete(key("A"), ABSENT, fail_with(not_found))])
    transactions.transact([Delete(key("A"), EXISTS)])
    assert table.read_one(key("A")) is None
