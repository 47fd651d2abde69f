"""The store's client: batch reads, ranges, transactions. Throttling and outages become 503 `SERVICE_UNAVAILABLE`.

No attempt begins after the request's deadline (`governance.deadline`), however many calls a request makes.

Every write of state goes through `transact`. It carries a request token, so that the store recognises a repeat by the
SDK after a lost answer as the same write and does not report it as a conflict (ADR 0002).
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from governance import aws, deadline, telemetry
from governance.errors import ApiError
from governance.instants import now, seconds_until
from governance.limits import BATCH_KEYS, TRANSACTION_WRITES
from governance.settings import settings
from governance.store import failures, partitions
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.keys import PK, SK, TTL, Item, Key, Range, index_name, key_of
from governance.store.writes import Delete, Put, Write, in_reserve, to_transact_item
from governance.telemetry import Metric, StoreFailure

T = TypeVar("T")
_STRIDE = 1000
"""Items per call where all are read: a full megabyte of small ones can take a busy store longer than the time-out."""
_CONFLICT_ATTEMPTS = 10
"""At least: a transaction of more items meets more conflicts, and has two attempts for each item."""
_UNPROCESSED_ATTEMPTS = 5
_BACKOFF_SECONDS, _LONGEST_BACKOFF_SECONDS = 0.025, 0.2
_LOWEST, _HIGHEST = "\0", "\U0010ffff"
_POOL = "store-side"
_pool = ThreadPoolExecutor(max_workers=32, thread_name_prefix=_POOL)
client = aws.dynamodb


def run_async(call: Callable[[], T]) -> Future[T]:
    """Starts a call in the pool and returns its future.

    A call that is made from within the pool runs at once instead: it could wait for ever for a free thread.
    """
    if threading.current_thread().name.startswith(_POOL):
        return _completed(call)
    return _pool.submit(partial(copy_context().run, call))  # its lines in the log keep the ids of the invocation


def _completed(call: Callable[[], T]) -> Future[T]:
    future: Future[T] = Future()
    try:
        future.set_result(call())
    except Exception as error:  # noqa: BLE001 - handed on to the reader of the result
        future.set_exception(error)
    return future


def read(keys: Iterable[Key], *, consistent: bool = True) -> dict[Key, Item]:
    """Returns the items that exist under these keys: one call per `BATCH_KEYS`, at the same time.

    A read that need not be `consistent` may miss a write of the last second, and costs half.
    """
    distinct = list(dict.fromkeys(keys))
    if not distinct:
        return {}
    first, *more = [distinct[i : i + BATCH_KEYS] for i in range(0, len(distinct), BATCH_KEYS)]
    others = [run_async(partial(_read_batch, batch, consistent)) for batch in more]
    items = _read_batch(first, consistent)
    for other in others:
        items |= other.result()
    return items


def _read_batch(keys: Sequence[Key], consistent: bool) -> dict[Key, Item]:
    name = settings().table_name
    wanted: list[dict[str, Any]] = [marshal(key.attributes) for key in keys]
    items: dict[Key, Item] = {}
    for attempt in range(_UNPROCESSED_ATTEMPTS):
        answer = _call("batch_get_item", RequestItems={name: {"Keys": wanted, "ConsistentRead": consistent}})
        batch = (unmarshal(raw) for raw in answer.get("Responses", {}).get(name, []))
        items |= {key_of(item): item for item in batch}
        wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])
        if not wanted:
            return items
        _back_off(attempt)
    raise failures.report("batch_get_item", StoreFailure.THROTTLED, "UnprocessedKeys")


def read_one(key: Key) -> Item | None:
    """Returns the item under this key, read consistently; None if there is none."""
    return read([key]).get(key)


def query(span: Range, limit: int | None = None, *, descending: bool = False) -> list[Item]:
    """Returns the items of a range in order, read consistently: all, or the first `limit`.

    For an index that projects keys only, the items contain only their keys.
    """
    return [unmarshal(typed) for typed in query_raw(span, limit, descending=descending)]


def query_raw(span: Range, limit: int | None = None, *, descending: bool = False) -> list[Item]:
    """Returns the same as `query` with typed attributes, for a caller that does not need them all as plain values."""
    items: list[Item] = []
    low, high = _bounds(span)
    if low > high:
        return items
    for batch in _pages(_query_request(span, low, high, descending), limit):
        items += batch
        if limit is not None and len(items) >= limit:
            return items[:limit]
    return items


def iter_range(span: Range, *attributes: str) -> Iterator[Item]:
    """Yields these attributes of the items of a range, in order, read consistently and page by page as needed."""
    if _is_open(span):
        for batch in _strides(span, attributes, _STRIDE):
            yield from map(unmarshal, batch)


def _is_open(span: Range) -> bool:
    low, high = _bounds(span)
    return low <= high


def _strides(span: Range, attributes: Sequence[str], first: int) -> Iterator[list[Item]]:
    """Yields the typed attributes of the items of a range call by call: the `first` of them, then longer strides."""
    request = _query_request(span, *_bounds(span), descending=False)
    names = {f"#a{i}": name for i, name in enumerate(attributes)}
    request.pop("Select", None)  # of an index; the attributes are named instead
    request["ExpressionAttributeNames"] |= names
    return _pages(request | {"ProjectionExpression": ", ".join(names)}, first, _STRIDE)


def scan_page(**request: Any) -> Any:
    """Returns a page of the whole table as the store answers it; only operators may read it so."""
    return _call("scan", **request)


def iter_ranges(spans: Sequence[Range], first: int, *attributes: str, ahead: int | None = None) -> Iterator[Item]:
    """Yields these attributes of the items of several ranges, one range after the other, read consistently.

    The `first` items of `ahead` ranges (None: of all) are read at the same time, then of twice as many more if they are
    asked for, and so on; the others page by page as needed.
    """
    readers = [_strides(span, attributes, first) for span in spans if _is_open(span)]
    wave = ahead or len(readers)
    while readers:
        some, readers, wave = readers[:wave], readers[wave:], 2 * wave
        started = [run_async(partial(next, reader)) for reader in some[1:]]
        for number, reader in enumerate(some):
            yield from map(unmarshal, started[number - 1].result() if number else next(reader))
            for batch in reader:
                yield from map(unmarshal, batch)


def _pages(request: dict[str, Any], limit: int | None, later_limit: int | None = None) -> Iterator[list[Item]]:
    """Yields the items of a query call by call: at most `limit` of the first, then at most `later_limit` if given."""
    if limit is not None:
        request["Limit"] = limit
    while True:
        answer = _call("query", **request)
        yield answer.get("Items", [])
        if "LastEvaluatedKey" not in answer:
            return
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
        if later_limit is not None:
            request["Limit"] = later_limit


def _bounds(span: Range) -> tuple[str, str]:
    """Returns the lowest and the highest sort key of the range, both inclusive, as BETWEEN takes them."""
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
    """Returns the greatest key below `bound`; no key holds a character as high as `_HIGHEST`."""
    return bound[:-1] + chr(ord(bound[-1]) - 1) + _HIGHEST


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
            answer = _raw_call("transact_write_items", **request)
            partitions.watch(answer)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] == "TransactionCanceledException":
                if (elsewhere := _in_reserves(error, writes)) is not None:
                    _transact(elsewhere)
                    return
                _raise_failed_condition(error, writes)
            elif error.response["Error"]["Code"] != "TransactionInProgressException":
                raise failures.failed("transact_write_items", error) from None
            if attempt == attempts:
                raise failures.failed("transact_write_items", error) from None
        telemetry.count(Metric.CONFLICTS_RETRIED)
        _back_off(attempt - 1)


def _in_reserves(error: ClientError, writes: Sequence[Write]) -> list[Write] | None:
    """Returns the writes with those of full partitions in their reserves.

    None if no partition is full, or if one has no reserve: the transaction fails as it is.
    """
    codes = failures.codes_of_writes(error)
    if not failures.is_full(error) or len(codes) != len(writes):
        return None
    moved = [
        in_reserve(write) if failures.means_full(code) else write for write, code in zip(writes, codes, strict=True)
    ]
    found = [write for write in moved if write is not None]
    return found if len(found) == len(writes) else None


def delete_all(keys: Iterable[Key]) -> None:
    """Deletes the items under these distinct keys, as many in each transaction as it takes, in their order."""
    remaining = iter(keys)
    while batch := [Delete(key) for key in islice(remaining, TRANSACTION_WRITES)]:
        transact(batch)


def _raise_failed_condition(error: ClientError, writes: Sequence[Write]) -> None:
    """Raises the error of the first failed condition; returns where a repeat may succeed: a conflict, throttling."""
    reasons: list[dict[str, Any]] = error.response.get("CancellationReasons", [])  # type: ignore[assignment]
    for reason, write in zip(reasons, writes, strict=False):
        if reason.get("Code") == "ConditionalCheckFailed":
            old = reason.get("Item")
            raise write.on_failure(unmarshal(old) if old else None) from None
    if any(reason.get("Code") == "ValidationError" for reason in reasons):
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
    """Sets a member of an item unless it holds a greater value than `unless_after`. A failure is ignored."""
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
    except (ApiError, failures.StoreDefectError):
        return


def _call(operation: str, **request: Any) -> Any:
    try:
        return _raw_call(operation, **request)
    except ClientError as error:
        raise failures.failed(operation, error) from None


def _raw_call(operation: str, **request: Any) -> Any:
    started = time.perf_counter()
    try:
        deadline.check(deadline.STORE_ATTEMPT_SECONDS)
        answer = getattr(client(), operation)(**request)
    except BotoCoreError as error:
        raise failures.failed(operation, error) from None
    except deadline.DeadlineExceededError:
        raise failures.report(operation, StoreFailure.UNREACHABLE, "DeadlineExceeded") from None
    milliseconds = int((time.perf_counter() - started) * 1000)
    telemetry.log_store_call(operation, milliseconds, answer["ResponseMetadata"].get("RetryAttempts", 0))
    return answer


def _back_off(attempt: int) -> None:
    time.sleep(random.uniform(0, min(_BACKOFF_SECONDS * 2**attempt, _LONGEST_BACKOFF_SECONDS)))  # noqa: S311 - jitter, not a secret
