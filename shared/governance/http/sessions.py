"""Session JWTs: the signature first, then the claims (decided in ADR 0004).

HS256 is verified here, in a dozen lines that know one algorithm; RS256 and ES256 by PyJWT, which is imported where an
issuer's keys are configured and not otherwise: with `cryptography` it would be a tenth of every cold start (ADR 0082).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from governance.errors import unavailable
from governance.settings import settings

if TYPE_CHECKING:
    from jwt import PyJWKClient

LEEWAY_SECONDS = 30
_REQUIRED = ("iss", "aud", "exp", "iat", "sub")
_MOMENTS = ("exp", "iat", "nbf")
_PART = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def claims(token: str) -> dict[str, Any]:
    """The claims of a JWT that holds now; `ValueError` for any other, 503 where the issuer's keys cannot be had."""
    payload = _verified_by_issuer(token) if settings().jwks_url else _verified_by_secret(token)
    found = json.loads(payload.decode("utf-8"))
    if not isinstance(found, dict):
        raise ValueError("claims")
    _check(found)
    return found


def _verified_by_secret(token: str) -> bytes:
    """The payload under a sound HS256 signature; no other algorithm, whatever the header says, and no empty secret."""
    header, payload, signature = token.split(".")
    secret = settings().jwt_secret.encode()
    stated = json.loads(_decoded(header).decode("utf-8"))
    if not isinstance(stated, dict) or stated.get("alg") != "HS256" or "crit" in stated:
        raise ValueError("header")
    if not secret or "HS256" not in settings().jwt_algorithms:
        raise ValueError("configuration")
    mac = hmac.new(secret, f"{header}.{payload}".encode(), hashlib.sha256).digest()
    if not hmac.compare_digest(base64.urlsafe_b64encode(mac).rstrip(b"="), signature.encode()):
        raise ValueError("signature")
    return _decoded(payload)


def _decoded(part: str) -> bytes:
    """Unpadded base64url; the decoder of the library would leave out what it does not know."""
    if not _PART.fullmatch(part):
        raise ValueError("base64url")
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _verified_by_issuer(token: str) -> bytes:
    """The payload under a signature by one of the issuer's keys, by one of the configured algorithms."""
    import jwt

    try:
        key = _issuer_keys().get_signing_key_from_jwt(token)
        payload: bytes = jwt.PyJWS().decode(token, key, algorithms=list(settings().jwt_algorithms))
    except jwt.PyJWKClientConnectionError:
        raise unavailable() from None
    except jwt.PyJWTError:
        raise ValueError("signature") from None
    return payload


@lru_cache(maxsize=1)
def _issuer_keys() -> PyJWKClient:
    """The issuer's keys, fetched when first needed and kept for five minutes."""
    import jwt

    return jwt.PyJWKClient(settings().jwks_url, cache_keys=True, lifespan=300, timeout=3)


def _check(found: dict[str, Any]) -> None:
    """Issuer, audience and times; moments are whole seconds."""
    if any(found.get(name) is None for name in _REQUIRED):
        raise ValueError("missing")
    if not all(type(found.get(name, 0)) is int for name in _MOMENTS):
        raise ValueError("times")
    audience = found["aud"] if isinstance(found["aud"], list) else [found["aud"]]
    if found["iss"] != settings().jwt_issuer or settings().jwt_audience not in audience:
        raise ValueError("iss or aud")
    now = time.time()
    if found["exp"] <= now - LEEWAY_SECONDS or max(found["iat"], found.get("nbf", 0)) > now + LEEWAY_SECONDS:
        raise ValueError("not now")
