"""The base of the commands that act on an installation."""

from __future__ import annotations

from typing import Any

import click

from infra.operator import environment
from infra.operator.patience import patient


class InstallationCommand(click.Command):
    """A command that acts on an installation; its help works without one."""

    def invoke(self, ctx: click.Context) -> Any:
        """Finds the installation and runs the command, which waits for a busy table."""
        environment.prepare()
        with patient():
            return super().invoke(ctx)
