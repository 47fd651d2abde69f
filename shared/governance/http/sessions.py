"""Session JWTs, verified by PyJWT: the signature first, then the claims (ADR 0011 says which are required).

The library takes moments that are text; here they are whole seconds, or the session does not hold.
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
_MOMENTS = ("exp", "iat", "nbf")


def claims(token: str) -> dict[str, Any]:
    """The claims of a JWT that holds now; `ValueError` for any other, 503 where the issuer's keys cannot be had."""
    try:
        found: dict[str, Any] = jwt.decode(
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
    if not all(type(found.get(name, 0)) is int for name in _MOMENTS):
        raise ValueError("times")
    return found


def _key(token: str) -> Any:
    """The issuer's key for this token, or the shared secret; never an empty one."""
    if settings().jwks_url:
        return _issuer_keys().get_signing_key_from_jwt(token)
    if not settings().jwt_secret:
        raise ValueError("configuration")
    return _shared_key(settings().jwt_secret)


@lru_cache(maxsize=1)
def _shared_key(secret: str) -> jwt.PyJWK:
    """The shared secret, prepared once; it verifies HS256 and nothing else, whatever a token says."""
    return jwt.PyJWK({"kty": "oct", "k": base64.urlsafe_b64encode(secret.encode()).decode()}, "HS256")


@lru_cache(maxsize=1)
def _issuer_keys() -> jwt.PyJWKClient:
    """The issuer's keys, fetched when first needed and kept for five minutes."""
    return jwt.PyJWKClient(settings().jwks_url, cache_keys=True, lifespan=300, timeout=3)
