"""Removes an e-mail address from the rows that do not belong to its user, for a purge (ADR 0066).

It reads the whole table: no index leads from an address to the invites, votes and events that contain it.
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
_HAS_ADDRESS = " OR ".join(
    f"{name} = :address" for name in ("inviteeEmail", "email", *(f"#d.{name}" for name in _IN_DATA))
)


def remove(address: str) -> None:
    """Deletes invites to an address and guest votes cast with it, and redacts it in the `data` of stored events.

    The audit log and the `details` of events keep it. Repeating the call changes nothing.
    """
    transact([Delete(quotas.key(MAILS_TO_RECIPIENT, address))])
    for item in _rows_with(address):
        if writes := _removal(item, address):
            transact(writes)


def _rows_with(address: str) -> Iterator[Item]:
    """Yields every row that contains the address, in no order."""
    request: dict[str, Any] = {
        "TableName": settings().table_name,
        "FilterExpression": _HAS_ADDRESS,
        "ExpressionAttributeNames": {"#d": "data"},
        "ExpressionAttributeValues": {":address": {"S": address}},
        "ConsistentRead": True,
    }
    for page in table.client().get_paginator("scan").paginate(**request):
        yield from (unmarshal(raw) for raw in page["Items"])


def _removal(item: Item, address: str) -> list[Write]:
    """Returns the writes that remove the address from a row; none for the user's own rows, which the purge deletes."""
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
