"""The table's stream: records of events, handed to the function that the template feeds with them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from governance.domain.visibility import event_bucket
from governance.ids import time_ordered_id
from governance.instants import millis, now
from governance.models.event import Event, StoredEvent
from governance.settings import settings
from governance.store import table
from governance.store.attributes import unmarshal
from tests.harness.client import FUNCTIONS, load
from tests.harness.privileges import acting

Record = dict[str, Any]
_marshal = TypeSerializer().serialize
_numbers = itertools.count(1)


def happened(board_id: str, kind: Event, actor: str | None = None, **members: Any) -> StoredEvent:
    """An event of a board, a moment ago."""
    at = members.pop("at", None) or now()
    usual: dict[str, Any] = {"refs": {}, "details": {}, "data": {}, "created_via": "web"}
    return StoredEvent(
        id=time_ordered_id(millis(at)),
        board_id=board_id,
        type=kind,
        actor_user_id=actor,
        created_at=at,
        **(usual | members),
    )


def record_of(event: StoredEvent) -> Record:
    """The stream's record of a new event."""
    key = {"PK": f"EVENTS#{event.board_id}", "SK": f"{event_bucket(event)}#{event.created_at}#{event.id}"}
    return record({**event.item(), **key})


def record(item: dict[str, Any], name: str = "INSERT") -> Record:
    """The stream's record of an item."""
    image = {member: _marshal(value) for member, value in item.items()}
    keys = {"PK": image["PK"], "SK": image["SK"]}
    number = f"{next(_numbers):021d}"
    change = {"Keys": keys, "NewImage": image, "SequenceNumber": number, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    return {"eventID": number, "eventName": name, "eventSource": "aws:dynamodb", "dynamodb": change}


def feed(records: Sequence[Record], context: Any = None) -> list[str]:
    """Invoke the function, without a context as if no time were left; the sequence numbers that it wants again."""
    handler = load(FUNCTIONS / "events" / "handler.py").lambda_handler
    with acting("events"):
        response = handler({"Records": list(records)}, context)
    return [entry["itemIdentifier"] for entry in response["batchItemFailures"]]


def deliver(*events: StoredEvent) -> None:
    """Deliver events, all of which must go well."""
    assert feed([record_of(event) for event in events]) == []


def events_of(board_id: str) -> list[Record]:
    """The records of all events that a board's acts have left so far."""
    response = table.client().query(
        TableName=settings().table_name,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": {"S": f"EVENTS#{board_id}"}},
        ConsistentRead=True,
    )
    return [record(unmarshal(item)) for item in response["Items"]]
