"""Writes: how they are sent, under which conditions, and what follows where a condition fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from governance.errors import ApiError, Code, not_found
from governance.store import dynamodb
from governance.store.schema.keys import PK, SK, TTL, Item, Key
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import (
    ABSENT,
    EXISTS,
    Check,
    Condition,
    Delete,
    Put,
    StaleRead,
    Update,
    Write,
    equals,
    fail_with,
    if_unchanged,
    in_reserve,
    key_of_write,
    retry_stale_reads,
    to_transact_item,
)

KEY = Key("BOARD#1", "MEETING#1")
ITEM: Item = {**KEY.attributes, "title": "Budget", "version": 3, TTL: 99}
SET = Update(KEY, "SET #t = :t", {"#t": "title"}, {":t": "New"})


def stale(times: int) -> Iterator[str]:
    """Answers after this number of stale reads."""
    for _ in range(times):
        yield "stale"
    yield "answer"


@pytest.mark.parametrize(("times", "is_answered"), [(0, True), (39, True), (40, False)])
def test_a_request_decides_at_most_forty_times_and_waits_longer_before_each(
    times: int, is_answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes, waits = stale(times), list[int]()
    monkeypatch.setattr(dynamodb, "back_off", waits.append)

    def attempt() -> str:
        if (outcome := next(outcomes)) == "stale":
            raise StaleRead
        return outcome

    if is_answered:
        assert retry_stale_reads(attempt) == "answer"
    else:
        with pytest.raises(ApiError) as refusal:
            retry_stale_reads(attempt)
        assert refusal.value.code is Code.SERVICE_UNAVAILABLE
    assert waits == list(range(times))


@pytest.mark.parametrize(
    ("write", "kind"),
    [(Put(ITEM), "Put"), (Delete(KEY), "Delete"), (SET, "Update"), (Check(KEY, EXISTS), "ConditionCheck")],
)
def test_a_write_names_its_item_its_table_and_its_condition(write: Write, kind: str) -> None:
    ((sent, body),) = to_transact_item(write, "boards").items()
    named = body["Item"] if kind == "Put" else body["Key"]
    assert (sent, body["TableName"], named[PK], named[SK]) == (kind, "boards", {"S": KEY.pk}, {"S": KEY.sk})
    assert ("ConditionExpression" in body) is (kind == "ConditionCheck")
    assert ("ExpressionAttributeNames" in body) is (kind in {"Update", "ConditionCheck"})  # empty ones are refused
    assert ("ExpressionAttributeValues" in body) is (kind == "Update")
    assert body.get("ReturnValuesOnConditionCheckFailure") == ("ALL_OLD" if kind == "ConditionCheck" else None)
    assert key_of_write(write) == KEY


def test_an_update_with_a_condition_has_the_names_and_values_of_both() -> None:
    update = Update(KEY, SET.expression, SET.names, SET.values, equals(version=3))
    body = to_transact_item(update, "boards")["Update"]
    assert body["UpdateExpression"] == SET.expression
    assert body["ExpressionAttributeNames"] == {"#t": "title", "#c0": "version"}
    assert body["ExpressionAttributeValues"] == {":t": {"S": "New"}, ":c0": {"N": "3"}}
    assert (SET.names, SET.values) == ({"#t": "title"}, {":t": "New"})


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (EXISTS, True),
        (ABSENT, False),
        (equals(version=3), True),
        (equals(version=4), False),
        (equals(version=3, title="Budget"), True),
        (equals(version=3, title="Other"), False),
        (equals(version=4, title="Budget"), False),
        (equals(absent="x"), False),
    ],
)
def test_a_condition_is_about_the_stored_item(store: str, condition: Condition, holds: bool) -> None:
    del store
    transact([Put(ITEM)])
    if holds:
        transact([Check(KEY, condition)])
    else:
        with pytest.raises(StaleRead):
            transact([Check(KEY, condition)])


def changed(**members: Any) -> Item:
    return {name: value for name, value in {**ITEM, **members}.items() if value is not None}


@pytest.mark.parametrize(
    ("read", "stored", "lands"),
    [
        (ITEM, ITEM, True),
        (ITEM, changed(ttl=100), True),
        (ITEM, changed(title="Other"), True),
        (ITEM, changed(version=4), False),
        (ITEM, None, False),
        (None, None, True),
        (None, ITEM, False),
        (changed(version=None), changed(version=None), True),
        (changed(version=None), changed(version=None, ttl=100), True),
        (changed(version=None), changed(version=None, title="Other"), False),
        (changed(version=None, place="Oslo"), changed(version=None, place="Oslo"), True),
        (changed(version=None, place="Oslo"), changed(version=None, place="Rome"), False),
        (changed(version=None, title=None), changed(version=None, title=None), True),
        (changed(version=None, title=None), None, False),
    ],
)
@pytest.mark.parametrize("condition", [None, Condition("attribute_not_exists(#x) OR #x = :x", {"#x": "x"}, {":x": 1})])
def test_a_write_under_a_precondition_fails_if_its_item_has_changed(
    store: str, read: Item | None, stored: Item | None, lands: bool, condition: Condition | None
) -> None:
    del store
    if stored is not None:
        transact([Put(stored)])
    write = if_unchanged(Put({**KEY.attributes, "title": "New"}, condition), read)
    if lands:
        transact([write])
        assert (read_one(KEY) or {})["title"] == "New"
    else:
        with pytest.raises(StaleRead):
            transact([write])
        assert read_one(KEY) == stored


def test_a_write_under_a_precondition_keeps_its_own_condition_and_its_error(store: str) -> None:
    del store
    transact([Put(ITEM)])
    write = if_unchanged(Put(ITEM, equals(title="Other"), fail_with(not_found)), ITEM)
    with pytest.raises(ApiError):
        transact([write])
    with pytest.raises(StaleRead):
        transact([if_unchanged(Put(ITEM, equals(title="Other"), fail_with(not_found)), changed(version=2))])


def test_only_an_item_that_names_a_reserve_may_be_stored_there_and_only_once() -> None:
    moved = in_reserve(Put(ITEM, EXISTS, reserve="RESERVE#1"))
    assert moved == Put({**ITEM, PK: "RESERVE#1"}, EXISTS)
    assert [in_reserve(write) for write in (moved, Put(ITEM), Delete(KEY), SET, Check(KEY, EXISTS))] == [None] * 5
