"""What bears a person's address outside his own rows, found by reading the whole table (ADR 0066).

No index leads from an address to the invites and votes that others made with it, and none is kept for the rare purge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from governance.domain.quota import MAILS_TO_RECIPIENT
from governance.models.invite import StoredInvite
from governance.models.slot import StoredVote
from governance.settings import settings
from governance.store import boards, events, invites, quotas, slots, table
from governance.store.attributes import unmarshal
from governance.store.schema import Item, key_of
from governance.store.table import transact
from governance.store.writes import Delete, Write

_IN_DATA = ("inviteeEmail", "memberEmail")
_BEARS = " OR ".join(f"{name} = :address" for name in ("inviteeEmail", "email", *(f"#d.{name}" for name in _IN_DATA)))


def erase(address: str) -> None:
    """Remove invites to an address and guests' votes under it, and take it out of the data of stored events.

    The audit log, and what the feed of events says with it, stay. Doing so again finds nothing more.
    """
    transact([Delete(quotas.key(MAILS_TO_RECIPIENT, address))])
    for item in _bearing(address):
        if writes := _erasure(item, address):
            transact(writes)


def _bearing(address: str) -> Iterator[Item]:
    """Every row that bears the address, in no order."""
    request: dict[str, Any] = {
        "TableName": settings().table_name,
        "FilterExpression": _BEARS,
        "ExpressionAttributeNames": {"#d": "data"},
        "ExpressionAttributeValues": {":address": {"S": address}},
        "ConsistentRead": True,
    }
    for page in table.client().get_paginator("scan").paginate(**request):
        yield from (unmarshal(raw) for raw in page["Items"])


def _erasure(item: Item, address: str) -> list[Write]:
    """What removes the address from a row; a user's own rows are for the purge itself."""
    key = key_of(item)
    kind = (key.pk.partition("#")[0], key.sk.partition("#")[0])
    if kind[0] == "EVENTS":
        return [events.redact(key, [name for name in _IN_DATA if item["data"].get(name) == address])]
    if kind[0] == "INVITE" or kind == ("USER", "SENT"):
        return [Delete(key)]
    if kind in {("BOARD", "INVITE"), ("BOARD", "PENDING_INVITE")}:
        invite = StoredInvite.model_validate(item)
        board = boards.find(invite.board_id)
        return invites.delete_all_rows(invite, board.invite_code if board else None)
    if kind == ("BOARD", "MEETING"):
        return slots.delete_guest_vote(key, StoredVote.model_validate(item))
    return []
