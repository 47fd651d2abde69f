"""`boardctl`: what an operator does that no client may."""

from __future__ import annotations

import json
import sys
from typing import Any, cast, get_args

import boto3
import click

from governance.domain.billing import STATES
from governance.errors import ApiError, Code
from governance.models.user import StoredUser, UserStatus
from governance.settings import settings
from governance.usecases import operator
from infra import avatars
from infra.catalog.cli import catalog
from infra.operator import environment, traces
from infra.stack.sessions import sign_session, user_id_of


class _Operator(click.Group):
    """Refusals are told in a sentence, with exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ApiError as error:
            raise click.ClickException(_reason(error)) from None


class _Act(click.Command):
    """A command on an installation; its help needs none."""

    def invoke(self, ctx: click.Context) -> Any:
        """Find the installation, then run."""
        environment.prepare()
        return super().invoke(ctx)


def _reason(error: ApiError) -> str:
    if error.code is Code.RESOURCE_NOT_FOUND:
        return "There is nothing of this id."
    if error.code is Code.SERVICE_UNAVAILABLE:
        return "The table cannot be reached, or is busy. Is the service running, or are AWS credentials set?"
    fields: dict[str, str] = (error.details or {}).get("fields", {})
    return "; ".join(f"{name} {why}" for name, why in fields.items()) or error.message


@click.group(cls=_Operator)
def main() -> None:
    """Operate a Board Governance Service.

    Acts on the service that `make run` started last on this machine; or, where TABLE_NAME is set, on that table, with
    the AWS credentials of your shell. Whatever you change holds from the next request on.
    """


main.add_command(catalog)


@main.group()
def user() -> None:
    """Show users, close and open their accounts, remove their data."""


@user.command(cls=_Act)
@click.argument("user_id", metavar="USER_ID")
def show(user_id: str) -> None:
    """Show a user and the boards that they are a member of, as JSON."""
    found, boards = operator.show_user(user_id)
    memberships = [
        {"id": board.id, "name": board.name, "adminRole": member.admin_role, "accessType": member.access_type}
        for board, member in boards
    ]
    click.echo(json.dumps({**_shown(found), "boards": memberships}, indent=2, ensure_ascii=False))


def _shown(found: StoredUser) -> dict[str, Any]:
    hidden = {"version", "named"}
    return {name: value for name, value in found.item().items() if name not in hidden}


@user.command("status", cls=_Act)
@click.argument("user_id", metavar="USER_ID")
@click.argument("status", type=click.Choice(get_args(UserStatus)))
def set_status(user_id: str, status: str) -> None:
    """Close an account, or open it again.

    Whoever is suspended or inactive gets 403 on every call, with a session as with a token.
    """
    changed = operator.set_user_status(user_id, cast("UserStatus", status))
    click.echo(f"{changed.id} is {changed.status}.")


@user.command(cls=_Act)
@click.argument("user_id", metavar="USER_ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
def purge(user_id: str, *, yes: bool) -> None:
    """Remove a user's personal data for ever.

    Name, address, picture, tokens, notifications and preferences go, and so do invites to the address and votes under
    it as a guest; the account is closed. The audit trail stays, and so do memberships and what the user did, under an
    id without a name. Reads the whole table once. On a terminal it asks first.
    """
    if not yes and sys.stdin.isatty():
        click.confirm("This cannot be undone. Remove the personal data of this user?", abort=True)
    if not settings().bucket_name:
        raise click.ClickException("BUCKET_NAME is not set: it names the bucket that holds the user's picture.")
    address = operator.close_account(user_id)
    if address:
        traces.erase(address)
    boards = operator.purge_user(user_id)
    avatars.remove(boto3.client("s3"), settings().bucket_name, user_id)
    click.echo(f"{user_id} is purged; recorded on {len(boards)} board(s).")


@main.group()
def billing() -> None:
    """Override the billing state of a board."""


@billing.command("set", cls=_Act)
@click.argument("board_id", metavar="BOARD_ID")
@click.argument("state", type=click.Choice(STATES))
def set_billing(board_id: str, state: str) -> None:
    """Put a board into a billing state.

    TRIAL_ACTIVE, PAID_ACTIVE and PAST_DUE_GRACE allow everything; the others refuse every write on the board.
    """
    old, new = operator.set_billing(board_id, state)
    click.echo(f"{new.id} is {new.billing_state}; it was {old.billing_state}.")


@main.group()
def token() -> None:
    """Revoke access tokens."""


@token.command(cls=_Act)
@click.argument("token_id", metavar="TOKEN_ID")
def revoke(token_id: str) -> None:
    """Revoke a personal or a board token, by its id (not its secret)."""
    revoked = operator.revoke_token(token_id)
    click.echo(f"{revoked.id} ({revoked.kind} token {revoked.name!r}) is revoked.")


@main.command(cls=_Act)
@click.argument("email")
def session(email: str) -> None:
    """Print a session (a JWT) for an address; local services only.

    The same address is the same user every time; one that is new becomes a user with the first call.
    """
    if not settings().jwt_secret:
        raise click.ClickException(
            "Only a local service has sessions signed here; elsewhere the identity provider does."
        )
    first, *rest = email.partition("@")[0].replace("_", ".").split(".")
    click.echo(sign_session(settings(), email, first.capitalize(), " ".join(part.capitalize() for part in rest)))
    click.echo(f"User {user_id_of(settings(), email)}, for 12 hours.", err=True)
