"""The environment variables of the functions under `make run`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from infra.stack import download_key, env_file

JWT_SECRET = "local-development-secret-not-for-production"  # noqa: S105 - public by design
DOWNLOAD_KEY_ID = "KLOCAL"
_DRAWN = (
    "CURSOR_SECRET",
    "INVITE_LINK_SECRET",
    "BALLOT_SECRET",
    "ORIGIN_SECRETS",
    "LOG_SIGNING_KEY",
    "SEAL_SIGNING_KEY",
)


def _drawn_secrets() -> dict[str, str]:
    return {name: secrets.token_urlsafe(32) for name in _DRAWN} | {"DOWNLOAD_KEY": download_key.draw()}


_DEFAULTS = {
    "TABLE_NAME": "board-governance",
    "BUCKET_NAME": "board-governance-static",
    "PAPERS_BUCKET": "board-governance-papers",
    "MALWARE_PROTECTION": "no",
    "REVOCATIONS_BUCKET": "",
    "JWT_ISSUER": "board-governance-local",
    "JWT_AUDIENCE": "board-governance",
    "JWT_CLIENTS": "",
    "JWT_ALGORITHMS": "HS256",
    "JWT_SECRET": JWT_SECRET,
    "JWKS_URL": "",
    "REQUIRE_EMAIL_VERIFIED": "false",
    **_drawn_secrets(),
    "DOWNLOADS_ORIGIN": "",
    "DOWNLOAD_KEY_ID": DOWNLOAD_KEY_ID,
    "REQUEST_SECRETS": "",
    "RATE_LIMIT_PRINCIPAL": "3000",
    "RATE_LIMIT_ADDRESS": "300",
    "RATE_LIMIT_FLOOD": "150",
    "RATE_LIMIT_CATALOG": "1000",
    "MAIL_SENDER": "Board Governance <no-reply@localhost>",
    "MAIL_CONFIGURATION_SET": "",
    "WEBHOOK_KEY_ID": "alias/board-governance-webhooks",
    "WEBHOOK_ALLOW_LOOPBACK": "",
    "DELIVERIES_QUEUE_URL": "",
    "EMAILS_QUEUE_URL": "",
    "CLEANUPS_QUEUE_URL": "",
    "WEBHOOKS_QUEUE_URL": "",
    "SLOW_WEBHOOKS_QUEUE_URL": "",
    "WEBHOOKS_CONCURRENCY": "24",
    "SLOW_WEBHOOKS_CONCURRENCY": "24",
    "EXPORTS_QUEUE_URL": "",
    "PACKS_QUEUE_URL": "",
    "MINUTES_FILES_QUEUE_URL": "",
    "LEAVES_QUEUE_URL": "",
    "LOG_KEY_ID": "",
    "LOG_WITNESSES": "",
    "SEAL_KEY_ID": "",
    "REVOCATIONS_QUEUE_URL": "",
    "RINGER_FUNCTION": "ringer",
    "LIVE_ENDPOINT": "",
    "POWERTOOLS_SERVICE_NAME": "board-governance",
    "POWERTOOLS_METRICS_NAMESPACE": "BoardGovernance",
}
_QUIET = {
    "POWERTOOLS_LOG_LEVEL": "WARNING",
    "POWERTOOLS_LOGGER_SAMPLE_RATE": "0",
    "POWERTOOLS_METRICS_DISABLED": "true",
}


def functions_environment(root_url: str, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns the variables that the functions read: local values, unless `given` (the shell) sets them."""
    values = _DEFAULTS | {"ROOT_URL": root_url} | _QUIET
    return {name: given.get(name, value) for name, value in values.items()}


def kept_secrets(file: Path) -> dict[str, str]:
    """Returns random secrets, which are drawn at the first call and kept in `file`.

    So links and cursors outlive a restart, and nobody can forge them, even where other machines reach the service.
    """
    kept = _drawn_secrets() | env_file.read(file)
    env_file.write(file, kept)
    return kept
