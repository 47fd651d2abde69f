"""`boardctl audit`: the audit entries that belong to no board."""

from __future__ import annotations

import click

from governance import instants
from governance.instants import Instant
from governance.store.live import records
from infra.operator.command import InstallationCommand


@click.group()
def audit() -> None:
    """Show the audit entries that belong to no board."""


def _instant(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Instant | None:
    try:
        return None if value is None else instants.parse(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


@audit.command(cls=InstallationCommand)
@click.option("--since", metavar="INSTANT", callback=_instant, help="Only entries of this instant and later.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="At most this many.")
def system(since: Instant | None, limit: int | None) -> None:
    """Print the system's entries of the last year as JSON, one a line, newest first."""
    for text in records.iter_system(since, instants.now(), limit):
        click.echo(text)
