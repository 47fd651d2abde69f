"""The settings: every environment variable that the service reads is read here.

Powertools itself reads `POWERTOOLS_LOG_LEVEL` and `POWERTOOLS_LOGGER_SAMPLE_RATE`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


@dataclass(frozen=True)
class Settings:
    """The settings of one deployment; `settings()` reads them once per process."""

    table_name: str
    bucket_name: str
    root_url: str
    jwt_issuer: str
    jwt_audience: str
    jwt_algorithms: tuple[str, ...]
    jwt_secret: str
    jwks_url: str
    require_email_verified: bool
    cursor_secret: str
    origin_secrets: tuple[str, ...]
    rate_limit_principal: int
    rate_limit_address: int
    mail_sender: str
    mail_configuration_set: str
    service_name: str
    metrics_namespace: str


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Returns the settings of this process, from its environment.

    Raises `KeyError` if a setting without a safe default is missing.
    """
    env = os.environ
    return Settings(
        table_name=env["TABLE_NAME"],
        bucket_name=env.get("BUCKET_NAME", ""),
        root_url=env["ROOT_URL"].rstrip("/"),
        jwt_issuer=env["JWT_ISSUER"],
        jwt_audience=env["JWT_AUDIENCE"],
        jwt_algorithms=_list(env.get("JWT_ALGORITHMS", "HS256")),
        jwt_secret=env.get("JWT_SECRET", ""),
        jwks_url=env.get("JWKS_URL", ""),
        require_email_verified=env.get("REQUIRE_EMAIL_VERIFIED", "") == "true",
        cursor_secret=env["CURSOR_SECRET"],
        origin_secrets=_list(env.get("ORIGIN_SECRETS", "")),
        rate_limit_principal=int(env.get("RATE_LIMIT_PRINCIPAL", "3000")),
        rate_limit_address=int(env.get("RATE_LIMIT_ADDRESS", "300")),
        mail_sender=env.get("MAIL_SENDER", "no-reply@example.com"),
        mail_configuration_set=env.get("MAIL_CONFIGURATION_SET", ""),
        service_name=env.get("POWERTOOLS_SERVICE_NAME", "board-governance"),
        metrics_namespace=env.get("POWERTOOLS_METRICS_NAMESPACE", "BoardGovernance"),
    )


def in_lambda() -> bool:
    """Returns whether this process runs in Lambda, which gives a start more processor time than later requests."""
    return "AWS_LAMBDA_INITIALIZATION_TYPE" in os.environ
