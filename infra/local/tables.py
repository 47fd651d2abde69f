"""Creates the local table, bucket and key from the properties that template.yaml deploys."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import ClientError

from infra.stack.template import Template

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_KEY_PROPERTIES = ("AttributeDefinitions", "KeySchema", "LocalSecondaryIndexes", "GlobalSecondaryIndexes")


class TableMismatch(Exception):
    """The table exists, but its keys or indexes are not those of the template."""


def create_table(template: Template, name: str, before: Callable[[], None] = lambda: None) -> bool:
    """Creates the table if it is absent, once `before` has returned. Returns whether it did. Raises `TableMismatch`."""
    client: DynamoDBClient = boto3.client("dynamodb")
    properties = template.table()
    try:
        table = client.describe_table(TableName=name)["Table"]
    except client.exceptions.ResourceNotFoundException:
        before()
        _create(client, properties, name)
        return True
    if _key_schema(table) != _key_schema(properties):
        raise TableMismatch(name)
    return False


def delete_table(name: str) -> None:
    """Deletes the table if it is there."""
    client: DynamoDBClient = boto3.client("dynamodb")
    with suppress(client.exceptions.ResourceNotFoundException):
        client.delete_table(TableName=name)
        client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1})


def _create(client: DynamoDBClient, properties: dict[str, Any], name: str) -> None:
    keys = {part: properties[part] for part in _KEY_PROPERTIES if part in properties}
    stream = properties["StreamSpecification"] | {"StreamEnabled": True}
    client.create_table(TableName=name, BillingMode=properties["BillingMode"], StreamSpecification=stream, **keys)
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    client.update_time_to_live(TableName=name, TimeToLiveSpecification=properties["TimeToLiveSpecification"])


def _key_schema(table: Any) -> list[str]:
    """Returns attributes, keys and indexes in a form that can be compared."""
    indexes = [*table.get("LocalSecondaryIndexes", []), *table.get("GlobalSecondaryIndexes", [])]
    keys = [
        (index.get("IndexName", ""), [(key["AttributeName"], key["KeyType"]) for key in index["KeySchema"]])
        for index in [table, *indexes]
    ]
    kinds = [(index["IndexName"], index["Projection"]["ProjectionType"]) for index in indexes]
    attributes = [(entry["AttributeName"], entry["AttributeType"]) for entry in table["AttributeDefinitions"]]
    return sorted(map(str, [*keys, *kinds, *attributes]))


def create_bucket(name: str) -> bool:
    """Creates the bucket if it is absent, and returns whether it did."""
    client = boto3.client("s3")
    try:
        client.head_bucket(Bucket=name)
    except ClientError:
        location: Any = {"LocationConstraint": client.meta.region_name}
        client.create_bucket(Bucket=name, CreateBucketConfiguration=location)
        return True
    return False


def create_key(alias: str) -> None:
    """Creates the key of webhook secrets under an alias if it is absent."""
    client = boto3.client("kms")
    try:
        client.describe_key(KeyId=alias)
    except client.exceptions.NotFoundException:
        client.create_alias(AliasName=alias, TargetKeyId=client.create_key()["KeyMetadata"]["KeyId"])
