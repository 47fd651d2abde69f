"""Signed addresses of the CDN, by which files in the buckets are read; signing takes no call (ADR documents).

Each has CloudFront's canned policy: this address with its query, until an instant. The key is one of ECDSA P-256, and
the hash SHA-256, which CloudFront takes where the address says so.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from governance.instants import Instant, epoch
from governance.settings import Secret, settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_IN_ADDRESSES = bytes.maketrans(b"+=/", b"-_~")
"""CloudFront's own alphabet for signatures."""


def signed_url(key: str, answer: Mapping[str, str], until: Instant) -> str:
    """Returns the address of an object, which works until an instant, whose fraction of a second is cut off.

    `answer` has headers of the answer, by S3's names of their parameters: `response-content-type`.
    """
    address = f"{settings().downloads_origin}/{quote(key)}?{urlencode(answer, quote_via=quote)}"
    expires = epoch(until)
    signature = base64.b64encode(_sign(policy(address, expires))).translate(_IN_ADDRESSES).decode()
    key_id = settings().download_key_id
    return f"{address}&Expires={expires}&Signature={signature}&Key-Pair-Id={key_id}&Hash-Algorithm=SHA256"


def policy(address: str, expires: int) -> bytes:
    """Returns what is signed: CloudFront puts together the same from the address and its seconds since 1970."""
    allowed = {"Resource": address, "Condition": {"DateLessThan": {"AWS:EpochTime": expires}}}
    return json.dumps({"Statement": [allowed]}, separators=(",", ":")).encode()


def _sign(text: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
    from cryptography.hazmat.primitives.hashes import SHA256

    return _private_key(settings().secret(Secret.DOWNLOAD)).sign(text, ECDSA(SHA256()))


@lru_cache(maxsize=1)
def _private_key(text: str) -> EllipticCurvePrivateKey:
    """Returns the key of a text: PKCS #8 in base64."""
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_der_private_key

    key = load_der_private_key(base64.b64decode(text), password=None)
    if not isinstance(key, EllipticCurvePrivateKey):
        raise TypeError("DOWNLOAD_KEY must be a key of ECDSA.")
    return key
