"""Session JWTs, verified by PyJWT: the signature first, then the claims (ADR 0011 says which are required).

The library takes moments that are text; here they are whole seconds, or the session does not hold.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jwt

from governance.errors import unavailable
from governance.settings import settings

LEEWAY_SECONDS = 30
_REQUIRED = ["iss", "aud", "exp", "iat", "sub"]
_MOMENTS = ("exp", "iat", "nbf")


def claims(token: str) -> dict[str, Any]:
    """The claims of a JWT that holds now; `ValueError` for any other, 503 where the issuer's keys cannot be had."""
    try:
        found: dict[str, Any] = jwt.decode(
            token,
            _key(token),
            algorithms=list(settings().jwt_algorithms),
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
    return settings().jwt_secret


@lru_cache(maxsize=1)
def _issuer_keys() -> jwt.PyJWKClient:
    """The issuer's keys, fetched when first needed and kept for five minutes."""
    return jwt.PyJWKClient(settings().jwks_url, cache_keys=True, lifespan=300, timeout=3)
