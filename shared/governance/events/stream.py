"""Handles the table's stream: each record on its own, so that a failed one does not delay the others."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from governance import telemetry
from governance.events.delivery import deliver
from governance.instants import now
from governance.store.events import from_stream
from governance.telemetry import Metric
from governance.usecases.board_order import move_in_lists
from governance.usecases.cleanup import delete_leftovers

_processor = BatchProcessor(event_type=EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)


def handle(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of the stream; returns the records that are to be retried."""
    telemetry.begin_invocation(context)
    return process_partial_response(event=event, record_handler=_record, processor=_processor, context=context)  # type: ignore[arg-type]


def _record(record: DynamoDBRecord, lambda_context: LambdaContext | None = None) -> None:
    """Delivers a new event, and does what else follows from it: lists that change, rows that are left behind.

    Other changes of the table are ignored. A record may take half of the invocation's remaining time, so that slow
    records leave time for the next ones.
    """
    image = record.raw_event["dynamodb"].get("NewImage")
    if record.raw_event["eventName"] == "INSERT" and image is not None:
        event = from_stream(image)
        remaining = lambda_context.get_remaining_time_in_millis() / 1000 if lambda_context else 0
        try:
            deliver(event, now(), remaining / 2)
            move_in_lists(event)
            delete_leftovers(event)
        except Exception as error:
            telemetry.log_error("delivery failed", error, event=event.type)
            telemetry.count(Metric.DELIVERIES_FAILED)
            raise
