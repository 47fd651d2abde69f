"""The base of the commands that act on an installation."""

from __future__ import annotations

from typing import Any

import click

from infra.operator import environment


class InstallationCommand(click.Command):
    """A command that acts on an installation; its help works without one."""

    def invoke(self, ctx: click.Context) -> Any:
        """Finds the installation and runs the command."""
        environment.prepare()
        return super().invoke(ctx)
