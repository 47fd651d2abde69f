"""The table's stream: builds event records, and passes them to the function of the stream and on through the queue."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from governance.domain.access.visibility import event_visibility
from governance.domain.events.registry import KINDS
from governance.ids import BoardId, UserId, time_ordered_id
from governance.instants import millis, now
from governance.limits import TASK_MAIL_DELAY_SECONDS
from governance.models.history.event import Event, StoredEvent
from governance.models.queue import DeliveryKind
from governance.store.schema.history import event_key
from tests.harness import queue
from tests.harness.client import FUNCTIONS, load
from tests.harness.history import event_items
from tests.harness.privileges import acting_as

Record = dict[str, Any]
_marshal = TypeSerializer().serialize
_numbers = itertools.count(1)
_NEEDED = {"fields": ["name"], "dashboardIds": [], "number": 1}
"""Details that an event needs and a test does not care about."""


def new_event(board_id: BoardId, kind: Event, actor: UserId | None = None, **members: Any) -> StoredEvent:
    """Builds an event of a board that happened now, or at the instant `at`, with the ids and fields that it needs."""
    at = members.pop("at", None) or now()
    defaults: dict[str, Any] = {"refs": {}, "details": {}, "delivery_data": {}, "created_via": "web"}
    given = {part: {**_NEEDED, **members.get(part, {})} for part in ("refs", "details")}
    for name, part, key in KINDS[kind].payload._stored_as():
        if part in given and KINDS[kind].payload.model_fields[name].is_required():
            members[part] = {key: given[part].get(key, "f" * 24), **members.get(part, {})}
    return StoredEvent(
        id=time_ordered_id(millis(at)),
        board_id=board_id,
        type=kind,
        actor_user_id=actor,
        created_at=at,
        **(defaults | members),
    )


def record_of(event: StoredEvent) -> Record:
    """Builds the stream record of a new event."""
    key = event_key(event.board_id, event_visibility(event), event.created_at, event.id).attributes
    return record({**event.item(), **key})


def record(item: dict[str, Any], name: str = "INSERT") -> Record:
    """Builds the stream record of an item."""
    image = {member: _marshal(value) for member, value in item.items()}
    keys = {"PK": image["PK"], "SK": image["SK"]}
    number = f"{next(_numbers):021d}"
    change = {"Keys": keys, "NewImage": image, "SequenceNumber": number, "StreamViewType": "NEW_IMAGE"}
    return {"eventID": number, "eventName": name, "eventSource": "aws:dynamodb", "dynamodb": change}


def process_records(records: Sequence[Record], context: Any = None) -> list[str]:
    """Invokes the events function, then the deliveries function until no message is visible.

    Earlier messages that wait are visible again. The mails of assigned tasks, and what is made of many changes of
    figures together, are waited for. Returns the sequence
    numbers of the records that the first failed to process, and the ids of the messages that are left.
    """
    queue.current.now += queue.LONG_ENOUGH
    failed = send_to_queue(records, context)
    queue.current.deliver(context)
    if any(map(_waits_for_others, queue.current.messages)):
        queue.current.now += TASK_MAIL_DELAY_SECONDS
        queue.current.deliver(context)
    return [*failed, *(message.id for message in queue.current.messages if message.function == "deliveries")]


def _waits_for_others(message: queue.QueuedMessage) -> bool:
    body = message.content["body"]
    if message.receives > 0 or message.content["kind"] not in {DeliveryKind.EMAILS, DeliveryKind.FIGURES}:
        return False
    return "newest" in body or (body.get("throttled") == 0 and body["event"]["type"].startswith("action_item."))


def send_to_queue(records: Sequence[Record], context: Any = None) -> list[str]:
    """Invokes the events function. Returns the sequence numbers of the records that it failed to process."""
    handler = load(FUNCTIONS / "events" / "handler.py").lambda_handler
    with acting_as("events"):
        response = handler({"Records": list(records)}, context)
    return [entry["itemIdentifier"] for entry in response["batchItemFailures"]]


def deliver(*events: StoredEvent) -> None:
    """Delivers events and asserts that none failed."""
    assert process_records([record_of(event) for event in events]) == []


def event_records(board_id: BoardId) -> list[Record]:
    """Returns the stream records of all events stored for a board so far."""
    return [record(item) for item in event_items(board_id)]
