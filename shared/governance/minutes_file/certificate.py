"""The certificate of the key that seals: signed by that key itself, since no authority vouches for an installation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from asn1crypto import pem
from asn1crypto.algos import SignedDigestAlgorithm
from asn1crypto.keys import PublicKeyInfo
from asn1crypto.x509 import Certificate, Extension, Name, TbsCertificate

Sign = Callable[[bytes], bytes]
"""Signs a SHA-256 by ECDSA on P-256; returns the signature as DER."""

_ALGORITHM = SignedDigestAlgorithm({"algorithm": "sha256_ecdsa"})
_NO_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""The end of a certificate that has none (RFC 5280, 4.1.2.5): a seal has no time stamp, and would end with it."""
_SERIAL_BYTES = 19
"""A serial number has at most 20 bytes, and is positive (RFC 5280, 4.1.2.2)."""


@dataclass(frozen=True)
class SealKey:
    """The key that seals: its certificate as DER, and how it signs."""

    certificate: bytes
    sign: Sign


def certify(public_key: bytes, name: str, since: datetime, sign: Sign) -> bytes:
    """Returns a certificate as DER for a public key (SubjectPublicKeyInfo as DER) under the name of an installation."""
    named = Name.build({"common_name": name})
    key = PublicKeyInfo.load(public_key)
    content = TbsCertificate(
        {
            "version": "v3",
            "serial_number": int.from_bytes(hashlib.sha256(public_key).digest()[:_SERIAL_BYTES]),
            "signature": _ALGORITHM,
            "issuer": named,
            "validity": {"not_before": _time(since), "not_after": _time(_NO_END)},
            "subject": named,
            "subject_public_key_info": key,
            "extensions": [
                Extension({"extn_id": "key_identifier", "extn_value": key.sha1}),
                Extension({"extn_id": "basic_constraints", "critical": True, "extn_value": {"ca": False}}),
                Extension(
                    {"extn_id": "key_usage", "critical": True, "extn_value": {"digital_signature", "non_repudiation"}}
                ),
            ],
        }
    )
    signature = sign(hashlib.sha256(content.dump()).digest())
    certificate = Certificate(
        {"tbs_certificate": content, "signature_algorithm": _ALGORITHM, "signature_value": signature}
    )
    return bytes(certificate.dump())


def find(public_key: bytes, certificates: bytes) -> bytes | None:
    """Returns the certificate as DER of a public key, among some as PEM; None if it has none there."""
    listed = [content for _, _, content in pem.unarmor(certificates, multiple=True)] if certificates else []
    return next((each for each in listed if Certificate.load(each).public_key.dump() == public_key), None)


def since(certificate: bytes) -> datetime:
    """Returns when a certificate, as DER, begins to be valid."""
    begin: datetime = Certificate.load(certificate).not_valid_before
    return begin


def to_pem(certificate: bytes) -> bytes:
    """Returns a certificate as PEM."""
    return bytes(pem.armor("CERTIFICATE", certificate))


def _time(instant: datetime) -> dict[str, datetime]:
    last_of_utc_time = 2049  # RFC 5280, 4.1.2.5
    return {"utc_time" if instant.year <= last_of_utc_time else "general_time": instant.replace(microsecond=0)}
