"""`make undeploy` removes what outlives a stack, and nothing before the name was typed."""

import io
import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.deployment import stacks, undeploy
from infra.deployment.stacks import Resource
from tests.contract.templates import MAIN, STACKS
from tests.harness.engine import empty_account


class Cloud:
    """An account in moto, of which CloudFormation is played here: it keeps what its stacks would retain."""

    region_name = "eu-west-1"

    def __init__(self) -> None:
        self._session = boto3.Session("test", "test", region_name=self.region_name)
        self.steps: list[str] = []

    def client(self, service: str, region_name: str | None = None) -> Any:
        made: Any = self._session.client(service, region_name=region_name or self.region_name)  # type: ignore[call-overload]
        if service == "cloudformation":  # moto protects no stack from deletion
            made.meta.events.register("before-call.cloudformation.UpdateTerminationProtection", _accepted)
        if service == "cognito-idp":
            made.meta.events.register("before-call.cognito-idp.DeleteUserPool", lambda **_: _refuse_pools(made))
        return made

    def create(self) -> list[Resource]:
        """Creates a protected table, a bucket with two versions of an object, a key, and an active receipt rule set."""
        self.client("dynamodb").create_table(
            TableName="boards-Table",
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            DeletionProtectionEnabled=True,
        )
        s3 = self.client("s3")
        s3.create_bucket(Bucket="boards-static", CreateBucketConfiguration={"LocationConstraint": self.region_name})
        s3.put_bucket_versioning(Bucket="boards-static", VersioningConfiguration={"Status": "Enabled"})
        for body in (b"old", b"new"):
            s3.put_object(Bucket="boards-static", Key="app/index.html", Body=body)
        s3.delete_object(Bucket="boards-static", Key="app/index.html")
        key = self.client("kms").create_key()["KeyMetadata"]["KeyId"]
        users = self.client("cognito-idp")
        pool = users.create_user_pool(PoolName="boards", DeletionProtection="ACTIVE", AutoVerifiedAttributes=["email"])
        users.create_user_pool_domain(Domain="boards", UserPoolId=pool["UserPool"]["Id"])
        secret = self.client("secretsmanager").create_secret(Name="BallotSecret", SecretString="x")["ARN"]
        mail = self.client("ses")
        mail.create_receipt_rule_set(RuleSetName="board-governance-dev")
        mail.set_active_receipt_rule_set(RuleSetName="board-governance-dev")
        return [
            Resource("Table", "AWS::DynamoDB::Table", "boards-Table"),
            Resource("StaticBucket", "AWS::S3::Bucket", "boards-static"),
            Resource("WebhookKey", "AWS::KMS::Key", key),
            Resource("Pool", "AWS::Cognito::UserPool", pool["UserPool"]["Id"]),
            Resource("BallotSecret", "AWS::SecretsManager::Secret", secret),
            Resource("Rules", "AWS::SES::ReceiptRuleSet", "board-governance-dev"),
            Resource("Deliveries", "AWS::SQS::Queue", "https://sqs/queue"),
        ]

    def create_sam_bucket(self, region: str) -> None:
        """Creates SAM's stack in a region, with an upload in its bucket and an earlier version of that."""
        name = f"sam-{region}"
        bucket = {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": name, "VersioningConfiguration": _VERSIONED}}
        body = json.dumps({"Resources": {"SamCliSourceBucket": bucket}})
        client = self.client("cloudformation", region)
        client.create_stack(StackName=undeploy.SAM_STACK, TemplateBody=body)
        for content in (b"old", b"new"):
            self.client("s3", region).put_object(Bucket=name, Key="upload", Body=content)


def _accepted(**_: Any) -> Any:
    return type("Response", (), {"status_code": 200})(), {}


_VERSIONED = {"Status": "Enabled"}


def _refuse_pools(client: Any) -> None:
    """Raises if a pool is protected or has a domain. AWS refuses to delete such a pool, and moto does not."""
    for listed in client.list_user_pools(MaxResults=10)["UserPools"]:
        pool = client.describe_user_pool(UserPoolId=listed["Id"])["UserPool"]
        assert pool["DeletionProtection"] == "INACTIVE"
        assert not pool.get("Domain")


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    with empty_account():
        cloud_of_test = Cloud()
        monkeypatch.setattr(
            undeploy,
            "delete_stack",
            lambda sdk, name, region: cloud_of_test.steps.append(f"{name} {region}"),  # noqa: ARG005
        )
        yield cloud_of_test


def test_everything_that_outlives_the_stacks_is_removed_and_the_cdn_before_its_firewall(cloud: Cloud) -> None:
    resources = cloud.create()
    for _ in range(2):  # a removal that was interrupted is repeated
        undeploy.remove(cloud, "boards", resources)
        assert cloud.steps == ["boards eu-west-1", "boards-firewall us-east-1"]
        cloud.steps.clear()
    assert cloud.client("dynamodb").list_tables()["TableNames"] == []
    assert cloud.client("s3").list_buckets()["Buckets"] == []
    (key,) = [resource.physical_id for resource in resources if resource.kind == "AWS::KMS::Key"]
    assert cloud.client("kms").describe_key(KeyId=key)["KeyMetadata"]["KeyState"] == "PendingDeletion"
    assert cloud.client("cognito-idp").list_user_pools(MaxResults=10)["UserPools"] == []
    assert cloud.client("secretsmanager").list_secrets()["SecretList"] == []
    assert cloud.client("ses").describe_active_receipt_rule_set().get("Metadata") is None


def test_the_buckets_of_sam_are_removed_in_both_regions_with_their_stacks() -> None:
    with empty_account():
        account = Cloud()
        for region in (account.region_name, stacks.FIREWALL_REGION):
            account.create_sam_bucket(region)
        account.client("s3").create_bucket(
            Bucket="another", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
        )
        undeploy.remove_sam_buckets(account)
        assert [bucket["Name"] for bucket in account.client("s3").list_buckets()["Buckets"]] == ["another"]
        for region in (account.region_name, stacks.FIREWALL_REGION):
            assert stacks.describe(account.client("cloudformation", region), undeploy.SAM_STACK) is None


@pytest.mark.parametrize(
    ("typed", "removed"),
    [([], []), (["board"], []), (["boards"], ["removed"]), (["boards", "yes"], ["removed", "buckets removed"])],
)
def test_nothing_is_removed_before_the_name_was_typed(
    typed: list[str], removed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setenv("STACK", "boards")
    for name, replacement in {
        "session": Cloud,
        "resources_of": lambda *_: [],
        "require_home": lambda *_: None,
        "remove": lambda *_: done.append("removed"),
        "remove_sam_buckets": lambda *_: done.append("buckets removed"),
    }.items():
        monkeypatch.setattr(undeploy, name, replacement)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    if removed:
        undeploy.main()
    else:
        with pytest.raises(SystemExit, match="Nothing was deleted"):
            undeploy.main()
    assert done == removed


class _Pages:
    """A client of CloudFormation whose lists have one page."""

    def __init__(self, pages: dict[str, dict[str, Any]]) -> None:
        self._pages = pages

    def describe_stacks(self, **_: Any) -> Any:
        raise ClientError({"Error": {"Code": "ValidationError", "Message": "boards does not exist"}}, "DescribeStacks")

    def get_paginator(self, _: str) -> Any:
        return self

    def paginate(self, **arguments: Any) -> list[dict[str, Any]]:
        return [self._pages[arguments.get("StackName", "all")]]


def _entry(name: str, kind: str, physical_id: str, status: str) -> dict[str, str]:
    return {
        "LogicalResourceId": name,
        "ResourceType": kind,
        "PhysicalResourceId": physical_id,
        "ResourceStatus": status,
    }


def test_what_a_failed_and_deleted_stack_left_is_found_also_in_nested_stacks() -> None:
    kept, gone = "DELETE_SKIPPED", "DELETE_COMPLETE"
    client = _Pages(
        {
            "all": {
                "StackSummaries": [{"StackName": "boards", "StackId": "1"}, {"StackName": "other", "StackId": "2"}]
            },
            "1": {
                "StackResourceSummaries": [
                    _entry("Table", "AWS::DynamoDB::Table", "boards-Table", kept),
                    _entry("Deliveries", "AWS::SQS::Queue", "queue", gone),
                    _entry("UserPoolStack", "AWS::CloudFormation::Stack", "nested", gone),
                ]
            },
            "nested": {"StackResourceSummaries": [_entry("Pool", "AWS::Cognito::UserPool", "pool", kept)]},
        }
    )
    assert undeploy.resources_of(client, "boards") == [
        Resource("Table", "AWS::DynamoDB::Table", "boards-Table"),
        Resource("Pool", "AWS::Cognito::UserPool", "pool"),
    ]


class Vault:
    """AWS Backup with a vault of two backups; deleting it while it holds one is refused, as AWS does."""

    def __init__(self) -> None:
        self.points = ["arn:1", "arn:2"]
        self.deleted: list[str] = []

    def client(self, service: str) -> Any:
        assert service == "backup"
        return self

    def get_paginator(self, operation: str) -> Any:
        assert operation == "list_recovery_points_by_backup_vault"
        return self

    def paginate(self, **_: str) -> Iterator[dict[str, Any]]:
        for point in tuple(self.points):
            yield {"RecoveryPoints": [{"RecoveryPointArn": point}]}

    def delete_recovery_point(self, *, RecoveryPointArn: str, **_: str) -> None:  # noqa: N803 - AWS's name
        self.points.remove(RecoveryPointArn)

    def delete_backup_vault(self, *, BackupVaultName: str) -> None:  # noqa: N803 - AWS's name
        assert self.points == [], "a vault that holds backups is not deleted"
        self.deleted.append(BackupVaultName)


def test_a_vault_is_emptied_before_it_is_deleted() -> None:
    vault = Vault()
    undeploy.delete_vault(vault, "board-governance-dev")
    assert vault.deleted == ["board-governance-dev"]


def test_every_resource_that_outlives_its_stack_is_one_that_undeploy_removes() -> None:
    kinds = {
        body["Type"]
        for template in (MAIN, *STACKS.values())
        for body in template.document["Resources"].values()
        if body.get("DeletionPolicy", "").startswith("Retain")
    }
    assert kinds == set(undeploy.OUTLIVING)


def test_the_receipt_rules_of_others_stay_active(cloud: Cloud) -> None:
    cloud.create()
    undeploy.deactivate_receipt_rules(cloud, [Resource("Rules", "AWS::SES::ReceiptRuleSet", "others")])
    assert cloud.client("ses").describe_active_receipt_rule_set()["Metadata"]["Name"] == "board-governance-dev"
