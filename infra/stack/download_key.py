"""Keys that sign the addresses of downloads: ECDSA P-256, as texts in base64 without line breaks (ADR documents)."""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

SLOTS = ("A", "B")
"""Keys that an installation has at the same time while it changes from one to the next."""
_PEM_LINE = 64


def draw() -> str:
    """Returns a new private key: PKCS #8."""
    key = ec.generate_private_key(ec.SECP256R1())
    return base64.b64encode(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())).decode()


def public(private: str) -> str:
    """Returns the public key of a private one, as PEM has it between its first and last line, without line breaks."""
    key = load_der_private_key(base64.b64decode(private), password=None).public_key()
    return base64.b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


def lines(public_key: str) -> str:
    """Returns the lines of a public key's PEM, separated by commas, as the template's parameters take them."""
    return ",".join(public_key[at : at + _PEM_LINE] for at in range(0, len(public_key), _PEM_LINE))
