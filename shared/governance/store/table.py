"""The store's client: batch reads, ranges, transactions; throttling and outages become 503.

Every write goes through `transact`: it carries a request token, so that a repeat by the SDK after a lost answer is
recognised as the same write and never reported as a conflict (ADR 0002).
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from governance import aws, telemetry
from governance.errors import ApiError
from governance.settings import settings
from governance.store import failures
from governance.store.attributes import marshal, unmarshal
from governance.store.schema import PK, SK, TTL, Index, Item, Key, index_name, key_of
from governance.store.writes import Check, Delete, Put, Update, Write
from governance.telemetry import Metric, StoreFailure

T = TypeVar("T")
_BATCH = 100
_STRIDE = 1000
"""Items to a call where all are read: a full megabyte of small ones can take a busy store longer than a call may."""
_CONFLICT_ATTEMPTS = 6
_UNPROCESSED_ATTEMPTS = 5
_BACKOFF_SECONDS = 0.025
_LOWEST, _HIGHEST = "\0", "\U0010ffff"
_POOL = "store-side"
_pool = ThreadPoolExecutor(max_workers=32, thread_name_prefix=_POOL)
client = aws.dynamodb


def run_async(call: Callable[[], T]) -> Future[T]:
    """Start a call beside the one that is about to be made; within such a call, another runs at once.

    A call of the pool that waited for the pool could wait for ever.
    """
    if threading.current_thread().name.startswith(_POOL):
        return _completed(call)
    return _pool.submit(partial(copy_context().run, call))  # its lines in the log keep the ids of the invocation


def _completed(call: Callable[[], T]) -> Future[T]:
    future: Future[T] = Future()
    try:
        future.set_result(call())
    except Exception as error:  # noqa: BLE001 - handed on to whoever asks for the result
        future.set_exception(error)
    return future


def read(keys: Iterable[Key]) -> dict[Key, Item]:
    """The items that exist under these keys, read consistently; one call for up to 100 keys, more side by side."""
    distinct = list(dict.fromkeys(keys))
    if not distinct:
        return {}
    first, *more = [distinct[i : i + _BATCH] for i in range(0, len(distinct), _BATCH)]
    others = [run_async(partial(_read_batch, batch)) for batch in more]
    found = _read_batch(first)
    for other in others:
        found |= other.result()
    return found


def _read_batch(keys: Sequence[Key]) -> dict[Key, Item]:
    name = settings().table_name
    wanted: list[dict[str, Any]] = [marshal(key.attributes) for key in keys]
    found: dict[Key, Item] = {}
    for attempt in range(_UNPROCESSED_ATTEMPTS):
        answer = _call("batch_get_item", RequestItems={name: {"Keys": wanted, "ConsistentRead": True}})
        items = (unmarshal(raw) for raw in answer.get("Responses", {}).get(name, []))
        found |= {key_of(item): item for item in items}
        wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])
        if not wanted:
            return found
        _back_off(attempt)
    raise failures.report("batch_get_item", StoreFailure.THROTTLED, "UnprocessedKeys")


def read_one(key: Key) -> Item | None:
    """The item under this key, read consistently."""
    return read([key]).get(key)


@dataclass(frozen=True)
class Range:
    """A run of sort keys in one partition, of the table or of a local index; bounds are exclusive."""

    pk: str
    prefix: str
    index: Index | None = None
    above: str | None = None
    below: str | None = None


def query(span: Range, limit: int | None = None, *, descending: bool = False) -> list[Item]:
    """The items of a range in order, read consistently: all, or the first `limit`; of a lean index their keys only."""
    return [unmarshal(typed) for typed in query_raw(span, limit, descending=descending)]


def query_raw(span: Range, limit: int | None = None, *, descending: bool = False) -> list[Item]:
    """The same with the attributes as the store spells them: for who will not look at them all."""
    found: list[Item] = []
    low, high = _bounds(span)
    if low > high:
        return found
    for batch in _pages(_query_request(span, low, high, descending), limit):
        found += batch
        if limit is not None and len(found) >= limit:
            return found[:limit]
    return found


def iter_range(span: Range, *attributes: str) -> Iterator[Item]:
    """These attributes of the items of a range, in order, read consistently and page by page as they are asked for."""
    low, high = _bounds(span)
    if low > high:
        return
    request = _query_request(span, low, high, descending=False)
    names = {f"#a{i}": name for i, name in enumerate(attributes)}
    request["ExpressionAttributeNames"] |= names
    for batch in _pages(request | {"ProjectionExpression": ", ".join(names), "Limit": _STRIDE}, None):
        yield from map(unmarshal, batch)


def _pages(request: dict[str, Any], limit: int | None) -> Iterator[list[Item]]:
    if limit is not None:
        request["Limit"] = limit
    while True:
        answer = _call("query", **request)
        yield answer.get("Items", [])
        if "LastEvaluatedKey" not in answer:
            return
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _bounds(span: Range) -> tuple[str, str]:
    """The lowest and the highest sort key of the range, both inclusive, as BETWEEN takes them."""
    low = (span.prefix or _LOWEST) if span.above is None else span.above + _LOWEST
    return low, span.prefix + _HIGHEST if span.below is None else _just_below(span.below)


def _query_request(span: Range, low: str, high: str, descending: bool) -> dict[str, Any]:
    request = {
        "TableName": settings().table_name,
        "KeyConditionExpression": "#pk = :pk AND #sk BETWEEN :low AND :high",
        "ExpressionAttributeNames": {"#pk": PK, "#sk": span.index or SK},
        "ExpressionAttributeValues": marshal({":pk": span.pk, ":low": low, ":high": high}),
        "ConsistentRead": True,
        "ScanIndexForward": not descending,
    }
    if span.index is not None:
        request |= {"IndexName": index_name(span.index), "Select": "ALL_PROJECTED_ATTRIBUTES"}
    return request


def _just_below(bound: str) -> str:
    """The greatest text that a key smaller than `bound` can be: keys hold no character as high as the last one."""
    return bound[:-1] + chr(ord(bound[-1]) - 1) + _HIGHEST


def transact(writes: Sequence[Write]) -> None:
    """All of the writes or none.

    Raises what the `otherwise` of the first failed condition says; 503 where the store cannot go on.
    """
    request: dict[str, Any] = {
        "TransactItems": [_transact_item(write) for write in writes],
        "ClientRequestToken": secrets.token_hex(16),
    }
    for attempt in range(1, _CONFLICT_ATTEMPTS + 1):
        try:
            _raw_call("transact_write_items", **request)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] == "TransactionCanceledException":
                _raise_failed_condition(error, writes)
            elif error.response["Error"]["Code"] != "TransactionInProgressException":
                raise failures.failed("transact_write_items", error) from None
            if attempt == _CONFLICT_ATTEMPTS:
                raise failures.failed("transact_write_items", error) from None
        telemetry.count(Metric.CONFLICTS_RETRIED)
        _back_off(attempt - 1)


def _raise_failed_condition(error: ClientError, writes: Sequence[Write]) -> None:
    """A failed condition is final; a conflict with another transaction, or throttling, is not."""
    reasons: list[dict[str, Any]] = error.response.get("CancellationReasons", [])  # type: ignore[assignment]
    for reason, write in zip(reasons, writes, strict=False):
        if reason.get("Code") == "ConditionalCheckFailed":
            old = reason.get("Item")
            raise write.on_failure(unmarshal(old) if old else None) from None
    if any(reason.get("Code") == "ValidationError" for reason in reasons):
        raise error


def _transact_item(write: Write) -> dict[str, Any]:
    body: dict[str, Any] = {"TableName": settings().table_name}
    values: Item = {}
    names: dict[str, str] = {}
    if isinstance(write, Put):
        body["Item"] = marshal(write.item)
    else:
        body["Key"] = marshal(write.key.attributes)
    if isinstance(write, Update):
        body["UpdateExpression"] = write.expression
        names, values = dict(write.names), dict(write.values)
    if write.condition is not None:
        body |= {
            "ConditionExpression": write.condition.expression,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        names |= write.condition.names
        values |= write.condition.values
    if names:
        body["ExpressionAttributeNames"] = names
    if values:
        body["ExpressionAttributeValues"] = marshal(values)
    return {{Put: "Put", Delete: "Delete", Update: "Update", Check: "ConditionCheck"}[type(write)]: body}


def increment(key: Key, name: str, amount: int, expiry: int, forget: Sequence[str] = ()) -> Item:
    """Add to a counter of an item, forget others, and read all: for figures that may err a little, never for state."""
    names = {"#ttl": TTL, "#n": name} | {f"#f{i}": old for i, old in enumerate(forget)}
    removal = " REMOVE " + ", ".join(f"#f{i}" for i in range(len(forget))) if forget else ""
    answer = _call(
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
    """Set a member of an item unless it already holds a greater value than this: a mark that only moves on."""
    try:
        _raw_call(
            "update_item",
            TableName=settings().table_name,
            Key=marshal(key.attributes),
            UpdateExpression="SET #n = :v",
            ConditionExpression="attribute_not_exists(#n) OR #n <= :u",
            ExpressionAttributeNames={"#n": name},
            ExpressionAttributeValues=marshal({":v": value, ":u": unless_after}),
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            failures.failed("update_item", error)
    except ApiError:
        return


def _call(operation: str, **request: Any) -> Any:
    try:
        return _raw_call(operation, **request)
    except ClientError as error:
        raise failures.failed(operation, error) from None


def _raw_call(operation: str, **request: Any) -> Any:
    started = time.perf_counter()
    try:
        answer = getattr(client(), operation)(**request)
    except BotoCoreError as error:
        raise failures.failed(operation, error) from None
    milliseconds = int((time.perf_counter() - started) * 1000)
    telemetry.log_store_call(operation, milliseconds, answer["ResponseMetadata"].get("RetryAttempts", 0))
    return answer


def _back_off(attempt: int) -> None:
    time.sleep(random.uniform(0, _BACKOFF_SECONDS * 2**attempt))  # noqa: S311 - jitter, not a secret
