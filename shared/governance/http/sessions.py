"""Verifies session JWTs with PyJWT: the signature first, then the claims (ADR 0011 says which are required).

The library also accepts times that are text. Here a time is a JSON number, whole or fractional (RFC 7519), or the
session is refused.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from json import JSONDecodeError
from typing import Any

import jwt

from governance.errors import unavailable
from governance.settings import settings

LEEWAY_SECONDS = 30
_KEY_SET_SECONDS = 300
"""How long a fetched key set is used: a key that the issuer withdraws stops working within this time."""
_REQUIRED = ["iss", "aud", "exp", "iat", "sub"]
_TIMES = ("exp", "iat", "nbf")


def claims(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT that is valid now.

    Raises `ValueError` for any other token, and 503 if the issuer's key set cannot be fetched or parsed.
    """
    try:
        key = _key(token)
        verified: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=settings().jwt_algorithms,
            audience=settings().jwt_audience,
            issuer=settings().jwt_issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": _REQUIRED},
        )
    except (jwt.PyJWTError, TypeError, OverflowError) as error:
        raise ValueError(type(error).__name__) from None
    if not all(type(verified.get(name, 0)) in (int, float) for name in _TIMES):
        raise ValueError("times")
    return verified


def _key(token: str) -> Any:
    """Returns the issuer's key for this token, or the shared secret; raises `ValueError` if neither is configured."""
    if settings().jwks_url:
        return _issuer_key(jwt.get_unverified_header(token).get("kid"))
    if not settings().jwt_secret:
        raise ValueError("configuration")
    return _shared_key(settings().jwt_secret)


def _issuer_key(key_id: Any) -> jwt.PyJWK:
    """Returns the issuer's key of this id. Raises `ValueError` for an id that the key set does not have.

    An unknown id makes the library fetch the key set again, at most once in 30 seconds.
    """
    try:
        _issuer_keys().get_signing_keys()
    except (jwt.PyJWTError, ValueError):
        raise unavailable() from None
    try:
        return _issuer_keys().get_signing_key(key_id)
    except (jwt.PyJWKClientConnectionError, jwt.PyJWKSetError, JSONDecodeError, UnicodeDecodeError):
        raise unavailable() from None


@lru_cache(maxsize=1)
def _shared_key(secret: str) -> jwt.PyJWK:
    """Returns the shared secret, prepared once; it verifies HS256 only, whatever algorithm a token names."""
    return jwt.PyJWK({"kty": "oct", "k": base64.urlsafe_b64encode(secret.encode()).decode()}, "HS256")


@lru_cache(maxsize=1)
def _issuer_keys() -> jwt.PyJWKClient:
    """Returns the client of the issuer's key set, which is fetched on first use and again when it has expired.

    The library's cache of single keys has no expiry, so it stays off.
    """
    return jwt.PyJWKClient(settings().jwks_url, cache_keys=False, lifespan=_KEY_SET_SECONDS, timeout=3)
