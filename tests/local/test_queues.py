"""Queues as `make run` delivers them, on an engine that keeps them as SQS does; and `boardctl deliveries redrive`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from click.testing import CliRunner
from moto import mock_aws

from governance.settings import settings
from infra.local.queues import QueuePoller, create_queues, queue_variables
from infra.operator import deliveries
from infra.operator.main import main
from infra.stack.template import QueueMapping, Template
from tests.harness.engine import ENVIRONMENT
from tests.harness.queue import QUEUES

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_numbers = itertools.count()
MAPPING = QueueMapping("deliveries", "Deliveries", batch_size=10)


class Function:
    """A function that fails on some bodies, by crashing or by reporting them."""

    def __init__(self, failing: set[str], *, crashes: bool = False) -> None:
        self.failing = failing
        self.crashes = crashes
        self.handled: list[str] = []

    def __call__(self, event: dict[str, Any]) -> dict[str, Any]:
        failed = [record for record in event["Records"] if record["body"] in self.failing]
        if failed and self.crashes:
            raise RuntimeError
        self.handled += [record["body"] for record in event["Records"] if record not in failed]
        return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in failed]}


@pytest.fixture
def urls(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    for name, value in {**ENVIRONMENT, "TABLE_NAME": "here"}.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        client.cache_clear()
        created = create_queues(Template(), f"here-{next(_numbers)}")
        for variable, url in queue_variables(Template(), created).items():
            monkeypatch.setenv(variable, url)
        settings.cache_clear()
        yield created
        settings.cache_clear()


@cache
def client() -> SQSClient:
    return boto3.client("sqs")


def send(url: str, *bodies: str) -> None:
    for body in bodies:
        client().send_message(QueueUrl=url, MessageBody=body)


def received(url: str, *, hidden_seconds: int = 0) -> list[MessageTypeDef]:
    asked = client().receive_message(QueueUrl=url, MaxNumberOfMessages=10, VisibilityTimeout=hidden_seconds)
    return asked.get("Messages", [])


def test_the_queues_have_the_properties_of_the_template_and_a_second_start_finds_them(urls: dict[str, str]) -> None:
    prefix = urls["Deliveries"].rpartition("/")[2].removesuffix("-Deliveries")
    assert create_queues(Template(), prefix) == urls
    attributes = client().get_queue_attributes(QueueUrl=urls["Deliveries"], AttributeNames=["All"])["Attributes"]
    assert (attributes["VisibilityTimeout"], attributes["MessageRetentionPeriod"]) == ("360", "604800")
    policy = json.loads(attributes["RedrivePolicy"])
    assert policy["deadLetterTargetArn"].rpartition(":")[2] == f"{prefix}-DeadDeliveries"
    assert policy["maxReceiveCount"] == 12


@pytest.mark.parametrize("crashes", [False, True])
def test_handled_messages_are_deleted_and_failed_ones_come_back(urls: dict[str, str], crashes: bool) -> None:
    send(urls["Deliveries"], "good", "bad")
    function = Function({"bad"}, crashes=crashes)
    poller = QueuePoller(MAPPING, urls["Deliveries"], function)
    poller.deliver(received(urls["Deliveries"]))
    assert {message["Body"] for message in received(urls["Deliveries"])} == {"bad", *(["good"] if crashes else [])}
    assert function.handled == ([] if crashes else ["good"])


def test_a_dead_letter_is_kept_and_goes_back_to_its_queue(
    urls: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "_WAIT_SECONDS", 0)  # the engine has no other servers to ask for messages
    shared, patient = "SlowWebhookDeliveries", "Leaves"  # its dead letters are the others'; it tries a thousand times
    queues = [name for name in QUEUES.values() if name not in {shared, patient}]
    for name in queues:
        send(urls[name], name)
        for _ in range(13):
            received(urls[name])
        assert received(urls[name]) == []
        assert [message["Body"] for message in received(urls[f"Dead{name}"])] == [name]
    send(urls[f"Dead{patient}"], patient)
    queues.append(patient)
    result = CliRunner().invoke(main, ["deliveries", "redrive"], catch_exceptions=False)
    assert (result.exit_code, result.output) == (0, f"Sent {len(queues)} message(s) again.\n")
    for name in queues:
        assert [message["Body"] for message in received(urls[name])] == [name]
        assert received(urls[f"Dead{name}"]) == []
    assert "Sent 0 message(s)" in CliRunner().invoke(main, ["deliveries", "redrive"]).output
