"""What operators do with webhooks: look at those of a board, and disable one whose receiver does harm."""

from __future__ import annotations

from governance.domain import webhook as rules
from governance.errors import not_found
from governance.ids import BoardId
from governance.instants import now
from governance.models.webhook import StoredWebhook, StoredWebhooks
from governance.store import boards, webhooks
from governance.store.retry import retry_stale_reads
from governance.store.table import transact
from governance.usecases.webhooks import disabling


def webhooks_of_board(board_id: BoardId) -> StoredWebhooks:
    """Returns the webhooks of a board; raises 404 if there is no such board."""
    if boards.find(board_id) is None:
        raise not_found()
    return webhooks.of_board(board_id)


def disable_webhook(webhook_id: str) -> StoredWebhook:
    """Disables a webhook and tells the owner of its board; raises 404 if there is none of this id."""
    return retry_stale_reads(lambda: _disable(webhook_id))


def _disable(webhook_id: str) -> StoredWebhook:
    board_id = webhooks.board_of(webhook_id)
    board = webhooks.of_board(board_id) if board_id else None
    webhook = rules.find(board, webhook_id) if board else None
    if board is None or webhook is None:
        raise not_found()
    if webhook.enabled:
        transact(disabling(board, webhook, "operator", now()))
    return webhook
