"""Verifies session JWTs with PyJWT: the signature first, then the claims (ADR 0011 says which are required).

The library also accepts times that are text. Here a time is a JSON number, whole or fractional (RFC 7519), or the
session is refused.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Any

import jwt

from governance.http.issuer_keys import IssuerKeys
from governance.settings import settings

LEEWAY_SECONDS = 30
_REQUIRED = ["iss", "aud", "exp", "iat", "sub"]
_TIMES = ("exp", "iat", "nbf")


def claims(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT that is valid now.

    Raises `ValueError` for any other token, and 503 if the issuer's key set is needed and not known.
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
    """Returns the issuer's key for this token, or the shared secret.

    Raises `ValueError` if neither is configured or the issuer has no such key, and 503 if its keys are not known.
    """
    if settings().jwks_url:
        return _issuer_keys().find(jwt.get_unverified_header(token).get("kid"))
    if not settings().jwt_secret:
        raise ValueError("configuration")
    return _shared_key(settings().jwt_secret)


@lru_cache(maxsize=1)
def _shared_key(secret: str) -> jwt.PyJWK:
    """Returns the shared secret, prepared once; it verifies HS256 only, whatever algorithm a token names."""
    return jwt.PyJWK({"kty": "oct", "k": base64.urlsafe_b64encode(secret.encode()).decode()}, "HS256")


@lru_cache(maxsize=1)
def _issuer_keys() -> IssuerKeys:
    return IssuerKeys(settings().jwks_url)
