"""The shortcuts of the engine in tests change none of its answers: failed transactions and items that were returned."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from governance.store.schema.keys import PK, SK
from tests.harness import sdk


def key(name: str) -> dict[str, Any]:
    return {PK: {"S": "board"}, SK: {"S": name}}


@pytest.fixture
def items(store: str) -> list[dict[str, Any]]:
    """Two items of one partition, as they are stored."""
    for name in ("changed", "deleted"):
        nested: dict[str, Any] = {"count": {"N": "1"}, "map": {"M": {"inner": {"N": "1"}}}, "list": {"L": [{"S": "a"}]}}
        sdk.dynamodb().put_item(TableName=store, Item={**key(name), **nested})
    return stored(store)


def stored(store: str) -> list[dict[str, Any]]:
    return [dict(item) for item in sdk.dynamodb().scan(TableName=store)["Items"]]


CHANGES: list[dict[str, Any]] = [
    {
        "Update": {
            "Key": key("changed"),
            "UpdateExpression": "SET #c = #c + :one, #m.#i = :one, #l = list_append(#l, :more)",
            "ExpressionAttributeNames": {"#c": "count", "#m": "map", "#i": "inner", "#l": "list"},
            "ExpressionAttributeValues": {":one": {"N": "5"}, ":more": {"L": [{"S": "b"}]}},
        }
    },
    {"Delete": {"Key": key("deleted")}},
    {"Put": {"Item": key("new")}},
]
UNMET = {"ConditionCheck": {"Key": key("absent"), "ConditionExpression": f"attribute_exists({PK})"}}


def write(store: str, *writes: dict[str, Any]) -> None:
    """Makes a transaction of writes to the table."""
    named: Any = [{kind: {**each, "TableName": store} for kind, each in one.items()} for one in writes]
    sdk.dynamodb().transact_write_items(TransactItems=named)


def test_a_transaction_that_fails_changes_nothing(store: str, items: list[dict[str, Any]]) -> None:
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        write(store, *CHANGES, UNMET)
    assert stored(store) == items


def test_a_transaction_that_succeeds_changes_all(store: str, items: list[dict[str, Any]]) -> None:
    write(store, *CHANGES)
    changed, new = stored(store)
    assert changed == items[0] | {
        "count": {"N": "6"},
        "map": {"M": {"inner": {"N": "5"}}},
        "list": {"L": [{"S": "a"}, {"S": "b"}]},
    }
    assert new == key("new")


def test_what_was_returned_is_the_callers_own(store: str, items: list[dict[str, Any]]) -> None:
    before = stored(store)
    for item in items:
        item["map"]["M"]["inner"]["N"] = "9"
        item["list"]["L"].clear()
    assert stored(store) == before


def test_rows_come_in_the_order_of_their_keys_and_numbers_compare_as_numbers(store: str) -> None:
    client = sdk.dynamodb()
    for name in ("b", "a#10", "a", "a#9"):
        client.put_item(TableName=store, Item={**key(name), "number": {"N": "9"}})
    assert [item[SK]["S"] for item in stored(store)] == ["a", "a#10", "a#9", "b"]
    found = client.scan(
        TableName=store,
        FilterExpression="#n < :ten",
        ExpressionAttributeNames={"#n": "number"},
        ExpressionAttributeValues={":ten": {"N": "10"}},
    )
    assert found["Count"] == 4
