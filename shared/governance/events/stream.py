"""Handles the table's stream: sends each new event to the queue of deliveries and does nothing else (ADR 0100).

So no board and no service that is slow or away holds up the events of another board.
"""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from governance import deadline, delivery_queue, telemetry
from governance.events.planning import event_message
from governance.store.attributes import unmarshal


def handle(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of the stream; returns the first record that is to be retried, with those behind it."""
    telemetry.begin_invocation(context)
    deadline.begin(context)
    processor = BatchProcessor(event_type=EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)
    return process_partial_response(event=event, record_handler=_record, processor=processor, context=context)  # type: ignore[arg-type]


def _record(record: DynamoDBRecord) -> None:
    """Sends a new event to the queue. Other changes of the table are ignored."""
    image = record.raw_event["dynamodb"].get("NewImage")
    if record.raw_event["eventName"] == "INSERT" and image is not None:
        delivery_queue.send([event_message(unmarshal(image))])
