"""Reads of the table: batches and ranges, and in how many calls."""

from __future__ import annotations

import re
from typing import Any

import pytest

from governance.errors import ApiError, Code
from governance.store import table, transactions
from governance.store.schema.keys import PK, SK, Range
from tests.harness import logs
from tests.harness.fault_injection import hooked, with_unprocessed_keys
from tests.harness.store_calls import InlinePool, count_store_calls, requests_to
from tests.store.named_items import BOARD, key, names, put

pytestmark = pytest.mark.usefixtures("store")
LARGE = 390_000


def test_a_read_returns_what_exists_under_distinct_keys_a_hundred_in_a_call(pool: InlinePool) -> None:
    transactions.transact(put(*(f"I{number:03}" for number in range(100))))
    transactions.transact(put("I100"))
    wanted = [key(f"I{number:03}") for number in range(102)]
    with count_store_calls(pool) as calls:
        items = table.read([*wanted, *wanted])
    assert list(items) == wanted[:101]
    assert (calls.sequential, calls.concurrent) == (["BatchGetItem"], ["BatchGetItem"])
    with count_store_calls(pool) as calls:
        assert (table.read([]), len(table.read(wanted[:100]))) == ({}, 100)
    assert (len(calls.sequential), calls.concurrent) == (1, [])


def test_keys_that_the_store_left_out_are_asked_for_again_five_times_in_all(
    waits: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    transactions.transact(put("A", "B"))
    with with_unprocessed_keys(1):
        assert names(list(table.read([key("A"), key("B")]).values())) == ["A", "B"]
    assert waits == [0.025]

    def leave_out(parsed: dict[str, Any], **_: Any) -> None:
        (name,) = parsed["Responses"]
        parsed["UnprocessedKeys"] = {name: {"Keys": [{PK: {"S": BOARD}, SK: {"S": "A"}}]}}

    waits.clear()
    capsys.readouterr()
    with hooked("after-call.dynamodb.BatchGetItem", leave_out), pytest.raises(ApiError) as refusal:
        table.read([key("A")])
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE
    assert waits == [0.025, 0.05, 0.1, 0.2, 0.2]
    (line,) = logs.lines(capsys.readouterr().out)
    assert (line["operation"], line["codes"]) == ("batch_get_item", ["UnprocessedKeys"])


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
    transactions.transact(put("A", "A#1", "B", "B#1", "B#2", "C"))
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


def test_a_long_range_is_read_in_several_calls_and_as_far_as_it_is_asked_for(pool: InlinePool) -> None:
    for letter in "ABC":
        transactions.transact(put(*(f"{letter}{number}" for number in range(3)), text="x" * LARGE))
    with count_store_calls(pool) as calls:
        assert len(table.query(Range(BOARD))) == 9
    assert len(calls.sequential) > 1
    with count_store_calls(pool) as calls:
        assert names(table.query(Range(BOARD), 2)) == ["A0", "A1"]
        assert next(table.iter_range(Range(BOARD), SK)) == {SK: "A0"}
    assert len(calls.sequential) == 2


def test_a_limit_is_kept_where_the_store_answers_in_parts() -> None:
    """A call returns a megabyte at most, here less than the limit, and then as many again as the limit allows."""
    for letter in "ABC":
        transactions.transact(put(*(f"{letter}{number}" for number in range(3)), text="x" * LARGE))
    with requests_to("dynamodb.Query") as requests:
        assert names(table.query(Range(BOARD), 3)) == ["A0", "A1", "A2"]
    assert [request["Limit"] for request in requests] == [3, 3]


def test_a_query_asks_for_as_many_items_as_are_wanted_and_for_more_by_the_thousand() -> None:
    transactions.transact(put("A", "B", "C"))
    with requests_to("dynamodb.Query") as requests:
        table.query(Range(BOARD))
        table.query(Range(BOARD), 2)
        next(table.iter_range(Range(BOARD), SK))
        list(table.iter_ranges([Range(BOARD)], 2, PK, SK))
    assert [request.get("Limit", "none") for request in requests] == ["none", 2, 1000, 2, 1000]
    names_of = {name for request in requests for name in request["ExpressionAttributeNames"]}
    assert [name for name in names_of if not re.fullmatch(r"#[A-Za-z0-9_]+", name)] == [], "the store refuses it"


def test_a_range_that_ends_before_it_begins_is_not_asked_for_as_the_store_refuses_it(pool: InlinePool) -> None:
    transactions.transact(put("a", "b"))
    empty = Range(BOARD, above="b", below="a")
    with count_store_calls(pool) as calls:
        assert table.query(empty) == []
        assert [*table.iter_range(empty, PK, SK)] == []
        assert [*table.iter_ranges([empty], 10, PK, SK)] == []
    assert (calls.sequential, calls.concurrent) == ([], [])
