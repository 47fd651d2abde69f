"""The queues of deliveries: what follows from an event waits here for the function `deliveries` (ADR deliveries).

Mails and cleanups have queues of their own, so that many of them hold up nothing else. Rings of the live channel wait
in Lambda's queue of asynchronous invocations, which nobody has to poll (ADR live). No other module calls a queue. A
message may arrive more than once and in any order: its handler must be idempotent.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from governance import aws, telemetry
from governance.errors import unavailable
from governance.limits import QUEUE_BATCH, QUEUE_DELAY_SECONDS
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.settings import settings
from governance.telemetry import Metric

if TYPE_CHECKING:
    from botocore.exceptions import BotoCoreError, ClientError
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef

client = aws.sqs
_RINGS = frozenset((DeliveryKind.RING, DeliveryKind.LIVE_END))
"""Messages for the function of rings; a delayed one waits in the queue of deliveries."""
_FIRST_BACKOFF_SECONDS = 5


def backoff(attempts: int, longest: int = QUEUE_DELAY_SECONDS) -> int:
    """Returns the seconds until the next attempt, with jitter: doubled after each attempt, up to `longest`."""
    seconds = min(longest, _FIRST_BACKOFF_SECONDS * 2 ** min(attempts - 1, 20))
    return random.randint(seconds // 2, seconds)  # noqa: S311 - jitter, not a secret


def send(messages: Iterable[Message]) -> None:
    """Sends messages, ten in a call. Raises 503 if the queue did not take one; earlier ones may then be sent."""
    by_queue: dict[str, list[Message]] = {}
    for message in messages:
        if message.kind in _RINGS and message.delay_seconds <= 0:
            _invoke(message)
            continue
        by_queue.setdefault(_url(message.kind), []).append(message)
    for url, queued in by_queue.items():
        remaining = iter(queued)
        while batch := [_entry(number, message) for number, message in enumerate(islice(remaining, QUEUE_BATCH))]:
            _send_batch(url, batch)


def _invoke(message: Message) -> None:
    try:
        aws.lambda_().invoke(
            FunctionName=settings().ringer_function, InvocationType="Event", Payload=message.to_json().encode()
        )
    except aws.errors() as error:
        raise _failed("invoke", _code(error)) from None


def _url(kind: str) -> str:
    """Returns the queue of a kind of message: that of deliveries for a kind without one of its own."""
    own: dict[str, str] = {
        DeliveryKind.EMAILS: settings().emails_queue_url,
        DeliveryKind.CALENDAR_INVITATION: settings().emails_queue_url,
        DeliveryKind.CLEANUP: settings().cleanups_queue_url,
        DeliveryKind.UPLOAD: settings().cleanups_queue_url,
        DeliveryKind.WEBHOOK: settings().webhooks_queue_url,
        DeliveryKind.SLOW_WEBHOOK: settings().slow_webhooks_queue_url,
        DeliveryKind.EXPORT: settings().exports_queue_url,
        DeliveryKind.BOARD_PACK: settings().packs_queue_url,
        DeliveryKind.MINUTES_FILE: settings().minutes_files_queue_url,
        DeliveryKind.LEAF: settings().leaves_queue_url,
        DeliveryKind.REVOCATION: settings().revocations_queue_url,
        DeliveryKind.CERTIFICATE: settings().revocations_queue_url,
    }
    return own.get(kind) or settings().deliveries_queue_url


def urls() -> list[str]:
    """Returns the queues that this process knows, each once."""
    known = dict.fromkeys(map(_url, DeliveryKind))
    return [url for url in known if url]


def _entry(number: int, message: Message) -> SendMessageBatchRequestEntryTypeDef:
    delay = min(math.ceil(message.delay_seconds), QUEUE_DELAY_SECONDS)
    return {
        "Id": str(number),
        "MessageBody": message.to_json(),
        "DelaySeconds": delay,
        "MessageGroupId": message.group,
    }


def _send_batch(url: str, entries: list[SendMessageBatchRequestEntryTypeDef]) -> None:
    try:
        answer = client().send_message_batch(QueueUrl=url, Entries=entries)
    except aws.errors() as error:
        raise _failed("send_message_batch", _code(error)) from None
    if refused := answer.get("Failed"):
        raise _failed("send_message_batch", refused[0]["Code"])


def postpone(arn: str, receipt: str, seconds: int) -> None:
    """Makes a received message visible again after this number of seconds.

    If the call fails, or the queue belongs to a former setting of the stack, that is after the queue's time-out.
    """
    url = next((queue_url for queue_url in urls() if queue_url.rpartition("/")[2] == arn.rpartition(":")[2]), None)
    if url is None:
        return
    try:
        client().change_message_visibility(QueueUrl=url, ReceiptHandle=receipt, VisibilityTimeout=seconds)
    except aws.errors() as error:
        _failed("change_message_visibility", _code(error))


def _code(error: BotoCoreError | ClientError) -> str:
    return error.response["Error"]["Code"] if isinstance(error, aws.refusal()) else type(error).__name__


def _failed(operation: str, code: str) -> Exception:
    """Counts and logs a failed call; returns what the caller raises."""
    telemetry.count(Metric.QUEUE_FAILURES)
    telemetry.logger().error("queue failure", operation=operation, code=code)
    return unavailable()
