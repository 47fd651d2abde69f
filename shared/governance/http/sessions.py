"""Verifies session JWTs with PyJWT: the signature first, then the claims (ADR identity says which are required).

A session that was verified before is found by its digest: its settings and its key must be the ones that it was
verified with, and its times are checked again. The library also accepts times that are text. Here a time is a JSON
number, whole or fractional (RFC 7519), or the session is refused.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import jwt

from governance.http.issuer_keys import IssuerKeys
from governance.http.verified_sessions import Verified, verified_sessions
from governance.settings import settings

LEEWAY_SECONDS = 30
_REQUIRED = ["iss", "aud", "exp", "iat", "sub"]
_CLIENT = ("azp", "client_id")
"""Claims that name the client that a token was issued to: in OpenID Connect, and in RFC 9068."""
_TIMES = ("exp", "iat", "nbf", "auth_time")


def claims(token: str) -> Mapping[str, Any]:
    """Returns the claims of a JWT that is valid now.

    Raises `ValueError` for any other token, and 503 if the issuer's key set is needed and not known.
    """
    digest = hashlib.sha256(token.encode()).digest()
    known = verified_sessions.find(digest)
    if known is not None and known.settings is settings() and known.key is _key(known.key_id):
        _check_times(known.claims)
        return known.claims
    verified = _verified(token)
    verified_sessions.keep(digest, verified)
    return verified.claims


def _check_times(claims: Mapping[str, Any]) -> None:
    """Raises `ValueError` for a session that has ended since it was verified, or that the clock now says is to come."""
    now = datetime.now(tz=UTC).timestamp()
    if int(claims["exp"]) <= now - LEEWAY_SECONDS:
        raise ValueError("exp")
    if max(int(claims["iat"]), int(claims.get("nbf", 0))) > now + LEEWAY_SECONDS:
        raise ValueError("iat")


def _verified(token: str) -> Verified:
    try:
        key_id = jwt.get_unverified_header(token).get("kid")
        key = _key(key_id)
        claims: dict[str, Any] = jwt.decode(
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
    if not all(type(claims.get(name, 0)) in (int, float) for name in _TIMES):
        raise ValueError("times")
    clients = settings().jwt_clients
    if clients and not all(claims[name] in clients for name in _CLIENT if name in claims):
        raise ValueError("client")
    return Verified(claims, key_id, key, settings())


def _key(key_id: Any) -> jwt.PyJWK:
    """Returns the issuer's key of this id, or the shared secret.

    Raises `ValueError` if neither is configured or the issuer has no such key, and 503 if its keys are not known.
    """
    if settings().jwks_url:
        return _issuer_keys().find(key_id)
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
