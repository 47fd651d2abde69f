"""`boardctl webhooks`: what a board's webhooks are, and how to stop one."""

from __future__ import annotations

import json

import click

from governance.ids import BoardId
from governance.usecases.operator import operator
from infra.operator.command import InstallationCommand


@click.group()
def webhooks() -> None:
    """Show the webhooks of a board, stop one."""


@webhooks.command("list", cls=InstallationCommand)
@click.argument("board_id", metavar="BOARD_ID")
def list_webhooks(board_id: str) -> None:
    """Print the webhooks of a board as JSON, without their secrets."""
    stored = operator.webhooks_of_board(BoardId(board_id)).webhooks
    hidden = {"secret", "previousSecret"}
    shown = [{name: value for name, value in webhook.item().items() if name not in hidden} for webhook in stored]
    click.echo(json.dumps(shown, indent=2, ensure_ascii=False))


@webhooks.command(cls=InstallationCommand)
@click.argument("webhook_id", metavar="WEBHOOK_ID")
def disable(webhook_id: str) -> None:
    """Send nothing more to a webhook, until an admin of its board enables it again. The owner is notified."""
    disabled = operator.disable_webhook(webhook_id)
    click.echo(f"Disabled {disabled.id} ({disabled.url}).")
