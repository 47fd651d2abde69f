"""Saves work of moto and of the SDK that changes no answer: two thirds of a quick test's time would be theirs."""

from __future__ import annotations

import copy
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest import mock

from botocore.awsrequest import AWSPreparedRequest
from moto.core import DEFAULT_ACCOUNT_ID  # type: ignore[attr-defined]
from moto.core.botocore_stubber import BotocoreStubber
from moto.core.exceptions import ServiceException
from moto.core.models import botocore_stubber
from moto.core.serialize import JSONSerializer
from moto.core.utils import get_service_model
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table
from moto.dynamodb.parsing.ast_nodes import DepthFirstTraverser, Node  # type: ignore[attr-defined]
from moto.dynamodb.parsing.expressions import UpdateExpressionParser  # type: ignore[attr-defined]
from moto.dynamodb.responses import DynamoHandler
from werkzeug.exceptions import HTTPException

_ACTIONS = {
    "BatchGetItem": DynamoHandler.batch_get_item,
    "CreateTable": DynamoHandler.create_table,
    "DeleteItem": DynamoHandler.delete_item,
    "DeleteTable": DynamoHandler.delete_table,
    "GetItem": DynamoHandler.get_item,
    "PutItem": DynamoHandler.put_item,
    "Query": DynamoHandler.query,
    "Scan": DynamoHandler.scan,
    "TransactWriteItems": DynamoHandler.transact_write_items,
    "UpdateItem": DynamoHandler.update_item,
}
_TEXT = "S"
_BINARY = (b'{"B":', b'{"BS":')
_processed: dict[tuple[type, type], bool] = {}
_HEADERS = {"x-amzn-requestid": "a-request-of-a-test"}


@contextmanager
def shortcuts() -> Iterator[None]:
    """Answers the table's requests without moto's way through HTTP, and copies in a transaction only what it writes."""
    with ExitStack() as stack:
        for owner, name, replacement in (
            (DynamoDBBackend, "transact_write_items", _transact_write_items),
            (BotocoreStubber, "process_request", _process_request),
            (UpdateExpressionParser, "make", cache(UpdateExpressionParser.make)),
            (DepthFirstTraverser, "traverse_node_recursively", _traverse_node_recursively),
            (DynamoType, "cast_value", property(_cast_value)),
            (Table, "all_items", _all_items),
        ):
            stack.enter_context(mock.patch.object(owner, name, replacement))
        yield


_original_transact = DynamoDBBackend.transact_write_items
_original_process = BotocoreStubber.process_request
_original_cast: Any = DynamoType.cast_value
_original_all_items = Table.all_items


def _process_request(stubber: BotocoreStubber, request: AWSPreparedRequest) -> Any:
    """Calls the table's action with the body of a request, which moto would parse to the same unless it is binary."""
    region, target = DynamoHandler.region_regex.search(request.url), request.headers.get("X-Amz-Target", b"")
    name = target.decode().removeprefix("DynamoDB_20120810.") if isinstance(target, bytes) else ""
    body = request.body
    if region is None or name not in _ACTIONS or not isinstance(body, bytes) or any(mark in body for mark in _BINARY):
        return _original_process(stubber, request)
    handler: Any = DynamoHandler()
    handler.body = json.loads(body)
    handler.current_account = os.environ.get("MOTO_ACCOUNT_ID", DEFAULT_ACCOUNT_ID)
    handler.region = region["region"]
    try:
        result = _ACTIONS[name](handler).result
    except HTTPException as error:
        return error.code, dict(error.get_headers()) | _HEADERS, error.description
    except ServiceException as error:
        return _serialized(name, error)
    try:
        return 200, _HEADERS, json.dumps(result, default=_seconds)
    except TypeError:  # it has binary values
        return _serialized(name, result)


def answer_of_moto(action: str, body: bytes) -> tuple[int, bytes]:
    """Returns moto's status and body for a request to the table, without the SDK."""
    headers: Any = {"X-Amz-Target": f"DynamoDB_20120810.{action}".encode()}
    url = f"https://dynamodb.{os.environ['AWS_REGION']}.amazonaws.com/"
    status, _, text = _process_request(botocore_stubber, AWSPreparedRequest("POST", url, headers, body, False))
    return status, text if isinstance(text, bytes) else str(text).encode()


def _seconds(value: object) -> float:
    """Returns an instant as the table's protocol writes it."""
    if not isinstance(value, datetime):
        raise TypeError
    return value.timestamp()


def _serialized(operation: str, result: object) -> Any:
    serialized: Any = JSONSerializer(get_service_model("dynamodb").operation_model(operation)).serialize(result)
    return serialized["status_code"], serialized["headers"] | _HEADERS, serialized["body"]


def _transact_write_items(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    """Takes one copy of each table for a rollback, with copies of the items that the transaction writes only."""
    tables: dict[str, Any] = {}

    def deepcopy(value: Any) -> Any:
        if not isinstance(value, Table) or value.stream_shard is not None:
            return copy.deepcopy(value)
        if value.name not in tables:
            tables[value.name] = _snapshot(value, [next(iter(item.values())) for item in transact_items])
        return tables[value.name]

    with mock.patch.object(models, "copy", SimpleNamespace(deepcopy=deepcopy)):
        _original_transact(backend, transact_items)


def _snapshot(table: Table, writes: list[dict[str, Any]]) -> Table:
    rows: Any = table.items
    snapshot: Any = copy.copy(table)
    snapshot.items = defaultdict(dict, {partition: dict(items) for partition, items in rows.items()})
    for write in writes:
        key = write.get("Key") or write.get("Item") or {}
        if key.keys() >= {table.hash_key_attr, table.range_key_attr}:
            partition, sort_key = DynamoType(key[table.hash_key_attr]), DynamoType(key[table.range_key_attr])
            if sort_key in rows.get(partition, {}):
                snapshot.items[partition][sort_key] = copy.deepcopy(rows[partition][sort_key])
    return snapshot  # type: ignore[no-any-return]


def _cast_value(attribute: DynamoType) -> Any:
    """Returns a text, as most attributes are, without asking whether it is of any other type."""
    return attribute.value if attribute.type == _TEXT else _original_cast.fget(attribute)


def _all_items(table: Table) -> list[Any]:
    """Sorts the items by the texts that their keys are; moto looks at the type of each key at each comparison."""
    if {attribute["AttributeType"] for attribute in table.attr} != {_TEXT} or table.range_key_attr is None:
        return list(_original_all_items(table))
    partitions: Any = table.items
    items = [item for partition in partitions.values() for item in partition.values()]
    return sorted(items, key=lambda item: (item.hash_key.value, item.range_key.value))


def _traverse_node_recursively(traverser: DepthFirstTraverser, node: Any, child_id: int = -1) -> Any:
    """Does what the original does, and asks once for each class of nodes whether it is processed."""
    if not isinstance(node, Node):
        return node
    parent = node.parent
    for position, child in enumerate(node.children or ()):
        traverser.pre_processing_of_child(node, position)
        _traverse_node_recursively(traverser, child, position)
    kinds = type(traverser), type(node)
    if kinds not in _processed:
        _processed[kinds] = isinstance(node, traverser.nodes_to_be_processed())
    if _processed[kinds]:
        node = traverser.process(node)
        node.parent = parent
        if parent:
            parent.children[child_id] = node
    return node
