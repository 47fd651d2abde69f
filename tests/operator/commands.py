"""Runs `boardctl` as an operator does, and reads what it records."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from governance.ids import BoardId
from infra.operator.main import main
from tests.harness.history import audit_items


def boardctl(*words: str) -> Result:
    """Runs a command and returns its output and exit code."""
    return CliRunner().invoke(main, words, catch_exceptions=False)


def audited(board_id: BoardId) -> list[dict[str, Any]]:
    """Returns the board's stored audit entries, oldest first."""
    items = audit_items(board_id)
    return [json.loads(item["entry"]) for item in items]
