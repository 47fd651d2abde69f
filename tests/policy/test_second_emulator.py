"""What the rehearsal's emulator does not take is given to a second one, moto, which reads it strictly (ADR
deployment)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.policy.simulation import Policies
from infra.stack.template import ROOT, Template
from infra.tools.rehearsal.templates import OMITTED

REGION = "eu-west-1"


@pytest.fixture(autouse=True)
def _second(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        yield


def client(service: str) -> Any:
    """Returns a client of the second emulator."""
    return boto3.client(service, region_name=REGION)  # type: ignore[call-overload]


def resolved(folder: str, kind: str) -> dict[str, Any]:
    """Returns the resources of a type in a nested template, with values in place of references."""
    template = Template(ROOT / "infra" / folder / "template.yaml")
    values: dict[str, Any] = Policies(template).resolved(template.resources(kind))
    return values


def test_the_mail_service_takes_the_rule() -> None:
    mail = client("ses")
    (rules,) = resolved("inbound", "AWS::SES::ReceiptRuleSet").values()
    (answers,) = resolved("inbound", "AWS::SES::ReceiptRule").values()
    location = {"LocationConstraint": REGION}
    client("s3").create_bucket(Bucket="mails", CreateBucketConfiguration=location)
    answers["Rule"]["Actions"][0]["S3Action"]["BucketName"] = "mails"
    mail.create_receipt_rule_set(**rules)
    mail.create_receipt_rule(**answers | {"RuleSetName": rules["RuleSetName"]})
    (rule,) = mail.describe_receipt_rule_set(RuleSetName=rules["RuleSetName"])["Rules"]
    assert (rule["Enabled"], rule["ScanEnabled"], rule["TlsPolicy"]) == (True, True, "Require")
    assert rule["Recipients"] == ["meetings@example.com"]
    assert rule["Actions"] == [{"S3Action": {"BucketName": "mails", "ObjectKeyPrefix": "received/"}}]


def test_alarms_that_compute_are_taken() -> None:
    alarms = {
        f"{stack}/{name}": body
        for stack, folder in (("Monitoring", "monitoring"), ("Firewall", "firewall"))
        for name, body in resolved(folder, "AWS::CloudWatch::Alarm").items()
        if "Metrics" in body
    }
    watch = client("cloudwatch")
    for body in alarms.values():
        watch.put_metric_alarm(**body)
    taken = watch.describe_alarms()["MetricAlarms"]
    assert sorted(alarm["AlarmName"] for alarm in taken) == sorted(body["AlarmName"] for body in alarms.values())
    assert alarms.keys() == {name for name, omission in OMITTED.items() if "alarms that compute" in omission.why}


@pytest.mark.parametrize("group", sorted(Template().functions().values()))
def test_a_roles_policy_follows_the_grammar_of_policies(group: str) -> None:
    """The rehearsal's emulator takes any text."""
    policy = Policies(Template()).roles()[group]
    client("iam").create_policy(PolicyName=group.replace("_", "-"), PolicyDocument=json.dumps(policy))
    bad = {**policy, "Statement": [{**policy["Statement"][0], "Effect": "Perhaps"}]}
    with pytest.raises(client("iam").exceptions.MalformedPolicyDocumentException):
        client("iam").create_policy(PolicyName="bad", PolicyDocument=json.dumps(bad))
