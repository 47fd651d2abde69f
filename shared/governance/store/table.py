"""Reads of the table: items by their keys, and ranges of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from governance.limits import BATCH_KEYS
from governance.settings import settings
from governance.store import dynamodb, failures
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.keys import PK, SK, Item, Key, Range, index_name, key_of
from governance.telemetry import StoreFailure

_STRIDE = 1000
"""Items per call where all are read: a full megabyte of small ones can take a busy store longer than the time-out."""
_UNPROCESSED_ATTEMPTS = 5
_LOWEST, _HIGHEST = "\0", "\U0010ffff"


def read(keys: Iterable[Key], *, consistent: bool = True) -> dict[Key, Item]:
    """Returns the items that exist under these keys: one call per `BATCH_KEYS`, at the same time.

    A read that need not be `consistent` may miss a write of the last second, and costs half.
    """
    distinct = list(dict.fromkeys(keys))
    if not distinct:
        return {}
    first, *more = [distinct[i : i + BATCH_KEYS] for i in range(0, len(distinct), BATCH_KEYS)]
    others = [dynamodb.run_async(partial(_read_batch, batch, consistent)) for batch in more]
    items = _read_batch(first, consistent)
    for other in others:
        items |= other.result()
    return items


def _read_batch(keys: Sequence[Key], consistent: bool) -> dict[Key, Item]:
    name = settings().table_name
    wanted: list[dict[str, Any]] = [marshal(key.attributes) for key in keys]
    items: dict[Key, Item] = {}
    for attempt in range(_UNPROCESSED_ATTEMPTS):
        answer = dynamodb.call("batch_get_item", RequestItems={name: {"Keys": wanted, "ConsistentRead": consistent}})
        batch = (unmarshal(raw) for raw in answer.get("Responses", {}).get(name, []))
        items |= {key_of(item): item for item in batch}
        wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])
        if not wanted:
            return items
        dynamodb.back_off(attempt)
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
    if not _is_open(span):
        return items
    for batch in _pages(_query_request(span, descending), limit):
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
    request = _query_request(span, descending=False)
    names = {f"#a{i}": name for i, name in enumerate(attributes)}
    request.pop("Select", None)  # of an index; the attributes are named instead
    request["ExpressionAttributeNames"] |= names
    return _pages(request | {"ProjectionExpression": ", ".join(names)}, first, _STRIDE)


def scan_page(**request: Any) -> Any:
    """Returns a page of the whole table as the store answers it; only operators may read it so."""
    return dynamodb.call("scan", **request)


def iter_ranges(spans: Sequence[Range], first: int, *attributes: str, ahead: int | None = None) -> Iterator[Item]:
    """Yields these attributes of the items of several ranges, one range after the other, read consistently.

    The `first` items of `ahead` ranges (None: of all) are read at the same time, then of twice as many more if they are
    asked for, and so on; the others page by page as needed.
    """
    readers = [_strides(span, attributes, first) for span in spans if _is_open(span)]
    wave = ahead or len(readers)
    while readers:
        some, readers, wave = readers[:wave], readers[wave:], 2 * wave
        started = [dynamodb.run_async(partial(next, reader)) for reader in some[1:]]
        for number, reader in enumerate(some):
            yield from map(unmarshal, started[number - 1].result() if number else next(reader))
            for batch in reader:
                yield from map(unmarshal, batch)


def _pages(request: dict[str, Any], limit: int | None, later_limit: int | None = None) -> Iterator[list[Item]]:
    """Yields the items of a query call by call: at most `limit` of the first, then at most `later_limit` if given."""
    if limit is not None:
        request["Limit"] = limit
    while True:
        answer = dynamodb.call("query", **request)
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


def _query_request(span: Range, descending: bool) -> dict[str, Any]:
    low, high = _bounds(span)
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
