"""Writes to the store: transactions, and single updates of counters that may be off by a little.

Every write of state goes through `transact`, but for what the sealer notes on entries of the log (`leaves.py`). A
transaction carries a request token: when the client repeats it after a lost answer, the store recognises the same write
and does not report a conflict (ADR table).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from itertools import islice
from typing import Any

from governance import deadline, telemetry
from governance.errors import ApiError
from governance.instants import now, seconds_until
from governance.limits import TRANSACTION_WRITES
from governance.settings import settings
from governance.store import dynamodb, failures, partitions
from governance.store.attributes import marshal, unmarshal
from governance.store.client.errors import RefusedError
from governance.store.schema.keys import TTL, Item, Key
from governance.store.writes import Delete, Put, Write, in_reserve, to_transact_item
from governance.telemetry import Metric

_CONFLICT_ATTEMPTS = 10
"""The fewest attempts: a transaction of more items meets more conflicts, and has two attempts for each item."""


def transact(writes: Sequence[Write]) -> None:
    """Makes all of the writes or none.

    Raises the error that `on_failure` of the first failed condition returns, 409 `LIMIT_REACHED` if a partition is
    full, and 503 if the store is busy or unreachable, or if the time is over until which a write had to be committed.
    """
    limits = [write.commit_by for write in writes if isinstance(write, Put) and write.commit_by is not None]
    with deadline.at_most(seconds_until(min(limits), now())) if limits else nullcontext():
        _transact(writes)


def _transact(writes: Sequence[Write]) -> None:
    name = settings().table_name
    request: dict[str, Any] = {
        "TransactItems": [to_transact_item(write, name) for write in writes],
        "ClientRequestToken": secrets.token_hex(16),
        "ReturnItemCollectionMetrics": "SIZE",
    }
    attempts = max(_CONFLICT_ATTEMPTS, 2 * len(writes))
    for attempt in range(1, attempts + 1):
        try:
            answer = dynamodb.raw_call("transact_write_items", **request)
            partitions.watch(answer)
            return
        except RefusedError as error:
            if error.code == "TransactionCanceledException":
                if (elsewhere := _in_reserves(error, writes)) is not None:
                    _transact(elsewhere)
                    return
                _raise_failed_condition(error, writes)
            elif error.code != "TransactionInProgressException":
                raise failures.failed("transact_write_items", error) from None
            if attempt == attempts:
                raise failures.failed("transact_write_items", error) from None
        telemetry.count(Metric.CONFLICTS_RETRIED)
        dynamodb.back_off(attempt - 1)


def _in_reserves(error: RefusedError, writes: Sequence[Write]) -> list[Write] | None:
    """Returns the writes with those of full partitions in their reserves.

    None if no partition is full, or if one has no reserve: the transaction fails as it is.
    """
    codes = failures.codes_of_writes(error)
    if not failures.is_full(error) or len(codes) != len(writes):
        return None
    moved = [
        in_reserve(write) if failures.means_full(code) else write for write, code in zip(writes, codes, strict=True)
    ]
    reserved = [write for write in moved if write is not None]
    return reserved if len(reserved) == len(writes) else None


def delete_all(keys: Iterable[Key]) -> None:
    """Deletes the items under these distinct keys, as many in each transaction as it takes, in their order."""
    remaining = iter(keys)
    while batch := [Delete(key) for key in islice(remaining, TRANSACTION_WRITES)]:
        transact(batch)


def _raise_failed_condition(error: RefusedError, writes: Sequence[Write]) -> None:
    """Raises the error of the first failed condition; returns where a repeat may succeed: a conflict, throttling."""
    for reason, write in zip(error.reasons, writes, strict=False):
        if reason.get("Code") == "ConditionalCheckFailed":
            old = reason.get("Item")
            raise write.on_failure(unmarshal(old) if old else None) from None
    if any(reason.get("Code") == "ValidationError" for reason in error.reasons):
        raise error
    if failures.is_full(error):
        raise failures.failed("transact_write_items", error) from None


def increment(key: Key, name: str, amount: int, expiry: int, forget: Sequence[str] = ()) -> Item:
    """Adds to a counter of an item, removes the counters named in `forget`, and returns the item.

    A lost answer may make it count twice: it is for figures that may err a little, never for state. `expiry` is in
    seconds since 1970.
    """
    names = {"#ttl": TTL, "#n": name} | {f"#f{i}": old for i, old in enumerate(forget)}
    removal = " REMOVE " + ", ".join(f"#f{i}" for i in range(len(forget))) if forget else ""
    answer = dynamodb.call(
        "update_item",
        TableName=settings().table_name,
        Key=marshal(key.attributes),
        UpdateExpression="SET #ttl = :ttl ADD #n :n" + removal,
        ExpressionAttributeNames=names,
        ExpressionAttributeValues=marshal({":ttl": expiry, ":n": amount}),
        ReturnValues="ALL_NEW",
    )
    return unmarshal(answer["Attributes"])


def set_if_newer(key: Key, name: str, value: str, unless_after: str) -> None:
    """Sets a member of an item unless it holds a greater value than `unless_after`. A failure is ignored."""
    try:
        dynamodb.raw_call(
            "update_item",
            TableName=settings().table_name,
            Key=marshal(key.attributes),
            UpdateExpression="SET #n = :v",
            ConditionExpression="attribute_not_exists(#n) OR #n <= :u",
            ExpressionAttributeNames={"#n": name},
            ExpressionAttributeValues=marshal({":v": value, ":u": unless_after}),
        )
    except RefusedError as error:
        if error.code != "ConditionalCheckFailedException":
            failures.failed("update_item", error)
    except (ApiError, failures.StoreDefectError):
        return
