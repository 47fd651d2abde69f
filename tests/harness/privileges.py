"""Checks every AWS call of a handler against the IAM role that the template gives to its function.

`enforced_privileges` is active in every test, so the whole suite runs under the deployed privileges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from botocore.client import BaseClient

from governance.settings import settings
from governance.store.attributes import unmarshal
from governance.store.schema import PK
from infra.stack.template import Template

_acting: ContextVar[str | None] = ContextVar("acting", default=None)
_WRITES = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
_MAIL = ("ses:SendEmail", "ses:SendRawEmail")  # raw content asks for the second


class NotPermitted(AssertionError):
    """The function's role does not permit this call."""


@dataclass(frozen=True, order=True)
class Need:
    """An action that a call requires; for the table also the kind of partition and whether an index is read.

    `attributes` are those that a write names, in its item, its expressions and its key.
    """

    action: str
    partition: str = ""
    index: bool = False
    attributes: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True)
class Grant:
    """A statement of a role: its actions, the kinds of partitions it covers, and whether it covers the indexes.

    A statement with `attributes` covers only writes that name no others.
    """

    actions: frozenset[str]
    partitions: frozenset[str]
    attributes: frozenset[str]
    index: bool
    resources: tuple[str, ...]

    def permits(self, need: Need) -> bool:
        """Returns whether this statement alone permits the call."""
        if not any(fnmatchcase(need.action, action) for action in self.actions):
            return False
        if need.index and not self.index:
            return False
        if self.attributes and not need.attributes <= self.attributes:
            return False
        return not need.partition or not self.partitions or need.partition in self.partitions


@contextmanager
def acting_as(group: str) -> Iterator[None]:
    """Attributes the calls inside the context to this group's function."""
    token = _acting.set(group)
    try:
        yield
    finally:
        _acting.reset(token)


@contextmanager
def enforced_privileges() -> Iterator[list[tuple[str, Need]]]:
    """Checks each call against the role of the function that makes it. Yields the needs so far, by group."""
    client_class: Any = BaseClient
    real = client_class._emit_api_params
    observed: list[tuple[str, Need]] = []

    def check(client: Any, api_params: Any, operation_model: Any, context: Any) -> Any:
        group = _acting.get()
        if group is not None:
            for need in needs(operation_model.service_model.service_name, operation_model.name, api_params):
                observed.append((group, need))
                _require(group, need)
        return real(client, api_params=api_params, operation_model=operation_model, context=context)

    client_class._emit_api_params = check
    try:
        yield observed
    finally:
        client_class._emit_api_params = real


def _require(group: str, need: Need) -> None:
    if not any(grant.permits(need) for grant in grants(group)):
        raise NotPermitted(f"{group} may not {need.action} {need.partition}{' by an index' if need.index else ''}")


def needs(service: str, operation: str, parameters: dict[str, Any]) -> Iterable[Need]:
    """Returns the permissions that a call requires."""
    if service == "sesv2":
        return [Need(action) for action in _MAIL]
    if service == "sqs":
        return [Need(f"sqs:{operation.removesuffix('Batch')}")]
    if service != "dynamodb":
        return [Need(f"{service}:{operation}")]
    if operation == "TransactWriteItems":
        parts = [part for item in parameters["TransactItems"] for part in item.items()]
        return [_need(_WRITES[kind], body.get("Key") or body["Item"], names=_attributes(body)) for kind, body in parts]
    if operation == "BatchGetItem":
        return [_need(operation, key) for key in parameters["RequestItems"][settings().table_name]["Keys"]]
    if operation == "Query":
        key = {PK: parameters["ExpressionAttributeValues"][":pk"]}
        return [_need(operation, key, index="IndexName" in parameters)]
    return [_need(operation, parameters["Key"], names=_attributes(parameters))]


def _attributes(body: dict[str, Any]) -> frozenset[str]:
    return frozenset({*body.get("Key", {}), *body.get("Item", {}), *body.get("ExpressionAttributeNames", {}).values()})


def _need(operation: str, key: dict[str, Any], *, index: bool = False, names: frozenset[str] = frozenset()) -> Need:
    partition = str(unmarshal({PK: key[PK]})[PK])
    return Need(f"dynamodb:{operation}", partition.partition("#")[0], index, names)


@cache
def grants(group: str) -> tuple[Grant, ...]:
    """Returns the statements of a function's role."""
    template = Template()
    (name,) = [name for name, found in template.functions().items() if found == group]
    role = template.resources("AWS::Serverless::Function")[name]["Role"]["Fn::GetAtt"][0]
    policies = template.resources("AWS::IAM::Role")[role]["Policies"]
    statements = [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]
    return tuple(_grant(statement) for statement in statements)


def _grant(statement: dict[str, Any]) -> Grant:
    actions, resources = _list(statement["Action"]), [str(each) for each in _list(statement["Resource"])]
    condition = statement.get("Condition", {})
    keys = condition.get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", [])
    attributes = condition.get("ForAllValues:StringEquals", {}).get("dynamodb:Attributes", [])
    return Grant(
        frozenset(actions),
        frozenset(key.removesuffix("#*") for key in keys),
        frozenset(attributes),
        any("/index/" in resource for resource in resources),
        tuple(resources),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
