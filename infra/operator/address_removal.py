"""Removes e-mail addresses from the rows that do not belong to their user, for a purge (ADR 0066).

No index leads from an address to the invites, votes, events and answers that contain it, or from a user to the answers
to meetings. So the table is searched page by page, and the progress is stored after each page: a search that was
interrupted goes on with the page it was at.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from governance.ids import UserId
from governance.models.invite import StoredInvite
from governance.models.purge import PurgeProgress
from governance.settings import settings
from governance.store import boards, events, guest_votes, invites, purges, recorded_answers, table
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.entities import RSVP
from governance.store.schema.keys import PK, SK, Item, Key, key_of
from governance.store.table import delete_all, read_one, transact
from governance.store.writes import Delete, retry_stale_reads

_PAGE = 1000
_IN_DELIVERY_DATA = ("inviteeEmail", "memberEmail")
_IN_DETAILS = ("memberEmail",)
_MAY_HAVE_AN_ADDRESS = " OR ".join(
    f"attribute_exists({path})"
    for path in (
        "inviteeEmail",
        "invitee_email",
        "email",
        recorded_answers.PLAIN,
        recorded_answers.COMPRESSED,
        "stampedAt",
        *(f"#deliveryData.{name}" for name in _IN_DELIVERY_DATA),
        *(f"details.{name}" for name in _IN_DETAILS),
    )
)


def remove(progress: PurgeProgress, addresses: Collection[str]) -> PurgeProgress:
    """Deletes invites to the addresses, guest votes cast with them, and recorded answers that hold them or the user.

    Deletes the user's answers to meetings, and redacts the addresses in events. The audit log keeps them. Returns the
    progress with the search as done.
    """
    while not progress.searched:
        page = _next_page(progress.searched_to)
        for raw in page["Items"]:
            key = key_of(unmarshal(raw))
            retry_stale_reads(partial(_remove, key, addresses, progress.user_id))
        last = page.get("LastEvaluatedKey")
        searched_to = None if last is None else (unmarshal(last)[PK], unmarshal(last)[SK])
        progress, step = purges.advance(progress, searched_to=searched_to, searched=last is None)
        transact([step])
    return progress


def _next_page(after: tuple[str, str] | None) -> Any:
    """Returns the next page of the rows that may hold an address, as the store answers it."""
    request: dict[str, Any] = {
        "TableName": settings().table_name,
        "FilterExpression": _MAY_HAVE_AN_ADDRESS,
        "ExpressionAttributeNames": {"#deliveryData": "deliveryData"},
        "ConsistentRead": True,
        "Limit": _PAGE,
    }
    if after is not None:
        request["ExclusiveStartKey"] = marshal(Key(*after).attributes)
    return table.scan_page(**request)


def _remove(key: Key, addresses: Collection[str], user_id: UserId) -> None:
    """Removes the addresses from a row, which is read again: it may have changed since the page was read."""
    item = read_one(key)
    if item is None:
        return
    kind = (key.pk.partition("#")[0], key.sk.partition("#")[0])
    if kind[0] == "EVENTS":
        _redact_event(key, item, addresses)
    elif kind[0] == "IDEMPOTENCY":
        _delete_answer(key, item, [*map(json.dumps, addresses), f'"userId":"{user_id}"'])
    elif key == RSVP.key_or_none(**{name: str(item.get(name)) for name in RSVP.parameters}):
        delete_all([key] if item["userId"] == user_id else [])
    elif kind == ("GUESTS", "MEETING") and item.get("email") in addresses:
        transact(guest_votes.delete(key))
    elif kind in {("BOARD", "INVITE"), ("BOARD", "PENDING_INVITE")} and item["inviteeEmail"] in addresses:
        _delete_invite(StoredInvite.model_validate(item))
    elif (kind[0] == "INVITE" and item["inviteeEmail"] in addresses) or (
        kind == ("USER", "SENT") and item["invitee_email"] in addresses
    ):
        transact([Delete(key)])


def _redact_event(key: Key, item: Item, addresses: Collection[str]) -> None:
    delivery_data = [name for name in _IN_DELIVERY_DATA if item["deliveryData"].get(name) in addresses]
    details = [name for name in _IN_DETAILS if item["details"].get(name) in addresses]
    if delivery_data or details:
        transact([events.redact(key, delivery_data, details)])


def _delete_answer(key: Key, item: Item, texts: Iterable[str]) -> None:
    """Deletes the recorded answer to a request if it holds one of these texts."""
    answer = recorded_answers.answer_in(item)
    if any(text in answer for text in texts):
        transact([Delete(key)])


def _delete_invite(invite: StoredInvite) -> None:
    """Deletes every row of an invite, its own last, because it names the others."""
    board = boards.find(invite.board_id)
    delete_all(invites.keys_outside_board(invite, board.invite_code if board else None))
    transact(invites.delete(invite))
