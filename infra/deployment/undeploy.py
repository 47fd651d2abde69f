"""`make undeploy`: removes an installation with all of its data, after its name was typed.

It also removes what failed or deleted stacks of the same name left: table, bucket, key, user pool, vault, secret.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from infra.deployment import download_keys, stacks
from infra.deployment.deploy import DEFAULT_STACK, StepFailed, session
from infra.deployment.stacks import Resource

SAM_STACK = "aws-sam-cli-managed-default"
"""The stack in which SAM keeps its bucket for uploads, one in each region."""
_KEY_DAYS = 7
"""The shortest time after which KMS deletes a key."""
_BUCKET, _SECRET = "AWS::S3::Bucket", "AWS::SecretsManager::Secret"
OUTLIVING = (
    "AWS::DynamoDB::Table",
    _BUCKET,
    "AWS::KMS::Key",
    "AWS::Cognito::UserPool",
    "AWS::Backup::BackupVault",
    _SECRET,
)


def resources_of(client: Any, name: str) -> list[Resource]:
    """Returns the resources of a stack and those that deleted stacks of the same name left."""
    found = ([name] if stacks.describe(client, name) else []) + stacks.deleted(client, name)
    own = [resource for stack in found for resource in stacks.resources(client, stack)]
    given = [stacks.parameters(stacks.describe(client, stack)) for stack in found]
    keys = dict.fromkeys(secret for parameters in given for secret in download_keys.names(parameters))
    own += [Resource("DownloadKey", _SECRET, secret) for secret in keys]  # which `make deploy` makes
    restored = stacks.parameters(stacks.describe(client, name)).get("RestoredTable", "").rpartition("/")[2]
    return own + ([Resource("RestoredTable", "AWS::DynamoDB::Table", restored)] if restored else [])


def require_home(sdk: Any, name: str, resources: list[Resource]) -> None:
    """Raises `StepFailed` if the firewall of this name protects a stack of another region, or nothing has this name."""
    edge = sdk.client("cloudformation", region_name=stacks.FIREWALL_REGION)
    stack = stacks.describe(edge, f"{name}-firewall")
    if not (stack or resources or stacks.describe(sdk.client("cloudformation"), name)):
        raise StepFailed(f"There is no installation {name} in {sdk.region_name}: set STACK or AWS_DEFAULT_REGION.")
    firewall = stacks.parameters(stack)
    home = firewall.get("Region") or ("" if resources or not firewall.get("DistributionId") else "another region")
    if home not in {"", sdk.region_name}:
        raise StepFailed(f"The stack {name} is in {home}: set AWS_DEFAULT_REGION. Nothing was deleted.")


def deactivate_receipt_rules(sdk: Any, resources: list[Resource]) -> None:
    """Makes no receipt rule set active if the stack's is: SES deletes no active one."""
    own = {resource.physical_id for resource in resources if resource.kind == "AWS::SES::ReceiptRuleSet"}
    if own:
        client = sdk.client("ses")
        if client.describe_active_receipt_rule_set().get("Metadata", {}).get("Name") in own:
            client.set_active_receipt_rule_set()


def empty_bucket(sdk: Any, name: str, region: str | None = None) -> None:
    """Deletes every version of every object. A bucket that does not exist is empty."""
    client = sdk.client("s3", region_name=region)
    try:
        for page in client.get_paginator("list_object_versions").paginate(Bucket=name):
            entries = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
            objects = [{"Key": entry["Key"], "VersionId": entry["VersionId"]} for entry in entries]
            if objects:
                client.delete_objects(Bucket=name, Delete={"Objects": objects, "Quiet": True})
    except client.exceptions.NoSuchBucket:
        return


def delete_stack(sdk: Any, name: str, region: str) -> None:
    """Deletes a stack and waits for it. Raises `StepFailed` with the reason if CloudFormation cannot."""
    client = sdk.client("cloudformation", region_name=region)
    if stacks.describe(client, name) is None:
        return
    print(f"Deleting {name} ({region}) …", flush=True)
    stacks.set_termination_protection(client, name, enabled=False)
    client.delete_stack(StackName=name)
    try:
        client.get_waiter("stack_delete_complete").wait(StackName=name, WaiterConfig={"Delay": 10, "MaxAttempts": 360})
    except BotoCoreError as error:
        raise StepFailed(
            f"{name} was not deleted ({error}). Read its events in the console, then repeat this."
        ) from None


def delete_table(sdk: Any, name: str) -> None:
    """Removes the protection of a table and deletes it."""
    client = sdk.client("dynamodb")
    client.update_table(TableName=name, DeletionProtectionEnabled=False)
    client.get_waiter("table_exists").wait(TableName=name)
    client.delete_table(TableName=name)


def delete_bucket(sdk: Any, name: str) -> None:
    """Empties a bucket and deletes it."""
    empty_bucket(sdk, name)
    sdk.client("s3").delete_bucket(Bucket=name)


def delete_key(sdk: Any, key: str) -> None:
    """Schedules a key for deletion; KMS charges nothing from then on."""
    sdk.client("kms").schedule_key_deletion(KeyId=key, PendingWindowInDays=_KEY_DAYS)


def delete_pool(sdk: Any, pool: str) -> None:
    """Removes the protection of a user pool and deletes it with its users."""
    client = sdk.client("cognito-idp")
    description = client.describe_user_pool(UserPoolId=pool)["UserPool"]
    if domain := description.get("Domain"):
        client.delete_user_pool_domain(UserPoolId=pool, Domain=domain)
    # An update resets what it does not name, which no longer matters here.
    client.update_user_pool(
        UserPoolId=pool,
        DeletionProtection="INACTIVE",
        AutoVerifiedAttributes=description.get("AutoVerifiedAttributes", []),
    )
    client.delete_user_pool(UserPoolId=pool)


def delete_vault(sdk: Any, name: str) -> None:
    """Deletes the backups of a vault, and the vault; their copies in another account stay."""
    client = sdk.client("backup")
    for page in client.get_paginator("list_recovery_points_by_backup_vault").paginate(BackupVaultName=name):
        for point in page["RecoveryPoints"]:
            client.delete_recovery_point(BackupVaultName=name, RecoveryPointArn=point["RecoveryPointArn"])
    client.delete_backup_vault(BackupVaultName=name)


def delete_secret(sdk: Any, name: str) -> None:
    """Deletes a secret at once. One that is gone already is not an error to AWS."""
    sdk.client("secretsmanager").delete_secret(SecretId=name, ForceDeleteWithoutRecovery=True)


_DELETE: dict[str, Callable[[Any, str], None]] = dict(
    zip(OUTLIVING, (delete_table, delete_bucket, delete_key, delete_pool, delete_vault, delete_secret), strict=True)
)
_ABSENT = {"ResourceNotFoundException", "NotFoundException", "NoSuchBucket", "KMSInvalidStateException"}
"""Codes of AWS for something that is deleted already, or is being deleted."""


def remove(sdk: Any, name: str, resources: list[Resource]) -> None:
    """Removes the stacks and what outlives them; the CDN goes before its firewall."""
    deactivate_receipt_rules(sdk, resources)
    for resource in resources:
        if resource.kind == _BUCKET:
            empty_bucket(sdk, resource.physical_id)  # CloudFormation deletes no bucket that has objects
    delete_stack(sdk, name, sdk.region_name)
    delete_stack(sdk, f"{name}-firewall", stacks.FIREWALL_REGION)
    for resource in resources:
        if resource.kind in _DELETE:
            _delete_if_left(sdk, resource)


def _delete_if_left(sdk: Any, resource: Resource) -> None:
    try:
        _DELETE[resource.kind](sdk, resource.physical_id)
    except ClientError as error:
        if error.response["Error"]["Code"] not in _ABSENT:
            raise
    else:
        print(f"Deleted {resource.kind} {resource.physical_id}.")


def remove_sam_buckets(sdk: Any) -> None:
    """Removes SAM's stacks in both regions, with the buckets of its uploads."""
    for region in dict.fromkeys((sdk.region_name, stacks.FIREWALL_REGION)):
        client = sdk.client("cloudformation", region_name=region)
        buckets = [resource for resource in resources_of(client, SAM_STACK) if resource.kind == _BUCKET]
        for resource in buckets:
            empty_bucket(sdk, resource.physical_id, region)
        delete_stack(sdk, SAM_STACK, region)


def _described(resources: list[Resource]) -> Iterator[str]:
    for resource in resources:
        if resource.kind in OUTLIVING:
            yield f"  {resource.kind} {resource.physical_id}"


def _typed(question: str) -> str:
    """Returns what is typed; nothing where nobody can type."""
    try:
        return input(question)
    except EOFError:
        print()
        return ""


def main() -> None:
    """Says what will be deleted, asks for the stack's name, and deletes it."""
    name = os.environ.get("STACK", DEFAULT_STACK)
    try:
        sdk = session()
        resources = resources_of(sdk.client("cloudformation"), name)
        require_home(sdk, name, resources)
        print(f"Deletes {name} ({sdk.region_name}) and {name}-firewall ({stacks.FIREWALL_REGION}), and for ever:")
        print("\n".join(_described(resources)) or "  no table, bucket, key, user pool, vault or secret was found")
        if _typed(f"Type {name} to delete all of it: ") != name:
            raise StepFailed("Nothing was deleted.")
        remove(sdk, name, resources)
        print(f"SAM keeps uploads in the stack {SAM_STACK} of each region, also those of other applications.")
        if _typed("Type yes to delete these too: ") == "yes":
            remove_sam_buckets(sdk)
    except StepFailed as error:
        sys.exit(str(error))
    except (ClientError, BotoCoreError) as error:
        sys.exit(f"{error}\nIf the credentials lack this permission, add it; then run `make undeploy` again.")
    print("Done. Remove the DNS records of the domains yourself: the alias, DKIM, DMARC and MX.")


if __name__ == "__main__":
    main()
