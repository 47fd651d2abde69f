"""What the functions that take messages or changes have in common: the clock begins, and each failure is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

from governance import deadline, telemetry
from governance.errors import TriedAgain
from governance.telemetry import Metric


def begin(context: object) -> None:
    """Begins an invocation: its log lines name it, and its time is known."""
    telemetry.begin_invocation(context)
    deadline.begin(context)


def handle_batch(event: dict[str, Any], context: object, kind: EventType, handle: Callable[[Any], None]) -> Any:
    """Handles each record of a batch on its own; returns those that are to be tried again."""
    begin(context)
    processor = BatchProcessor(event_type=kind, raise_on_entire_batch_failure=False)  # has state, so is not shared
    return process_partial_response(event=event, record_handler=handle, processor=processor, context=context)  # type: ignore[arg-type]


@contextmanager
def counted(kind: str, title: str = "delivery failed") -> Iterator[None]:
    """Logs and counts an error of a delivery of this kind, and passes it on. A retry by design is not an error."""
    try:
        yield
    except TriedAgain as reason:
        telemetry.logger().info("delivery tried again", kind=kind, reason=type(reason).__name__)
        raise
    except Exception as error:
        telemetry.log_error(title, error, kind=kind)
        telemetry.count(Metric.DELIVERIES_FAILED, kind)
        raise


def worst(errors: Sequence[Exception]) -> Exception:
    """Returns the first of some errors that is a failure; the first at all if everything is tried again by design."""
    return next((error for error in errors if not isinstance(error, TriedAgain)), errors[0])
