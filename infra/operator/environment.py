"""The installation that the commands act on: the one that the shell names, or the `make run` on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import click

from infra.stack.env_file import read

# `Settings` requires these variables, but no command of the operator uses their values.
_UNUSED = ("ROOT_URL", "JWT_ISSUER", "JWT_AUDIENCE")


def prepare(file: Path | None = None) -> None:
    """Completes the environment from `file`, or that of the service on this machine.

    Raises `ClickException` if no table is named there either.
    """
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "CRITICAL")  # a failure is one sentence
    if "TABLE_NAME" not in os.environ:
        for name, value in read(file).items():
            os.environ.setdefault(name, value)
    if "TABLE_NAME" not in os.environ:
        raise click.ClickException(
            "No installation is configured. Start one on this machine with `make run`, "
            "or set TABLE_NAME and AWS credentials for one in the cloud."
        )
    for name in _UNUSED:
        os.environ.setdefault(name, "")
    os.environ.setdefault("POWERTOOLS_METRICS_DISABLED", "true")  # metrics are the functions' own
