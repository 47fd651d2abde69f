"""Deletes the items under what was deleted: they are unreachable at once, and removed here soon after (ADR 0031).

A board or a meeting has more items under it than a transaction can contain. So its deletion is one write, after which
none of them can be reached. The event of the deletion then starts the cleanup, which may run twice without harm.
"""

from __future__ import annotations

from collections.abc import Iterable

from governance.ids import BoardId
from governance.models.event import Event, StoredEvent
from governance.store import action_items, boards, dashboards, invites, slots, tokens, webhook_deliveries, webhooks
from governance.store.schema import BOARD, Key
from governance.store.table import delete_all, transact


def delete_leftovers(event: StoredEvent) -> None:
    """Deletes what the deletion that the event records has left behind; other events leave nothing."""
    board_id, refs = event.board_id, event.refs
    if event.type is Event.MEETING_DELETED:
        delete_all(slots.keys_under_meeting(board_id, refs["meetingId"]))
        items = action_items.list_of_meeting(board_id, refs["meetingId"])
        delete_all([row for item in items for row in reversed(action_items.keys_of(item))])
    elif event.type is Event.REPORT_DELETED:
        delete_all(dashboards.keys_under_report(board_id, refs["reportId"]))
    elif event.type is Event.WEBHOOK_DELETED:
        delete_all(webhook_deliveries.keys_of_webhook(board_id, refs["webhookId"]))
    elif event.type is Event.BOARD_DELETED:
        delete_all(_keys_of_webhooks(board_id))
        delete_all(_keys_outside_board(board_id, event.data.get("inviteCode")))
        delete_all(boards.keys_under_board(board_id))
    elif event.type is Event.GUEST_LINK_CLOSED and event.data.get("votes") == "discard":
        for writes in slots.delete_guest_votes(board_id, refs["meetingId"], event.created_at):
            transact(writes)
    elif event.type is Event.SLOT_REMOVED:
        delete_all(slots.keys_of_votes(board_id, refs["meetingId"], refs["slotId"]))


def _keys_of_webhooks(board_id: BoardId) -> Iterable[Key]:
    """Yields the keys of the deliveries to a board's webhooks, and of the rows that find these."""
    for webhook in webhooks.of_board(board_id).webhooks:
        yield from webhook_deliveries.keys_of_webhook(board_id, webhook.id)
        yield webhooks.location_key(webhook.id)


def _keys_outside_board(board_id: BoardId, code: str | None) -> list[Key]:
    """Returns the keys outside a board's partition, which only items inside it name; so they are deleted first."""
    items = (row for item in action_items.list_of_board(board_id) for row in action_items.keys_of(item)[1:])
    sent = (row for invite in invites.list_of_board(board_id) for row in invites.keys_outside_board(invite, code))
    return [*items, *sent, *tokens.keys_outside_owner(BOARD.key_for(boardId=board_id).pk)]
