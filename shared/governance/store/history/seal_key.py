"""The key that seals files of minutes: one of KMS in the cloud, a secret of `make run` on a developer's machine.

It signs by ECDSA on P-256 what is hashed already: no file leaves the function.
"""

from __future__ import annotations

import base64
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance import aws
from governance.errors import unavailable
from governance.settings import MissingSecretError, settings
from governance.telemetry import log_error

client = aws.kms

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256 (FIPS 186-5, D.1.2.3): a private key is a number below it, and not 0."""


def sign(digest: bytes) -> bytes:
    """Returns the key's signature of a SHA-256, as DER. Raises 503 if the key service does not answer."""
    if not settings().seal_key_id:
        return _own_key().sign(digest, ec.ECDSA(Prehashed(SHA256())))
    try:
        answer = client().sign(
            KeyId=settings().seal_key_id,
            Message=digest,
            MessageType="DIGEST",
            SigningAlgorithm="ECDSA_SHA_256",
        )
    except aws.errors() as error:
        log_error("key service failure", error)
        raise unavailable() from None
    return answer["Signature"]


@lru_cache(maxsize=1)
def public_key() -> bytes:
    """Returns the public key, SubjectPublicKeyInfo as DER. Raises 503 if the key service does not answer."""
    if not settings().seal_key_id:
        return _own_key().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    try:
        answer = client().get_public_key(KeyId=settings().seal_key_id)
    except aws.errors() as error:
        log_error("key service failure", error)
        raise unavailable() from None
    return answer["PublicKey"]


def _own_key() -> ec.EllipticCurvePrivateKey:
    """Returns the key that SEAL_SIGNING_KEY holds: 32 bytes in URL-safe base64, without padding."""
    if not settings().seal_signing_key:
        raise MissingSecretError("SEAL_KEY_ID or SEAL_SIGNING_KEY must not be empty.")
    drawn = int.from_bytes(base64.urlsafe_b64decode(settings().seal_signing_key + "="))
    return ec.derive_private_key(drawn % (_ORDER - 1) + 1, ec.SECP256R1())
