"""Delivers queues to their functions, as Lambda's event source mappings do, and creates the template's queues.

The engine keeps the messages, with their delays, visibility time-outs and dead letters. A message is deleted once its
function has handled it; one that failed becomes visible again by itself.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.stack.template import QueueMapping, Template

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

Invoke = Callable[[dict[str, Any]], Any]
_CONCURRENCY = 4
"""Invocations at a time: two processors serve the functions, the engine and the API here."""
_OWN_CONCURRENCY = {"webhook_sender": 24, "sealer": 1}
"""Invocations at a time of functions that mostly wait, for the receivers of webhooks, or of which one goes on."""
_MOST_MESSAGES = 10
"""Messages that a queue gives in one call."""
_WAIT_SECONDS = 5
"""Seconds that the engine waits for a message: asking ten queues each second cost a third of what an idle service does.
It ends no sooner than its last answer."""
_PAUSE_SECONDS = 1.0
_log = logging.getLogger(__name__)


def create_queues(template: Template, prefix: str) -> dict[str, str]:
    """Creates the template's queues, or updates their properties. Returns their URLs by logical id."""
    client: SQSClient = boto3.client("sqs")
    queues = template.resources("AWS::SQS::Queue")
    urls = {logical_id: _create(client, f"{prefix}-{logical_id}") for logical_id in queues}
    arns = {logical_id: _arn(client, url) for logical_id, url in urls.items()}
    for logical_id, properties in queues.items():
        client.set_queue_attributes(QueueUrl=urls[logical_id], Attributes=_attributes(properties, arns))
    return urls


def queue_variables(template: Template, urls: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables that name queues to the functions. Where a parameter decides, each has its own."""
    variables = [entry for group in template.functions().values() for entry in template.environment(group).items()]
    queues = {name: value.get("Fn::If", [None, value])[1] for name, value in variables if name.endswith("_QUEUE_URL")}
    return {name: urls[queue["Ref"]] for name, queue in queues.items()}


def _create(client: SQSClient, name: str) -> str:
    return client.create_queue(QueueName=name)["QueueUrl"]


def _arn(client: SQSClient, url: str) -> str:
    return client.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]


def _attributes(properties: Mapping[str, Any], arns: Mapping[str, str]) -> Any:
    """Returns the properties of a queue as the queue service takes them."""
    attributes = {name: str(value) for name, value in properties.items() if name != "RedrivePolicy"}
    attributes["SqsManagedSseEnabled"] = attributes["SqsManagedSseEnabled"].lower()
    if redrive := properties.get("RedrivePolicy"):
        target = arns[redrive["deadLetterTargetArn"]["Fn::GetAtt"][0]]
        attributes["RedrivePolicy"] = json.dumps({**redrive, "deadLetterTargetArn": target})
    return attributes


def to_lambda_event(messages: Sequence[MessageTypeDef], queue: str) -> dict[str, Any]:
    """Returns messages received from a queue, given by its name, as Lambda passes them on."""
    records = [
        {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": message.get("Attributes", {}),
            "messageAttributes": {},
            "md5OfBody": message.get("MD5OfBody", ""),
            "eventSource": "aws:sqs",
            "eventSourceARN": f"arn:aws:sqs:local:000000000000:{queue}",
            "awsRegion": "local",
        }
        for message in messages
    ]
    return {"Records": records}


class QueuePoller:
    """A thread that polls a queue, and a few more that invoke a function with its messages."""

    def __init__(self, mapping: QueueMapping, url: str, invoke: Invoke) -> None:
        self._mapping = mapping
        self._url = url
        self._invoke = invoke
        self._client: SQSClient = boto3.client("sqs")
        self._stop = threading.Event()
        self._submitting = threading.Lock()
        concurrency = _OWN_CONCURRENCY.get(mapping.group, _CONCURRENCY)
        self._slots = threading.Semaphore(concurrency)
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="queue-worker")
        self._thread = threading.Thread(target=self._run, name="queue", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Waits for the invocations that run; no other begins. The queue keeps the other messages.

        The thread ends with its call, which may wait for a message until the engine ends. What it receives until then
        the engine gives again at its next start.
        """
        with self._submitting:
            self._stop.set()
        self._pool.shutdown()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._slots.acquire()
            messages = self._receive()
            if not messages or not self._submit(messages):
                self._slots.release()

    def _submit(self, messages: Sequence[MessageTypeDef]) -> bool:
        """Returns whether the messages will be handled: not those that arrive after the stop."""
        with self._submitting:
            if not self._stop.is_set():
                self._pool.submit(self._handle, messages)
            return not self._stop.is_set()

    def _receive(self) -> list[MessageTypeDef]:
        try:
            answer = self._client.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=min(self._mapping.batch_size, _MOST_MESSAGES),
                WaitTimeSeconds=_WAIT_SECONDS,
                MessageSystemAttributeNames=["All"],
            )
        except (BotoCoreError, ClientError):
            if not self._stop.is_set():
                _log.warning("The queue cannot be read; retrying.", exc_info=True)
            self._stop.wait(_PAUSE_SECONDS)
            return []
        return answer.get("Messages", [])

    def _handle(self, messages: Sequence[MessageTypeDef]) -> None:
        try:
            self.deliver(messages)
        except (BotoCoreError, ClientError):
            _log.warning("Handled messages cannot be deleted; they will be delivered again.", exc_info=True)
        finally:
            self._slots.release()

    def deliver(self, messages: Sequence[MessageTypeDef]) -> None:
        """Invokes the function with messages, and deletes those that it handled."""
        try:
            response = self._invoke(to_lambda_event(messages, self._url.rpartition("/")[2])) or {}
        except Exception:  # noqa: BLE001 - after any error the messages become visible again
            _log.exception("The function of the queue crashed.")
            return
        failed = {entry["itemIdentifier"] for entry in response.get("batchItemFailures") or []}
        for message in messages:
            if message["MessageId"] not in failed:
                self._client.delete_message(QueueUrl=self._url, ReceiptHandle=message["ReceiptHandle"])
