"""The service's log, read as lines of JSON."""

from __future__ import annotations

import io
import json
import sys
from typing import Any


class CurrentStdout(io.TextIOBase):
    """The standard output of the moment: pytest replaces it for each test that captures it."""

    def write(self, text: str) -> int:
        return sys.stdout.write(text)

    def flush(self) -> None:
        sys.stdout.flush()


def lines(written: str) -> list[dict[str, Any]]:
    """The lines of the log, without metrics and what is not JSON."""
    objects = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    return [line for line in objects if "_aws" not in line]


def metrics(written: str) -> list[dict[str, Any]]:
    """The metrics, in the embedded metric format."""
    return [json.loads(line) for line in written.splitlines() if line.startswith('{"_aws"')]
