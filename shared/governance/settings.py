"""The settings: all environment variables that the service reads.

Powertools itself reads `POWERTOOLS_LOG_LEVEL` and `POWERTOOLS_LOGGER_SAMPLE_RATE`. The clients of AWS read credentials
and `AWS_CA_BUNDLE`, and those of the SDK all of its settings; the table's client takes region and endpoint from here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlsplit

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Secret(StrEnum):
    """The environment variable of a secret. A function has only those that it uses (ADR deployment)."""

    SESSION = "JWT_SECRET"
    CURSOR = "CURSOR_SECRET"
    INVITE_LINK = "INVITE_LINK_SECRET"
    ORIGIN = "ORIGIN_SECRETS"
    BALLOT = "BALLOT_SECRET"
    DOWNLOAD = "DOWNLOAD_KEY"


REQUEST_SECRETS = "REQUEST_SECRETS"
"""The environment variable of the secrets that most functions share: a JSON object by their names (ADR deployment)."""


class MissingSecretError(Exception):
    """A function needs a secret that its environment does not have."""


def _secrets(env: Mapping[str, str]) -> dict[str, str]:
    """Returns the secrets of an environment by name, its own or shared ones; empty where it has none."""
    shared = json.loads(env.get(REQUEST_SECRETS) or "{}")
    return {name: env.get(name) or shared.get(name, "") for name in Secret}


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _is_https(value: str) -> bool:
    """Returns whether a URL is https; plain http is accepted on this machine only."""
    url = urlsplit(value)
    return bool(url.hostname) and (url.scheme == "https" or (url.scheme == "http" and url.hostname in _LOOPBACK))


def _key_set_url(value: str) -> str:
    """Returns the URL of the issuer's key set."""
    if value and not _is_https(value):
        raise ValueError("JWKS_URL must be an https URL.")
    return value


def _witness(value: str) -> tuple[str, str]:
    """Returns the verifier key of a witness of the log, and the prefix of the URL that it is asked at."""
    key, _, prefix = value.partition(" ")
    if not _is_https(prefix.strip()):
        raise ValueError("LOG_WITNESSES must be pairs of a verifier key and an https URL.")
    return key, prefix.strip().rstrip("/")


@dataclass(frozen=True)
class Settings:
    """The settings of one deployment; `settings()` reads them once per process."""

    region: str
    table_name: str
    table_endpoint: str
    bucket_name: str
    papers_bucket: str
    malware_protection: bool
    revocations_bucket: str
    root_url: str
    jwt_issuer: str
    jwt_audience: str
    jwt_clients: tuple[str, ...]
    """The clients that sessions may be issued to (`azp`, `client_id`); none where that is not configured."""
    jwt_algorithms: tuple[str, ...]
    jwt_secret: str
    jwks_url: str
    require_email_verified: bool
    cursor_secret: str
    invite_link_secret: str
    ballot_secret: str
    downloads_origin: str
    """The origin of the distribution that serves the buckets' files."""
    download_key_id: str
    download_key: str
    origin_secrets: tuple[str, ...]
    rate_limit_principal: int
    rate_limit_address: int
    rate_limit_flood: int
    mail_sender: str
    mail_configuration_set: str
    webhook_key_id: str
    webhook_allow_loopback: bool
    deliveries_queue_url: str
    emails_queue_url: str
    cleanups_queue_url: str
    webhooks_queue_url: str
    slow_webhooks_queue_url: str
    webhooks_concurrency: int
    slow_webhooks_concurrency: int
    exports_queue_url: str
    packs_queue_url: str
    minutes_files_queue_url: str
    leaves_queue_url: str
    log_key_id: str
    log_signing_key: str
    seal_key_id: str
    seal_signing_key: str
    log_witnesses: tuple[tuple[str, str], ...]
    revocations_queue_url: str
    ringer_function: str
    live_endpoint: str
    service_name: str
    metrics_namespace: str

    def require(self, secrets: Iterable[Secret]) -> None:
        """Raises `MissingSecretError` if a secret is empty.

        An issuer's key set takes the place of the session secret.
        """
        values = {
            Secret.SESSION: self.jwt_secret or self.jwks_url,
            Secret.CURSOR: self.cursor_secret,
            Secret.INVITE_LINK: self.invite_link_secret,
            Secret.ORIGIN: self.origin_secrets,
            Secret.BALLOT: self.ballot_secret,
            Secret.DOWNLOAD: self.download_key,
        }
        if missing := sorted(secret for secret in secrets if not values[secret]):
            raise MissingSecretError(f"{', '.join(missing)} must not be empty.")

    def secret(self, name: Secret) -> str:
        """Returns a secret of cursors, links, ballots or downloads. Raises `MissingSecretError` if it is empty."""
        self.require([name])
        return {
            Secret.CURSOR: self.cursor_secret,
            Secret.INVITE_LINK: self.invite_link_secret,
            Secret.BALLOT: self.ballot_secret,
            Secret.DOWNLOAD: self.download_key,
        }[name]


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Returns the settings of this process, from its environment.

    Raises `KeyError` if a setting without a safe default is missing, and `ValueError` for a key set or a witness that
    is not reached by https.
    """
    env = os.environ
    secrets = _secrets(env)
    return Settings(
        region=env.get("AWS_DEFAULT_REGION") or env.get("AWS_REGION", ""),
        table_name=env["TABLE_NAME"],
        table_endpoint=env.get("AWS_ENDPOINT_URL_DYNAMODB") or env.get("AWS_ENDPOINT_URL", ""),
        bucket_name=env.get("BUCKET_NAME", ""),
        papers_bucket=env.get("PAPERS_BUCKET", ""),
        malware_protection=env.get("MALWARE_PROTECTION", "no") == "yes",
        revocations_bucket=env.get("REVOCATIONS_BUCKET", ""),
        root_url=env["ROOT_URL"].rstrip("/"),
        jwt_issuer=env["JWT_ISSUER"],
        jwt_audience=env["JWT_AUDIENCE"],
        jwt_clients=_list(env.get("JWT_CLIENTS", "")),
        jwt_algorithms=_list(env.get("JWT_ALGORITHMS", "HS256")),
        jwt_secret=secrets[Secret.SESSION],
        jwks_url=_key_set_url(env.get("JWKS_URL", "")),
        require_email_verified=env.get("REQUIRE_EMAIL_VERIFIED", "true") != "false",
        cursor_secret=secrets[Secret.CURSOR],
        invite_link_secret=secrets[Secret.INVITE_LINK],
        ballot_secret=secrets[Secret.BALLOT],
        downloads_origin=env.get("DOWNLOADS_ORIGIN", ""),
        download_key_id=env.get("DOWNLOAD_KEY_ID", ""),
        download_key=secrets[Secret.DOWNLOAD],
        origin_secrets=_list(secrets[Secret.ORIGIN]),
        rate_limit_principal=int(env.get("RATE_LIMIT_PRINCIPAL", "3000")),
        rate_limit_address=int(env.get("RATE_LIMIT_ADDRESS", "300")),
        rate_limit_flood=int(env.get("RATE_LIMIT_FLOOD", "150")),
        mail_sender=env.get("MAIL_SENDER", "no-reply@example.com"),
        mail_configuration_set=env.get("MAIL_CONFIGURATION_SET", ""),
        webhook_key_id=env.get("WEBHOOK_KEY_ID", ""),
        webhook_allow_loopback=env.get("WEBHOOK_ALLOW_LOOPBACK", "") == "1",
        deliveries_queue_url=env.get("DELIVERIES_QUEUE_URL", ""),
        emails_queue_url=env.get("EMAILS_QUEUE_URL", ""),
        cleanups_queue_url=env.get("CLEANUPS_QUEUE_URL", ""),
        webhooks_queue_url=env.get("WEBHOOKS_QUEUE_URL", ""),
        slow_webhooks_queue_url=env.get("SLOW_WEBHOOKS_QUEUE_URL", ""),
        webhooks_concurrency=int(env.get("WEBHOOKS_CONCURRENCY", "2")),
        slow_webhooks_concurrency=int(env.get("SLOW_WEBHOOKS_CONCURRENCY", "0")),
        exports_queue_url=env.get("EXPORTS_QUEUE_URL", ""),
        packs_queue_url=env.get("PACKS_QUEUE_URL", ""),
        minutes_files_queue_url=env.get("MINUTES_FILES_QUEUE_URL", ""),
        leaves_queue_url=env.get("LEAVES_QUEUE_URL", ""),
        log_key_id=env.get("LOG_KEY_ID", ""),
        log_signing_key=env.get("LOG_SIGNING_KEY", ""),
        seal_key_id=env.get("SEAL_KEY_ID", ""),
        seal_signing_key=env.get("SEAL_SIGNING_KEY", ""),
        log_witnesses=tuple(map(_witness, _list(env.get("LOG_WITNESSES", "")))),
        revocations_queue_url=env.get("REVOCATIONS_QUEUE_URL", ""),
        ringer_function=env.get("RINGER_FUNCTION", ""),
        live_endpoint=env.get("LIVE_ENDPOINT", ""),
        service_name=env.get("POWERTOOLS_SERVICE_NAME", "board-governance"),
        metrics_namespace=env.get("POWERTOOLS_METRICS_NAMESPACE", "BoardGovernance"),
    )


def in_lambda() -> bool:
    """Returns whether this process runs in Lambda, which gives a start more processor time than later requests."""
    return "AWS_LAMBDA_INITIALIZATION_TYPE" in os.environ
