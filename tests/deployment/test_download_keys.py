"""The keys of downloads: `make deploy` makes one beside the other, and never one in the place of another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from infra.deployment import download_keys, stacks, undeploy
from infra.deployment.checks import Installation
from infra.stack import download_key
from tests.harness.engine import empty_account

STACK = "boards"
_DECLARED = ("Stage", "DownloadKeys", "DownloadKeyA", "DownloadKeyB", "DownloadKeyArn")
_TEMPLATE = {
    "Parameters": {name: {"Type": "String", "Default": ""} for name in _DECLARED},
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
}


@pytest.fixture(autouse=True)
def _account() -> Iterator[None]:
    with empty_account():
        yield


def installation(keys: str) -> Installation:
    session = boto3.Session("test", "test", region_name="eu-west-1")
    return Installation(session, STACK, {"Stage": "prod", "DownloadKeys": keys})


def deploy(keys: str) -> dict[str, str]:
    """Deploys a stack with these keys as `make deploy` does, and returns the parameters that it sets."""
    given, client = download_keys.prepare(installation(keys)), installation(keys).client("cloudformation")
    values = given | {"Stage": "prod", "DownloadKeys": keys}
    body = {
        "StackName": STACK,
        "TemplateBody": json.dumps(_TEMPLATE),
        "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in values.items()],
    }
    before = stacks.parameters(stacks.describe(client, STACK))
    if before != values:
        (client.update_stack if before else client.create_stack)(**body)
    download_keys.delete_others(installation(keys))
    return given


def secrets() -> dict[str, str]:
    """Returns the private keys that are kept, by the ARN."""
    client: Any = installation("A").client("secretsmanager")
    listed = [secret["ARN"] for secret in client.list_secrets()["SecretList"]]
    return {arn: client.get_secret_value(SecretId=arn)["SecretString"] for arn in listed}


def public(arn: str) -> str:
    return download_key.lines(download_key.public(secrets()[arn]))


def test_a_key_is_made_once_and_stays() -> None:
    first = deploy("A")
    assert first == {
        "DownloadKeyA": public(first["DownloadKeyArn"]),
        "DownloadKeyB": "",
        "DownloadKeyArn": first["DownloadKeyArn"],
    }
    assert deploy("A") == first
    assert len(secrets()) == 1


def test_a_key_is_changed_in_three_steps_and_each_accepts_what_was_signed_before() -> None:
    first, accepted, signing = deploy("A"), deploy("AB"), deploy("BA")
    assert accepted["DownloadKeyArn"] == first["DownloadKeyArn"] != signing["DownloadKeyArn"]
    assert first["DownloadKeyA"] == accepted["DownloadKeyA"] == signing["DownloadKeyA"]
    assert accepted["DownloadKeyB"] == signing["DownloadKeyB"] == public(signing["DownloadKeyArn"])
    last = deploy("B")
    assert last == signing | {"DownloadKeyA": ""}
    assert list(secrets()) == [last["DownloadKeyArn"]]
    assert deploy("BA")["DownloadKeyA"] not in {"", first["DownloadKeyA"]}, "a new key takes the free place"


def test_a_private_key_that_is_gone_is_not_made_anew_under_a_public_key_that_cannot_change() -> None:
    arn = deploy("A")["DownloadKeyArn"]
    installation("A").client("secretsmanager").delete_secret(SecretId=arn, ForceDeleteWithoutRecovery=True)
    with pytest.raises(download_keys.KeyGone, match="set DownloadKeys=B"):
        deploy("A")
    assert deploy("B")["DownloadKeyA"] == ""


def test_undeploy_finds_the_private_keys() -> None:
    deploy("AB")
    found = undeploy.resources_of(installation("AB").client("cloudformation"), STACK)
    for resource in found:
        if resource.kind == "AWS::SecretsManager::Secret":
            undeploy.delete_secret(installation("AB").session, resource.physical_id)
    assert secrets() == {}
