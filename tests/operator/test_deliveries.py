"""`boardctl deliveries redrive`: a dead letter is deleted only after its queue has taken it again."""

from __future__ import annotations

import json
import os
from typing import Any

import boto3
import pytest

from governance import aws
from infra.stack.template import Template
from tests.operator.commands import boardctl

LETTERS = ("a", "b", "c")


class FakeQueues:
    """Takes the place of SQS: a dead-letter queue with three letters, and a queue that does not take `b`."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.asked: list[str] = []
        self.deleted: list[str] = []
        self.visible = [*LETTERS]

    def get_queue_attributes(self, **request: Any) -> dict[str, Any]:
        self.asked.append(request["QueueUrl"])
        return {"Attributes": {"RedrivePolicy": json.dumps({"deadLetterTargetArn": "arn:aws:sqs:x:1:dead"})}}

    def get_queue_url(self, **_: Any) -> dict[str, str]:
        return {"QueueUrl": "https://sqs.test/dead"}

    def receive_message(self, **_: Any) -> dict[str, Any]:
        received, self.visible = self.visible, []
        return {"Messages": [{"Body": body, "ReceiptHandle": body} for body in received]}

    def send_message_batch(self, **request: Any) -> dict[str, Any]:
        taken = [entry for entry in request["Entries"] if entry["MessageBody"] != "b"]
        self.taken += [entry["MessageBody"] for entry in taken]
        return {"Successful": [{"Id": entry["Id"]} for entry in taken], "Failed": [{"Id": "1"}]}

    def delete_message(self, **request: Any) -> None:
        self.deleted.append(request["ReceiptHandle"])


@pytest.mark.usefixtures("store")
def test_the_dead_letters_of_every_queue_are_sent_again_and_one_that_its_queue_does_not_take_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queues = FakeQueues()
    aws.s3()  # which the program asks for before it asks for the queues
    monkeypatch.setattr(boto3, "client", lambda _service: queues)
    result = boardctl("deliveries", "redrive")
    assert (result.exit_code, queues.taken, queues.deleted) == (1, ["a", "c"], ["a", "c"])
    assert "Repeat the command" in result.output
    variables = {name for group in Template().functions().values() for name in Template().environment(group)}
    named = {name for name in variables if name.endswith("_QUEUE_URL")}
    assert len(named) > 7
    assert set(queues.asked) == {os.environ[name] for name in named}
