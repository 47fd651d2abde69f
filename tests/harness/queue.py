"""The queue of deliveries in tests: kept in this process, with a clock of its own, and delivered to its function.

`fresh_table` installs an empty one. It keeps messages as SQS does: delays, visibility time-outs, receive counts, dead
letters.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from governance.queue import message as queue_message
from governance.queue import sending
from infra.local.queues import queue_variables
from infra.stack.template import Template
from tests.harness.client import FUNCTIONS, load
from tests.harness.privileges import acting_as

_TEMPLATE = Template()
_PROPERTIES = _TEMPLATE.resources("AWS::SQS::Queue")["Deliveries"]
VISIBILITY_SECONDS: int = _PROPERTIES["VisibilityTimeout"]
RECEIVES: int = _PROPERTIES["RedrivePolicy"]["maxReceiveCount"]
LONG_ENOUGH = 1000
"""Seconds after which every delay and every time-out of the queue is over."""
_MANY = 10_000
_NAMES = {name: name for name in _TEMPLATE.resources("AWS::SQS::Queue")}
QUEUES = {
    variable.removesuffix("_QUEUE_URL").lower(): name for variable, name in queue_variables(_TEMPLATE, _NAMES).items()
}
"""The queues of the template by the names that tests have for them: those of the variables with their addresses."""
_GROUPS = {mapping.queue: mapping.group for mapping in _TEMPLATE.queue_mappings()}
_FUNCTIONS = {name: _GROUPS[queue] for name, queue in QUEUES.items()}
"""The function of each queue."""


@dataclass
class QueuedMessage:
    """A message in the queue, visible from an instant of the queue's clock on."""

    id: str
    group: str
    body: str
    visible_at: float
    queue: str = "deliveries"
    receives: int = 0

    @property
    def function(self) -> str:
        """The function that gets the messages of its queue."""
        return _FUNCTIONS[self.queue]

    @property
    def content(self) -> dict[str, Any]:
        """The message as `queue.message.Message` writes it."""
        return dict(json.loads(self.body))


@dataclass
class FakeQueue:
    """The messages of all queues that wait, oldest first, the dead letters, and the clock in seconds."""

    messages: list[QueuedMessage] = field(default_factory=list)
    dead: list[QueuedMessage] = field(default_factory=list)
    now: float = 0.0
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def answer(self, model: Any, params: dict[str, Any], **_: Any) -> Any:
        """Replaces a call to the queue."""
        request = json.loads(params["body"])
        if model.name == "SendMessageBatch":
            answer: dict[str, Any] = self._send(request["Entries"], _name(request["QueueUrl"]))
        else:
            answer = self._change_visibility(
                request["ReceiptHandle"], request["VisibilityTimeout"], _name(request["QueueUrl"])
            )
        return AWSResponse("", 200, HTTPHeaders(), None), answer

    def _send(self, entries: list[dict[str, Any]], queue: str) -> dict[str, Any]:
        assert len(entries) <= 10
        for entry in entries:
            assert 0 <= entry["DelaySeconds"] <= 900
            assert len(entry["MessageBody"].encode()) <= 256 * 1024
            visible_at = self.now + entry["DelaySeconds"]
            message = QueuedMessage(
                f"m-{next(self._numbers)}", entry["MessageGroupId"], entry["MessageBody"], visible_at, queue
            )
            self.messages.append(message)
        return {"Successful": [{"Id": entry["Id"], "MessageId": "m"} for entry in entries]}

    def _change_visibility(self, receipt: str, seconds: int, queue: str) -> dict[str, Any]:
        for message in self.messages:
            if message.id == receipt:
                assert message.queue == queue, "a receipt is good at its own queue only"
                message.visible_at = self.now + seconds
        return {}

    def receive(self, function: str = "deliveries") -> QueuedMessage | None:
        """Returns the oldest visible message for a function and hides it; None if there is none."""
        for message in self.visible(function):
            if message.receives >= RECEIVES:
                self.messages.remove(message)
                self.dead.append(message)
                continue
            message.receives += 1
            message.visible_at = self.now + VISIBILITY_SECONDS
            return message
        return None

    def visible(self, function: str) -> list[QueuedMessage]:
        """Returns the messages that a function may receive now."""
        return [message for message in self.messages if message.visible_at <= self.now and message.function == function]

    def deliver(self, context: Any = None) -> int:
        """Delivers the visible messages, and those that they send without a delay. Returns how many are left."""
        for _ in range(_MANY):
            message = self.receive()
            if message is None:
                return sum(message.function == "deliveries" for message in self.messages)
            if not invoke_deliveries(message, context):
                self.messages.remove(message)
        raise AssertionError("The messages never end.")


current = FakeQueue()


def _name(url: str) -> str:
    return url.rpartition("/")[2]


def install() -> None:
    """Replaces the queue by an empty one; keeps the client, which is slow to create."""
    global current  # noqa: PLW0603 - one queue at a time, as there is one table
    current = FakeQueue()
    setattr(queue_message, "_now", lambda: current.now)  # noqa: B010 - long delays follow the queue's clock
    sending.client().meta.events.register("before-call.sqs.*", _answer, unique_id="queue-in-tests")


def _answer(**call: Any) -> Any:
    return current.answer(**call)


def invoke_deliveries(message: QueuedMessage, context: Any = None) -> list[str]:
    """Invokes the function of its queue with a message. Returns its id if the function failed."""
    record = {
        "messageId": message.id,
        "receiptHandle": message.id,
        "body": message.body,
        "attributes": {"ApproximateReceiveCount": str(message.receives)},
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:eu-west-1:123456789012:{message.queue}",
        "awsRegion": "eu-west-1",
    }
    handler = load(FUNCTIONS / message.function / "handler.py").lambda_handler
    with acting_as(message.function):
        response = handler({"Records": [record]}, context)
    return [entry["itemIdentifier"] for entry in response["batchItemFailures"]]
