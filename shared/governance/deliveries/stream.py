"""Handles the table's stream: sends new events, audit entries, exports, revocations and rings to their queues (ADR
deliveries).

A slow or unavailable service therefore does not delay other boards.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from governance import deadline, delivery_queue, telemetry
from governance.deliveries.merge_recommendations import account_messages
from governance.deliveries.planning import event_message
from governance.deliveries.revocations import revocation_message
from governance.delivery_queue import Message
from governance.errors import ApiError
from governance.exports.message import export_message
from governance.live import changes
from governance.sealing.message import leaf_message
from governance.settings import settings
from governance.store import leaves, revocations
from governance.store.attributes import unmarshal
from governance.store.schema.entities import EXPORT, EXPORTS_PREFIX, USER
from governance.store.schema.history import AUDIT_PREFIX, EVENTS_PREFIX
from governance.store.schema.keys import PK, SK, Item, key_of


def handle(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of the stream; returns the first record that is to be retried, with those behind it."""
    telemetry.begin_invocation(context)
    deadline.begin(context)
    processor = BatchProcessor(event_type=EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)
    return process_partial_response(event=event, record_handler=_record, processor=processor, context=context)  # type: ignore[arg-type]


def _record(record: DynamoDBRecord) -> None:
    """Sends a new event, audit entry or export, a right that ended, and what rings, to its queue; ignores the rest."""
    change = record.raw_event
    if settings().revocations_bucket and (revocation := revocations.of_change(change)) is not None:
        delivery_queue.send([revocation_message(revocation, change["eventID"])])
    if settings().ringer_function:
        with suppress(ApiError):  # counted; a ring may be lost, and holds up no event
            delivery_queue.send(changes.messages_of(change))
    image = change["dynamodb"].get("NewImage")
    if change["eventName"] == "MODIFY" and image is not None and image[SK]["S"] == USER.sk:
        delivery_queue.send(account_messages(unmarshal(image), change["dynamodb"]["ApproximateCreationDateTime"]))
    if change["eventName"] == "INSERT" and image is not None and image[PK]["S"].startswith(EVENTS_PREFIX):
        delivery_queue.send(_messages_of_event(unmarshal(image)))
    elif change["eventName"] == "INSERT" and image is not None and image[PK]["S"].startswith(AUDIT_PREFIX):
        delivery_queue.send([leaf_message(key_of(unmarshal(change["dynamodb"]["Keys"])))])
    elif change["eventName"] == "INSERT" and image is not None and _is_export(image):
        delivery_queue.send([export_message(unmarshal(image))])


def _messages_of_event(item: Item) -> Iterable[Message]:
    """Yields the message that begins an event's delivery, and the one that has it sealed if it is logged.

    None for one that is in the log by now: it was told before, and came back with its board.
    """
    if leaves.INDEX in item:
        return
    yield event_message({name: value for name, value in item.items() if name not in leaves.ATTRIBUTES})
    if leaves.TEXT in item:
        yield leaf_message(key_of(item))


def _is_export(image: dict[str, Any]) -> bool:
    key = key_of(unmarshal(image))
    return key.pk.startswith(EXPORTS_PREFIX) and key.sk.startswith(EXPORT.sk_prefix)
