"""Checks every AWS call of a handler against the IAM role that the template gives to its function.

`enforced_privileges` is active in every test, so the whole suite runs under the deployed privileges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Any
from unittest import mock

from botocore.client import BaseClient

from governance.settings import settings
from governance.store.attributes import unmarshal
from governance.store.client.table_client import ACTIONS, Reply, TableClient
from governance.store.schema.keys import PK
from infra.stack.template import Template

_acting: ContextVar[str | None] = ContextVar("acting", default=None)
_WRITES = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
_OBJECT_ACTIONS = {
    **dict.fromkeys(("CompleteMultipartUpload", "CopyObject", "CreateMultipartUpload", "UploadPart"), "PutObject"),
    "HeadObject": "GetObject",
}
_ACTIONS = {"apigatewaymanagementapi": "execute-api:ManageConnections", "lambda": "lambda:InvokeFunction"}
"""The one action of a service that does not have the name of the call."""
_MAIL = ("ses:SendEmail", "ses:SendRawEmail")  # raw content asks for the second


class NotPermitted(AssertionError):
    """The function's role does not permit this call."""


@dataclass(frozen=True, order=True)
class Need:
    """An action that a call requires; for the table also the kind of partition and whether an index is read.

    `target` is what a call of another service names: an object as bucket/key, a queue by its URL, the sender of a mail,
    a key.
    """

    action: str
    partition: str = ""
    index: bool = False
    target: str = field(default="", compare=False)


@dataclass(frozen=True)
class Grant:
    """A statement of a role: its actions, the kinds of partitions it covers, and whether it covers the indexes."""

    actions: frozenset[str]
    partitions: frozenset[str]
    index: bool
    resources: tuple[str, ...]

    def permits(self, need: Need) -> bool:
        """Returns whether this statement alone permits the call."""
        if not any(fnmatchcase(need.action, action) for action in self.actions):
            return False
        if need.index and not self.index:
            return False
        if not need.index and all("/index/" in resource for resource in self.resources):
            return False
        return not need.partition or not self.partitions or need.partition in self.partitions


@contextmanager
def acting_as(group: str | None) -> Iterator[None]:
    """Attributes the calls inside the context to this group's function; None: to the test."""
    token = _acting.set(group)
    try:
        yield
    finally:
        _acting.reset(token)


def acting() -> str | None:
    """Returns the group whose function runs; None outside of any function."""
    return _acting.get()


@contextmanager
def enforced_privileges() -> Iterator[list[tuple[str, Need]]]:
    """Checks each call against the role of the function that makes it. Yields the needs so far, by group."""
    client_class: Any = BaseClient
    real, real_call = client_class._emit_api_params, TableClient.call
    observed: list[tuple[str, Need]] = []

    def note(service: str, operation: str, parameters: Mapping[str, Any]) -> None:
        group = _acting.get()
        if group is not None:
            for need in needs(service, operation, parameters):
                observed.append((group, need))
                _require(group, need)

    def check(client: Any, api_params: Any, operation_model: Any, context: Any) -> Any:
        note(operation_model.service_model.service_name, operation_model.name, api_params)
        return real(client, api_params=api_params, operation_model=operation_model, context=context)

    def check_table(client: TableClient, operation: str, request: Mapping[str, Any]) -> Reply:
        note("dynamodb", ACTIONS[operation], request)
        return real_call(client, operation, request)

    with (
        mock.patch.object(BaseClient, "_emit_api_params", check),
        mock.patch.object(TableClient, "call", check_table),
    ):
        yield observed


def _require(group: str, need: Need) -> None:
    if not _permits(group, need):
        raise NotPermitted(f"{group} may not {need.action} {need.partition}{' by an index' if need.index else ''}")


@cache
def _permits(group: str, need: Need) -> bool:
    """Returns whether a function's role permits a call."""
    return any(grant.permits(need) for grant in grants(group))


def needs(service: str, operation: str, parameters: Mapping[str, Any]) -> Iterable[Need]:
    """Returns the permissions that a call requires."""
    if service == "sesv2":
        return [Need(action, target=parameters["FromEmailAddress"]) for action in _MAIL]
    if service == "sqs":
        return [Need(f"sqs:{operation.removesuffix('Batch')}", target=parameters["QueueUrl"])]
    if service == "s3":
        source = parameters.get("CopySource")
        read = [_object_need("GetObject", source["Bucket"], source["Key"])] if source else []
        return read + [
            _object_need(operation, parameters["Bucket"], key) for key in _object_keys(operation, parameters)
        ]
    if service != "dynamodb":
        return [Need(_ACTIONS.get(service, f"{service}:{operation}"))]
    if operation == "TransactWriteItems":
        parts = [part for item in parameters["TransactItems"] for part in item.items()]
        return [_need(_WRITES[kind], body.get("Key") or body["Item"]) for kind, body in parts]
    if operation == "BatchGetItem":
        return [_need(operation, key) for key in parameters["RequestItems"][settings().table_name]["Keys"]]
    if operation == "Query":
        key = {PK: parameters["ExpressionAttributeValues"][":pk"]}
        return [_need(operation, key, index="IndexName" in parameters)]
    return [_need(operation, parameters["Key"])]


def _object_keys(operation: str, parameters: Mapping[str, Any]) -> list[str]:
    if operation == "CreateBucket":
        return []  # the SDK signs a form by it, and calls nothing
    return [name["Key"] for name in parameters["Delete"]["Objects"]] if "Delete" in parameters else [parameters["Key"]]


def _object_need(operation: str, bucket: str, key: str) -> Need:
    """Returns the permission on an object: an upload in parts needs that of a put, a deletion of many that of one."""
    return Need(f"s3:{_OBJECT_ACTIONS.get(operation, operation.removesuffix('s'))}", target=f"{bucket}/{key}")


def _need(operation: str, key: dict[str, Any], *, index: bool = False) -> Need:
    partition = str(unmarshal({PK: key[PK]})[PK])
    return Need(f"dynamodb:{operation}", partition.partition("#")[0], index)


@cache
def grants(group: str) -> tuple[Grant, ...]:
    """Returns the statements of a function's role."""
    template = Template()
    (name,) = [name for name, of_function in template.functions().items() if of_function == group]
    role = template.resources("AWS::Serverless::Function")[name]["Role"]["Fn::GetAtt"][0]
    policies = template.resources("AWS::IAM::Role")[role]["Policies"]
    statements = [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]
    return tuple(_grant(statement) for statement in statements)


def _grant(statement: dict[str, Any]) -> Grant:
    actions, resources = as_list(statement["Action"]), [str(resource) for resource in as_list(statement["Resource"])]
    condition = statement.get("Condition", {})
    keys = condition.get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", [])
    return Grant(
        frozenset(actions),
        frozenset(key.removesuffix("#*") for key in keys),
        any("/index/" in resource for resource in resources),
        tuple(resources),
    )


def as_list(value: Any) -> list[Any]:
    """Returns a value of a policy that may be one or a list as a list."""
    return value if isinstance(value, list) else [value]
