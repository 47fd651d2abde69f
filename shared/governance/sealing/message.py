"""The message that asks for a row to be sealed."""

from __future__ import annotations

from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.schema.keys import Key


def leaf_message(key: Key) -> Message:
    """Returns the message for the row under a key."""
    return Message(DeliveryKind.LEAF, key.pk, {"key": key})


def row_key(message: Message) -> Key:
    """Returns the key of the row that a message is about. Raises `ValueError` for a message of another kind."""
    if message.kind is not DeliveryKind.LEAF:
        raise ValueError("The message is not for the sealer.")
    return Key(*message.body["key"])
