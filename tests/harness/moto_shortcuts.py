"""Saves moto work that changes none of its answers; half of a quick test's time is moto's."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest import mock

from moto.core.serialize import JSONSerializer
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import Table

_BINARY = {"B", "BS"}


@contextmanager
def shortcuts() -> Iterator[None]:
    """Copies the table once in a transaction, not once for each write, and leaves attributes as they are."""
    with ExitStack() as stack:
        for owner, name, replacement in (
            (DynamoDBBackend, "transact_write_items", _transact_write_items),
            (JSONSerializer, "_serialize_type_structure", _serialize_type_structure),
        ):
            stack.enter_context(mock.patch.object(owner, name, replacement))
        yield


_original_transact = DynamoDBBackend.transact_write_items
_original_serialize = JSONSerializer._serialize_type_structure


def _transact_write_items(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    """Takes the copies for a rollback before anything is written: for each write of a table, the same copy."""
    tables: dict[str, Any] = {}

    def deepcopy(value: Any) -> Any:
        if not isinstance(value, Table):
            return copy.deepcopy(value)
        if value.name not in tables:
            tables[value.name] = copy.deepcopy(value)
        return tables[value.name]

    with mock.patch.object(models, "copy", SimpleNamespace(deepcopy=deepcopy)):
        _original_transact(backend, transact_items)


def _serialize_type_structure(serializer: JSONSerializer, serialized: Any, value: Any, shape: Any, key: str) -> None:
    """Passes an attribute on as it is: moto holds it in the form of the wire, unless it is binary."""
    if shape.name == "AttributeValue" and isinstance(value, dict) and not _BINARY & {*value}:
        serializer._default_serialize(serialized, value, shape, key)
    else:
        _original_serialize(serializer, serialized, value, shape, key)
