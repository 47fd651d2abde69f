"""Which installation the commands act on: what the shell says, or else the last `make run` on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import click

from infra.local.environment import ENV_FILE, read

# The settings want them; nothing that an operator does makes use of them.
_UNUSED = ("ROOT_URL", "JWT_ISSUER", "JWT_AUDIENCE", "CURSOR_SECRET")


def prepare(file: Path = ENV_FILE) -> None:
    """Complete the environment; where no table is named, say how to name one."""
    if "TABLE_NAME" not in os.environ:
        for name, value in read(file).items():
            os.environ.setdefault(name, value)
    if "TABLE_NAME" not in os.environ:
        raise click.ClickException(
            "No installation is named. Start one here with `make run`, "
            "or set TABLE_NAME and AWS credentials for one in the cloud."
        )
    for name in _UNUSED:
        os.environ.setdefault(name, "")
    os.environ.setdefault("POWERTOOLS_METRICS_DISABLED", "true")  # metrics are the functions' own
