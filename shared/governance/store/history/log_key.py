"""The key that signs the log: one of KMS in the cloud, a secret of `make run` on a developer's machine."""

from __future__ import annotations

import base64
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from governance import aws
from governance.errors import unavailable
from governance.log.notes import VerifierKey
from governance.settings import MissingSecretError, settings
from governance.telemetry import log_error

client = aws.kms


def sign(message: bytes) -> bytes:
    """Returns the key's signature of a message. Raises 503 if the key service does not answer."""
    if not settings().log_key_id:
        return _own_key().sign(message)
    try:
        answer = client().sign(
            KeyId=settings().log_key_id,
            Message=message,
            MessageType="RAW",
            SigningAlgorithm="ED25519_SHA_512",
        )
    except aws.errors() as error:
        log_error("key service failure", error)
        raise unavailable() from None
    return answer["Signature"]


def verifier_key(origin: str) -> VerifierKey:
    """Returns the public key, under the name of the log. Raises 503 if the key service does not answer."""
    return VerifierKey(origin, _public_key())


@lru_cache(maxsize=1)
def _public_key() -> bytes:
    if not settings().log_key_id:
        return _own_key().public_key().public_bytes_raw()
    try:
        answer = client().get_public_key(KeyId=settings().log_key_id)
    except aws.errors() as error:
        log_error("key service failure", error)
        raise unavailable() from None
    return load_der_public_key(answer["PublicKey"]).public_bytes_raw()  # type: ignore[union-attr]  # Ed25519's


def _own_key() -> Ed25519PrivateKey:
    """Returns the key that LOG_SIGNING_KEY holds: 32 bytes in URL-safe base64, without padding."""
    if not settings().log_signing_key:
        raise MissingSecretError("LOG_KEY_ID or LOG_SIGNING_KEY must not be empty.")
    return Ed25519PrivateKey.from_private_bytes(base64.urlsafe_b64decode(settings().log_signing_key + "="))
