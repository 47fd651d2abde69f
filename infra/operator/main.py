"""`boardctl`: the commands of an operator, which no client of the API has."""

from __future__ import annotations

import json
import sys
from typing import Any, cast, get_args

import click
from botocore.exceptions import BotoCoreError, ClientError
from pydantic import ValidationError

from governance.domain.access.access import BILLING_STATES
from governance.errors import ApiError, Code
from governance.ids import BoardId, MembershipId, UserId
from governance.models.account.user import StoredUser, UserStatus
from governance.models.text import email
from governance.settings import settings
from governance.store.failures import StoreDefectError
from governance.usecases.operator import operator
from infra.catalog.cli import catalog
from infra.operator import purging
from infra.operator.audit import audit
from infra.operator.command import InstallationCommand
from infra.operator.deliveries import deliveries
from infra.operator.demo import demo
from infra.operator.doctor import doctor
from infra.operator.log import log
from infra.operator.mails import mails
from infra.operator.migration import migrate
from infra.operator.recheck import recheck
from infra.operator.replay import replay_revocations
from infra.operator.restore import restore
from infra.operator.webhooks import webhooks
from infra.stack.sessions import sign_session, user_id_of
from infra.version import VERSION

_CHECK = "Check your credentials and their permissions, the region, and the names and URLs that you set."


class _BoardctlGroup(click.Group):
    """A group that prints an error of the API or of AWS as one sentence and exits with code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except ApiError as error:
            raise click.ClickException(_error_text(error)) from None
        except StoreDefectError as error:
            table = f"the table {settings().table_name} ({', '.join(error.codes)})"
            raise click.ClickException(f"AWS refused {table}. {_CHECK}") from None
        except ValidationError as error:
            text = f"A row of the table cannot be read ({error.title}). `boardctl doctor` shows those of a board."
            raise click.ClickException(text) from None
        except ClientError as error:
            call = f"the call {error.operation_name} ({error.response['Error']['Code']})"
            raise click.ClickException(f"AWS refused {call}. {_CHECK}") from None
        except BotoCoreError as error:
            raise click.ClickException(f"AWS was not reached: {error}. {_CHECK}") from None


def _error_text(error: ApiError) -> str:
    if error.code is Code.RESOURCE_NOT_FOUND:
        return "There is no resource with this id."
    if error.code is Code.SERVICE_UNAVAILABLE:
        return "The table is unreachable or busy. Check that the service is running, or the region and the network."
    fields: dict[str, str] = (error.details or {}).get("fields", {})
    return "; ".join(f"{name} {why}" for name, why in fields.items()) or error.message


@click.group(cls=_BoardctlGroup)
@click.version_option(VERSION, prog_name="boardctl")
def main() -> None:
    """Operate a Board Governance Service.

    The commands act on the service that `make run` started last on this machine. If TABLE_NAME is set, they act on that
    table, with the AWS credentials of your shell. A change takes effect with the next request.
    """


main.add_command(audit)
main.add_command(catalog)
main.add_command(deliveries)
main.add_command(demo)
main.add_command(mails)
main.add_command(webhooks)
main.add_command(migrate)
main.add_command(doctor)
main.add_command(restore)
main.add_command(recheck)
main.add_command(replay_revocations)
main.add_command(log)


@main.group()
def user() -> None:
    """Show users, close and reopen their accounts, remove their data."""


@user.command(cls=InstallationCommand)
@click.argument("user_id", metavar="USER_ID")
def show(user_id: str) -> None:
    """Print a user and the boards that they are a member of, as JSON."""
    stored_user, boards = operator.show_user(UserId(user_id))
    memberships = [
        {
            "id": board.id,
            "name": board.name,
            "adminRole": member.admin_role,
            "accessType": member.access_type,
            "url": _page(board.id),
        }
        for board, member in boards
    ]
    click.echo(json.dumps({**_visible_fields(stored_user), "boards": memberships}, indent=2, ensure_ascii=False))


def _page(board_id: str) -> str:
    """Returns the address of a board's page; its path alone if the shell does not name the installation's ROOT_URL."""
    return f"{settings().root_url}/boards/{board_id}"


def _visible_fields(stored_user: StoredUser) -> dict[str, Any]:
    hidden = {"version", "named"}
    return {name: value for name, value in stored_user.item().items() if name not in hidden}


@user.command("status", cls=InstallationCommand)
@click.argument("user_id", metavar="USER_ID")
@click.argument("status", type=click.Choice(get_args(UserStatus)))
def set_status(user_id: str, status: str) -> None:
    """Close an account, or reopen it.

    A suspended or inactive user gets 403 on every call, with a session or a token.
    """
    changed = operator.set_user_status(UserId(user_id), cast("UserStatus", status))
    click.echo(f"{changed.id} is {changed.status}.")


@user.command(cls=InstallationCommand)
@click.argument("user_ids", metavar="USER_ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def purge(user_ids: tuple[str, ...], *, yes: bool) -> None:
    """Remove the personal data of users for ever.

    This closes the account and removes name, addresses, avatar, tokens, notifications and preferences, invites to any
    address that the user ever had, messages of the user's own invites, and votes cast with an address as a guest. The
    audit trail, memberships and the user's changes stay, under an id without a name. The command searches the whole
    table page by page, once for all users that it is given: 90 at most. If it was interrupted, repeat it: it goes on
    where it stopped. On a terminal it asks for confirmation. A user who owns a board is refused: transfer the board
    first.
    """
    if len(user_ids) > purging.MOST_USERS:
        raise click.UsageError(f"Name {purging.MOST_USERS} users at most.")
    if not yes and sys.stdin.isatty():
        click.confirm(f"This cannot be undone. Remove the personal data of {len(user_ids)} user(s)?", abort=True)
    if not settings().bucket_name:
        raise click.ClickException("Set BUCKET_NAME to the bucket that holds the user's avatar.")
    purging.purge_users([*map(UserId, user_ids)])
    for user_id in user_ids:
        own_boards = operator.show_user(UserId(user_id))[1]
        click.echo(f"Purged {user_id}; recorded in the audit log of {len(own_boards)} board(s).")


@main.group()
def board() -> None:
    """Give boards another owner."""


@board.command(cls=InstallationCommand)
@click.argument("board_id", metavar="BOARD_ID")
@click.argument("member_id", metavar="MEMBER_ID")
def transfer(board_id: str, member_id: str) -> None:
    """Make another member the owner of a board.

    MEMBER_ID is the id of a membership, whose user must have an active account. The old owner becomes an admin, even
    after a purge. The new owner is notified, and the audit log has an entry without an actor.
    """
    stored_board, new_owner = operator.transfer_ownership(BoardId(board_id), MembershipId(member_id))
    click.echo(f"{stored_board.id} is owned by {new_owner.user_id}. Its members: {_page(stored_board.id)}/members")


@main.group()
def billing() -> None:
    """Override billing states."""


@billing.command("set", cls=InstallationCommand)
@click.argument("board_id", metavar="BOARD_ID")
@click.argument("state", type=click.Choice(BILLING_STATES))
def set_billing(board_id: str, state: str) -> None:
    """Set the billing state of a board.

    TRIAL_ACTIVE, PAID_ACTIVE and PAST_DUE_GRACE allow writes. The other states refuse every write on the board, except
    deleting or leaving it, revoking tokens, and declining or retracting invites.
    """
    old, new = operator.set_billing(BoardId(board_id), state)
    click.echo(f"{new.id} is {new.billing_state} (was {old.billing_state}). Its page: {_page(new.id)}")


@main.group()
def token() -> None:
    """Revoke access tokens."""


@token.command(cls=InstallationCommand)
@click.argument("token_id", metavar="TOKEN_ID")
def revoke(token_id: str) -> None:
    """Revoke a personal or board token. TOKEN_ID is its id, not its secret."""
    revoked = operator.revoke_token(token_id)
    click.echo(f"Revoked {revoked.id} ({revoked.kind} token {revoked.name!r}).")


def _email(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    try:
        return email(value)
    except ValueError as error:
        raise click.BadParameter(f"It {error}.") from None


@main.command(cls=InstallationCommand)
@click.argument("address", metavar="EMAIL", callback=_email)
def session(address: str) -> None:
    """Print a session (a JWT) for an e-mail address. Works for local services only.

    The same address is always the same user. A new address becomes a user with the first call.
    """
    if not settings().jwt_secret:
        raise click.ClickException(
            "Only sessions of a local service can be signed here. Elsewhere the identity provider signs them."
        )
    first, *rest = address.partition("@")[0].replace("_", ".").split(".")
    click.echo(sign_session(settings(), address, first.capitalize(), " ".join(part.capitalize() for part in rest)))
    click.echo(f"User {user_id_of(settings(), address)}, valid for 12 hours.", err=True)
    click.echo(f"To use it in a browser, paste it at {settings().root_url}/app/sign-in.", err=True)
