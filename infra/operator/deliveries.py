"""`boardctl deliveries`: sends deliveries that failed for good to the queue again (ADR deliveries)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import boto3
import click

from governance.limits import QUEUE_BATCH
from governance.queue import sending
from governance.settings import settings
from infra.operator.command import InstallationCommand

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_WAIT_SECONDS = 2
"""A queue that answers at once may have messages that it did not look at."""
_HIDDEN_SECONDS = 60


@click.group()
def deliveries() -> None:
    """Send again what could not be delivered: notifications, e-mails, cleanups, webhooks, exports, revocations."""


@deliveries.command(cls=InstallationCommand)
def redrive() -> None:
    """Send the messages of the dead-letter queues again: of every queue whose address is set.

    A message that failed for over an hour waits there for 14 days, with all that it needs. Fix the cause first: the log
    of the function `deliveries` names it. A message that was delivered in part does no harm: what is done is not done
    again. If the command was interrupted, repeat it.
    """
    if not settings().deliveries_queue_url:
        raise click.ClickException("Set DELIVERIES_QUEUE_URL to the URL of the queue of deliveries.")
    client: SQSClient = boto3.client("sqs")
    urls = reversed(sending.urls())  # of queues that share their dead letters, the first gets them
    dead = {_dead_letter_queue(client, url): url for url in urls}
    count = sum(_redrive(client, letters, url) for letters, url in dead.items())
    click.echo(f"Sent {count} message(s) again.")


def _redrive(client: SQSClient, dead: str, queue: str) -> int:
    """Moves every dead letter of a queue back to it; returns how many there were."""
    count = 0
    while messages := _receive(client, dead):
        _move(client, messages, dead, queue)
        count += len(messages)
    return count


def _dead_letter_queue(client: SQSClient, queue: str) -> str:
    """Returns the URL of a queue's dead-letter queue, which its redrive policy names."""
    attributes = client.get_queue_attributes(QueueUrl=queue, AttributeNames=["RedrivePolicy"]).get("Attributes", {})
    target: str = json.loads(attributes["RedrivePolicy"])["deadLetterTargetArn"]
    return client.get_queue_url(QueueName=target.rpartition(":")[2])["QueueUrl"]


def _receive(client: SQSClient, queue: str) -> list[MessageTypeDef]:
    answer = client.receive_message(
        QueueUrl=queue,
        MaxNumberOfMessages=QUEUE_BATCH,
        WaitTimeSeconds=_WAIT_SECONDS,
        VisibilityTimeout=_HIDDEN_SECONDS,
        MessageSystemAttributeNames=["MessageGroupId"],
    )
    return answer.get("Messages", [])


def _move(client: SQSClient, messages: list[MessageTypeDef], source: str, target: str) -> None:
    """Sends messages to a queue, then deletes those that it took from the other."""
    sent = client.send_message_batch(
        QueueUrl=target,
        Entries=[
            {
                "Id": str(number),
                "MessageBody": message["Body"],
                "MessageGroupId": message.get("Attributes", {}).get("MessageGroupId", "none"),
            }
            for number, message in enumerate(messages)
        ],
    )
    taken = [messages[int(entry["Id"])] for entry in sent.get("Successful", [])]
    for message in taken:
        client.delete_message(QueueUrl=source, ReceiptHandle=message["ReceiptHandle"])
    if len(taken) < len(messages):
        raise click.ClickException("The queue did not take every message. Repeat the command in a minute.")
