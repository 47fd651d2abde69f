"""What a start of the functions that serve every group's routes imports: no use case that is not called."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.harness.client import FUNCTIONS
from tests.harness.engine import ENVIRONMENT

_PROBE = "import json, sys; import handler; print(json.dumps([name for name in sys.modules if 'governance' in name]))"
_LAMBDA = {"AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand", "ORIGIN_SECRETS": "sent-by-the-cdn", "TABLE_NAME": "none"}


def imported(group: str) -> set[str]:
    """Returns our own modules that a start of a group's function imports."""
    path = os.pathsep.join([str(FUNCTIONS / group), str(FUNCTIONS.parent / "shared")])
    environment = {**os.environ, **ENVIRONMENT, **_LAMBDA, "PYTHONPATH": path}
    command = [sys.executable, "-c", _PROBE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("group", "own"),
    [
        ("access", {"governance.http.evaluation", "governance.models.access"}),
        ("mcp", {f"governance.mcp{part}" for part in ("", ".catalog", ".protocol", ".server", ".tools")}),
    ],
)
def test_a_function_for_all_routes_starts_with_less_than_one_for_some(group: str, own: set[str]) -> None:
    assert imported(group) - imported("boards") == own
