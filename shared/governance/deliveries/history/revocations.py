"""Records rights that ended, from a queue of their own: a bucket that refuses them holds up no event (ADR restore)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.history import revocations
from governance.store.history.revocations import Revocation


def revocation_message(revocation: Revocation, change_id: str) -> Message:
    """Returns the message that records a revocation; `change_id` is the stream's id of its change."""
    return Message(DeliveryKind.REVOCATION, revocation.pk, {"changeId": change_id, **asdict(revocation)})


def record_revocation(body: Mapping[str, Any]) -> Iterable[Message]:
    """Adds a revocation to the record; nothing follows."""
    members = {name: value for name, value in body.items() if name != "changeId"}
    revocations.append(Revocation(**members), body["changeId"])
    return []
