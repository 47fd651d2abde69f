"""Handles the table's stream: sends new events, audit entries, exports, revocations and rings to their queues (ADR
deliveries), and certificates of the seals to that of audit entries.

A slow or unavailable service therefore does not delay other boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.batch import EventType
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from governance import telemetry
from governance.deliveries.following import event_message
from governance.deliveries.history.revocations import revocation_message
from governance.deliveries.members.merge_recommendations import account_messages
from governance.errors import ApiError
from governance.exports.message import export_message
from governance.live import changes
from governance.live.audience import Audience
from governance.models.queue import DeliveryKind
from governance.queue import sending
from governance.queue.frame import handle_batch
from governance.queue.message import Message
from governance.sealing.message import leaf_message
from governance.settings import settings
from governance.store.attributes import unmarshal
from governance.store.history import leaves, revocations
from governance.store.schema.entities import USER
from governance.store.schema.history import AUDIT_PREFIX, EVENTS_PREFIX, SEALS_PREFIX
from governance.store.schema.jobs import EXPORT, EXPORTS_PREFIX
from governance.store.schema.keys import PK, SK, Item, key_of
from governance.telemetry import Metric


def handle(event: dict[str, Any], context: object) -> Any:
    """Handles a batch of the stream; returns the first record that is to be retried, with those behind it."""
    return handle_batch(event, context, EventType.DynamoDBStreams, partial(_record, Audience()))


def _record(audience: Audience, record: DynamoDBRecord) -> None:
    """Sends a new event, audit entry or export, a right that ended, and what rings, to its queue; ignores the rest."""
    change = record.raw_event
    if settings().revocations_bucket:
        _send(DeliveryKind.REVOCATION, lambda: _revocations(change))
    if settings().ringer_function:
        with suppress(ApiError):  # counted; a ring may be lost, and holds up no event
            _send(DeliveryKind.RING, lambda: audience.heard(changes.messages_of(change)))
    image = change["dynamodb"].get("NewImage")
    if image is None:
        return
    if change["eventName"] == "MODIFY" and image[SK]["S"] == USER.sk:
        at = change["dynamodb"]["ApproximateCreationDateTime"]
        _send(DeliveryKind.RECOMMENDATION, lambda: account_messages(unmarshal(image), at))
    elif change["eventName"] == "INSERT" and image[PK]["S"].startswith(EVENTS_PREFIX):
        sending.send(_messages_of_event(unmarshal(image)))
    elif change["eventName"] == "INSERT" and image[PK]["S"].startswith((AUDIT_PREFIX, SEALS_PREFIX)):
        sending.send([leaf_message(key_of(unmarshal(change["dynamodb"]["Keys"])))])
    elif change["eventName"] == "INSERT" and _is_export(image):
        _send(DeliveryKind.EXPORT, lambda: [export_message(unmarshal(image))])


def _send(kind: DeliveryKind, follow: Callable[[], Iterable[Message]]) -> None:
    """Sends what follows from a change. A row that cannot be read is counted: it would hold up all that is behind it.

    Raises 503 if the queue did not take a message.
    """
    try:
        messages = [*follow()]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        telemetry.log_error("delivery failed", error, kind=kind)
        telemetry.count(Metric.DELIVERIES_FAILED, kind)
        return
    sending.send(messages)


def _revocations(change: dict[str, Any]) -> list[Message]:
    revocation = revocations.of_change(change)
    return [] if revocation is None else [revocation_message(revocation, change["eventID"])]


def _messages_of_event(item: Item) -> Iterable[Message]:
    """Yields the message that begins an event's delivery, and the one that has it sealed if it is logged.

    None for one that is in the log by now: it was delivered before, and was restored with its board.
    """
    if leaves.INDEX in item:
        return
    yield event_message({name: value for name, value in item.items() if name not in leaves.ATTRIBUTES})
    if leaves.TEXT in item:
        yield leaf_message(key_of(item))


def _is_export(image: dict[str, Any]) -> bool:
    key = key_of(unmarshal(image))
    return key.pk.startswith(EXPORTS_PREFIX) and key.sk.startswith(EXPORT.sk_prefix)
