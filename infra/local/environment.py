"""The functions' environment on this machine; `make run` writes it to `.local/env` for scripts and `boardctl`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from infra.local.template import ROOT

STATE = Path(os.environ.get("LOCAL_STATE", ROOT / ".local"))
ENV_FILE = STATE / "env"
JWT_SECRET = "local-development-secret-not-for-production"  # noqa: S105 - it says what it is
_DEFAULTS = {
    "TABLE_NAME": "board-governance",
    "BUCKET_NAME": "board-governance-static",
    "JWT_ISSUER": "board-governance-local",
    "JWT_AUDIENCE": "board-governance",
    "JWT_ALGORITHMS": "HS256",
    "JWT_SECRET": JWT_SECRET,
    "JWKS_URL": "",
    "CURSOR_SECRET": "local-cursor-secret-not-for-production",
    "ORIGIN_SECRETS": "local-origin-secret-not-for-production",
    "RATE_LIMIT_PRINCIPAL": "3000",
    "RATE_LIMIT_ADDRESS": "300",
    "RATE_LIMIT_CATALOG": "1000",
    "MAIL_SENDER": "Board Governance <no-reply@localhost>",
    "MAIL_CONFIGURATION_SET": "",
    "POWERTOOLS_SERVICE_NAME": "board-governance",
    "POWERTOOLS_METRICS_NAMESPACE": "BoardGovernance",
}
_QUIET = {
    "POWERTOOLS_LOG_LEVEL": "WARNING",
    "POWERTOOLS_LOGGER_SAMPLE_RATE": "0",
    "POWERTOOLS_METRICS_DISABLED": "true",
}


def functions_environment(root_url: str, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What every function reads: this machine's values, and before them those that the caller's shell gives."""
    values = _DEFAULTS | {"ROOT_URL": root_url} | _QUIET
    return {name: given.get(name, value) for name, value in values.items()}


def write(file: Path, values: Mapping[str, str]) -> None:
    """Keep the environment where a shell can source it (`set -a; . .local/env`)."""
    lines = "".join(f"{name}={shlex.quote(value)}\n" for name, value in sorted(values.items()))
    file.write_text(lines, encoding="utf-8")
    file.chmod(0o600)


def read(file: Path = ENV_FILE) -> dict[str, str]:
    """The environment of the last `make run`; empty where there was none."""
    if not file.exists():
        return {}
    words = shlex.split(file.read_text(encoding="utf-8"))
    return dict(word.split("=", 1) for word in words)
