"""The environment variables of the functions under `make run`."""

from __future__ import annotations

import os
from collections.abc import Mapping

JWT_SECRET = "local-development-secret-not-for-production"  # noqa: S105 - public by design
_DEFAULTS = {
    "TABLE_NAME": "board-governance",
    "BUCKET_NAME": "board-governance-static",
    "JWT_ISSUER": "board-governance-local",
    "JWT_AUDIENCE": "board-governance",
    "JWT_ALGORITHMS": "HS256",
    "JWT_SECRET": JWT_SECRET,
    "JWKS_URL": "",
    "REQUIRE_EMAIL_VERIFIED": "false",
    "CURSOR_SECRET": "local-cursor-secret-not-for-production",
    "INVITE_LINK_SECRET": "local-invite-link-secret-not-for-production",
    "ORIGIN_SECRETS": "local-origin-secret-not-for-production",
    "RATE_LIMIT_PRINCIPAL": "3000",
    "RATE_LIMIT_ADDRESS": "300",
    "RATE_LIMIT_CATALOG": "1000",
    "MAIL_SENDER": "Board Governance <no-reply@localhost>",
    "MAIL_CONFIGURATION_SET": "",
    "WEBHOOK_KEY_ID": "alias/board-governance-webhooks",
    "WEBHOOK_ALLOW_LOOPBACK": "",
    "DELIVERIES_QUEUE_URL": "",
    "WEBHOOKS_QUEUE_URL": "",
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
