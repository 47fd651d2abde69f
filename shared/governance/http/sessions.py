"""Verifies session JWTs with PyJWT: the signature first, then the claims (ADR 0011 says which are required).

PyJWT accepts times that are text; here a time must be a whole number of seconds.
"""

from __future__ import annotations

import base64
import sys
from functools import lru_cache
from typing import Any

from governance.errors import unavailable
from governance.settings import in_lambda, settings

if in_lambda() and not settings().jwks_url:
    # A shared secret needs no `cryptography`, whose import a cold start would pay; PyJWT does without it.
    sys.modules["cryptography"] = None  # type: ignore[assignment]
import jwt

LEEWAY_SECONDS = 30
_REQUIRED = ["iss", "aud", "exp", "iat", "sub"]
_TIMES = ("exp", "iat", "nbf")


def claims(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT that is valid now.

    Raises `ValueError` for any other, 503 if the issuer's keys cannot be fetched.
    """
    try:
        verified: dict[str, Any] = jwt.decode(
            token,
            _key(token),
            algorithms=settings().jwt_algorithms,
            audience=settings().jwt_audience,
            issuer=settings().jwt_issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": _REQUIRED},
        )
    except jwt.PyJWKClientConnectionError:
        raise unavailable() from None
    except (jwt.PyJWTError, TypeError, OverflowError) as error:
        raise ValueError(type(error).__name__) from None
    if not all(type(verified.get(name, 0)) is int for name in _TIMES):
        raise ValueError("times")
    return verified


def _key(token: str) -> Any:
    """The issuer's key for this token, or the shared secret; raises `ValueError` if neither is configured."""
    if settings().jwks_url:
        return _issuer_keys().get_signing_key_from_jwt(token)
    if not settings().jwt_secret:
        raise ValueError("configuration")
    return _shared_key(settings().jwt_secret)


@lru_cache(maxsize=1)
def _shared_key(secret: str) -> jwt.PyJWK:
    """The shared secret, prepared once; it verifies HS256 only, whatever algorithm a token names."""
    return jwt.PyJWK({"kty": "oct", "k": base64.urlsafe_b64encode(secret.encode()).decode()}, "HS256")


@lru_cache(maxsize=1)
def _issuer_keys() -> jwt.PyJWKClient:
    """The issuer's keys, fetched when first needed and kept for five minutes."""
    return jwt.PyJWKClient(settings().jwks_url, cache_keys=True, lifespan=300, timeout=3)
