"""The store's client: batches, ranges, transactions, and how often each of them is tried."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from governance import deadline
from governance.errors import ApiError, Code, forbidden, not_found
from governance.store import table
from governance.store.failures import StoreDefectError
from governance.store.schema.keys import PK, SK, Item, Key, Range
from governance.store.writes import ABSENT, EXISTS, Check, Delete, Put, Write, fail_with
from tests.harness.fault_injection import hooked, refused, unreachable, with_unprocessed_keys
from tests.harness.store_calls import InlinePool, count_store_calls

BOARD = "BOARD#1"
CANCELLED = "TransactionCanceledException"
CONFLICT: dict[str, Any] = {"code": CANCELLED, "reason": "TransactionConflict"}
LARGE = 390_000


def key(name: str) -> Key:
    return Key(BOARD, name)


def put(*names: str, **members: Any) -> list[Put]:
    return [Put({**key(name).attributes, **members}) for name in names]


def names(items: list[Item]) -> list[str]:
    return [item[SK] for item in items]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The longest that each pause between two attempts may be, in seconds; no pause takes place."""
    longest: list[float] = []

    def uniform(least: float, most: float) -> float:
        longest.append(most)
        return least

    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr("random.uniform", uniform)
    return longest


@pytest.mark.usefixtures("store")
def test_a_read_returns_what_exists_under_distinct_keys_a_hundred_in_a_call(pool: InlinePool) -> None:
    table.transact(put(*(f"I{number:03}" for number in range(100))))
    table.transact(put("I100"))
    wanted = [key(f"I{number:03}") for number in range(102)]
    with count_store_calls(pool) as calls:
        found = table.read([*wanted, *wanted])
    assert list(found) == wanted[:101]
    assert (calls.sequential, calls.concurrent) == (["BatchGetItem"], ["BatchGetItem"])
    with count_store_calls(pool) as calls:
        assert (table.read([]), len(table.read(wanted[:100]))) == ({}, 100)
    assert (len(calls.sequential), calls.concurrent) == (1, [])


@pytest.mark.usefixtures("store")
def test_keys_that_the_store_left_out_are_asked_for_again_five_times_in_all(waits: list[float]) -> None:
    table.transact(put("A", "B"))
    with with_unprocessed_keys(1):
        assert names(list(table.read([key("A"), key("B")]).values())) == ["A", "B"]
    assert waits == [0.025]

    def leave_out(parsed: dict[str, Any], **_: Any) -> None:
        (name,) = parsed["Responses"]
        parsed["UnprocessedKeys"] = {name: {"Keys": [{PK: {"S": BOARD}, SK: {"S": "A"}}]}}

    waits.clear()
    with hooked("after-call.dynamodb.BatchGetItem", leave_out), pytest.raises(ApiError) as refusal:
        table.read([key("A")])
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
    assert waits == [0.025, 0.05, 0.1, 0.2, 0.2]


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({}, ["A", "A#1", "B", "B#1", "B#2", "C"]),
        ({"prefix": "B"}, ["B", "B#1", "B#2"]),
        ({"prefix": "B", "above": "B"}, ["B#1", "B#2"]),
        ({"prefix": "B", "above": "B#1"}, ["B#2"]),
        ({"prefix": "B", "below": "B#2"}, ["B", "B#1"]),
        ({"prefix": "B", "below": "B#21"}, ["B", "B#1", "B#2"]),
        ({"prefix": "B", "above": "B#2"}, []),
        ({"prefix": "B", "above": "B#2", "below": "B#1"}, []),
        ({"prefix": "B", "above": "B", "below": "B#2"}, ["B#1"]),
        ({"prefix": "D"}, []),
    ],
)
def test_a_range_has_what_is_strictly_between_its_bounds(bounds: dict[str, Any], expected: list[str]) -> None:
    table.transact(put("A", "A#1", "B", "B#1", "B#2", "C"))
    span = Range(BOARD, **bounds)
    assert names(table.query(span)) == expected
    assert names(table.query(span, descending=True)) == expected[::-1]
    assert names(table.query(span, 2)) == expected[:2]
    assert [item[SK] for item in table.iter_range(span, PK, SK)] == expected
    assert [item[SK] for item in table.iter_ranges([span, Range(BOARD, "C"), span], 1, SK)] == [
        *expected,
        "C",
        *expected,
    ]


@pytest.mark.usefixtures("store")
def test_a_long_range_is_read_in_several_calls_and_as_far_as_it_is_asked_for(pool: InlinePool) -> None:
    for letter in "ABC":
        table.transact(put(*(f"{letter}{number}" for number in range(3)), text="x" * LARGE))
    with count_store_calls(pool) as calls:
        assert len(table.query(Range(BOARD))) == 9
    assert len(calls.sequential) > 1
    with count_store_calls(pool) as calls:
        assert names(table.query(Range(BOARD), 2)) == ["A0", "A1"]
        assert next(table.iter_range(Range(BOARD), SK)) == {SK: "A0"}
    assert len(calls.sequential) == 2


@pytest.mark.usefixtures("store")
def test_a_transaction_makes_all_writes_or_none_and_raises_the_error_of_the_first_failed_condition() -> None:
    table.transact(put("A", "C"))
    failing: list[Write] = [
        Put(key("B").attributes),
        Check(key("A"), EXISTS, fail_with(not_found)),
        Put(key("C").attributes, ABSENT, lambda old: forbidden() if old == key("C").attributes else not_found()),
        Check(key("absent"), EXISTS, fail_with(not_found)),
    ]
    with pytest.raises(ApiError) as refusal:
        table.transact(failing)
    assert refusal.value.code is forbidden().code
    assert list(table.read([key("A"), key("B")])) == [key("A")]
    with pytest.raises(ApiError) as refusal:
        table.transact([Check(key("absent"), EXISTS, lambda old: not_found() if old is None else forbidden())])
    assert refusal.value.code is not_found().code


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    "refusal", [CONFLICT, {"code": CANCELLED, "reason": "ThrottlingError"}, {"code": "TransactionInProgressException"}]
)
def test_a_transaction_that_meets_another_is_tried_ten_times(waits: list[float], refusal: dict[str, Any]) -> None:
    with refused("TransactWriteItems", times=9, **refusal):
        table.transact(put("A"))
    assert table.read_one(key("A")) is not None
    assert waits == [0.025, 0.05, 0.1, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]
    with refused("TransactWriteItems", **refusal) as refusals, pytest.raises(ApiError) as error:
        table.transact(put("B"))
    assert (error.value.code, len(refusals)) == (Code.SERVICE_UNAVAILABLE, 10)
    assert table.read_one(key("B")) is None


@pytest.mark.usefixtures("store", "waits")
def test_a_transaction_of_more_items_has_two_attempts_for_each() -> None:
    writes = put(*(f"I{number}" for number in range(12)))
    with refused("TransactWriteItems", times=23, **CONFLICT):
        table.transact(writes)
    with refused("TransactWriteItems", **CONFLICT) as refusals, pytest.raises(ApiError):
        table.transact(writes)
    assert len(refusals) == 24


@pytest.mark.usefixtures("store")
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
        pytest.raises((ApiError, StoreDefectError, ClientError)) as raised,
    ):
        table.transact(put("A"))
    assert (len(refusals), waits) == (1, [])
    assert getattr(raised.value, "code", None) is error


@pytest.mark.usefixtures("store", "waits")
def test_each_attempt_of_a_transaction_has_its_token_and_the_next_transaction_another() -> None:
    tokens: list[str] = []

    def note(params: dict[str, Any], **_: Any) -> None:
        tokens.append(json.loads(params["body"])["ClientRequestToken"])

    with hooked("before-call.dynamodb.TransactWriteItems", note), refused("TransactWriteItems", times=2, **CONFLICT):
        table.transact(put("A"))
        table.transact(put("B"))
    assert [len({*tokens[:3]}), len({*tokens}), len(tokens)] == [1, 2, 4]
    assert all(len(token) == 32 for token in tokens)


@pytest.mark.usefixtures("store")
def test_a_deletion_of_many_items_is_transactions_of_a_hundred(pool: InlinePool) -> None:
    keys = [key(f"I{number:03}") for number in range(101)]
    table.transact(put(*(each.sk for each in keys[:100])))
    table.transact(put(keys[100].sk, "kept"))
    with count_store_calls(pool) as calls:
        table.delete_all(keys)
        table.delete_all([])
    assert calls.sequential == ["TransactWriteItems"] * 2
    assert names(table.query(Range(BOARD))) == ["kept"]


@pytest.mark.usefixtures("store")
def test_an_increment_adds_sets_the_expiry_and_forgets_old_counters() -> None:
    assert table.increment(key("RATE"), "w1", 2, 77) == {**key("RATE").attributes, "w1": 2, "ttl": 77}
    assert table.increment(key("RATE"), "w1", -3, 78) == {**key("RATE").attributes, "w1": -1, "ttl": 78}
    assert table.increment(key("RATE"), "w2", 5, 79, ["w1"]) == {**key("RATE").attributes, "w2": 5, "ttl": 79}


@pytest.mark.usefixtures("store")
def test_a_member_is_set_unless_it_holds_a_greater_value_and_a_failure_is_ignored() -> None:
    for value, unless_after, stored in (("5", "4", "5"), ("7", "5", "7"), ("8", "6", "7")):
        table.set_if_newer(key("USED"), "at", value, unless_after)
        assert table.read([key("USED")])[key("USED")]["at"] == stored
    with unreachable():
        table.set_if_newer(key("USED"), "at", "9", "9")
    with refused("UpdateItem", "ValidationException"):
        table.set_if_newer(key("USED"), "at", "9", "9")
    assert table.read([key("USED")])[key("USED")]["at"] == "7"


@pytest.mark.usefixtures("store")
def test_a_call_that_cannot_end_before_the_deadline_is_a_503_and_does_not_begin(
    pool: InlinePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exceeded(_: float) -> None:
        raise deadline.DeadlineExceededError

    monkeypatch.setattr(deadline, "check", exceeded)
    with count_store_calls(pool) as calls, pytest.raises(ApiError) as refusal:
        table.read_one(key("A"))
    assert (refusal.value.code, calls.sequential) == (Code.SERVICE_UNAVAILABLE, [])


def test_a_call_from_within_the_pool_runs_at_once_and_keeps_its_error_for_the_reader() -> None:
    def fail() -> None:
        raise ValueError("kept")

    def nested() -> list[Any]:
        done, failed = table.run_async(lambda: 1), table.run_async(fail)
        return [done.done(), done.result(), failed.done(), failed.exception()]

    done, value, failed, error = table.run_async(nested).result()
    assert (done, value, failed) == (True, 1, True)
    assert isinstance(error, ValueError)


@pytest.mark.usefixtures("store")
def test_a_deletion_may_have_a_condition() -> None:
    table.transact(put("A"))
    with pytest.raises(ApiError):
        table.transact([Delete(key("A"), ABSENT, fail_with(not_found))])
    table.transact([Delete(key("A"), EXISTS)])
    assert table.read_one(key("A")) is None
