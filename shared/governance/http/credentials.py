"""The bearer credential: read off the header and, as far as that needs no store, verified.

Session JWTs are verified here in full; of access tokens only shape and checksum, the stored digest decides later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jwt

from governance import ids
from governance.domain import tokens
from governance.errors import ApiError, Code, unavailable
from governance.limits import PERSON_NAME
from governance.models import text
from governance.settings import settings

if TYPE_CHECKING:
    from jwt import PyJWKClient

LEEWAY_SECONDS = 30
_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]+)", re.IGNORECASE | re.ASCII)
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_CLAIMS = ["iss", "aud", "exp", "iat", "sub"]


@dataclass(frozen=True)
class Session:
    """A session JWT that holds: its user, and what the issuer says of him."""

    user_id: str
    email: str
    first_name: str | None
    last_name: str | None


Credential = Session | tokens.Parsed


def credential(headers: Mapping[str, str]) -> Credential:
    """The credential of a request; 401 where there is none, or none that could hold."""
    match = _BEARER.fullmatch(headers.get("authorization", "").strip(" "))
    if match is None:
        raise ApiError(Code.UNAUTHENTICATED)
    if not match[1].startswith("svc_"):
        return _session(match[1])
    token = tokens.parse(match[1])
    if token is None:
        raise ApiError(Code.INVALID_API_TOKEN)
    return token


def principal_id(presented: Credential) -> str:
    """Whose budget and cursors these are, should the credential hold."""
    if isinstance(presented, Session):
        return presented.user_id
    return presented.owner_id if presented.kind == "personal" else presented.token_id


def _session(text_: str) -> Session:
    try:
        claims = jwt.decode(
            text_,
            _key(text_),
            algorithms=list(settings().jwt_algorithms),
            audience=settings().jwt_audience,
            issuer=settings().jwt_issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": _CLAIMS, "enforce_minimum_key_length": False},
        )
        return _person(claims)
    except jwt.PyJWKClientConnectionError:
        raise unavailable() from None
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        raise ApiError(Code.INVALID_API_TOKEN) from None


def _key(text_: str) -> Any:
    if settings().jwks_url:
        return _jwks().get_signing_key_from_jwt(text_)
    return settings().jwt_secret


@lru_cache(maxsize=1)
def _jwks() -> PyJWKClient:
    """The issuer's keys, fetched when first needed and kept for five minutes."""
    return jwt.PyJWKClient(settings().jwks_url, cache_keys=True, lifespan=300, timeout=3)


def _person(claims: Mapping[str, Any]) -> Session:
    """The user of sound claims; `ValueError` where the library is more lenient than we are."""
    subject = claims["sub"]
    if not isinstance(subject, str) or not subject or len(subject) > 255:
        raise ValueError("sub")
    if not all(isinstance(claims[name], int) and not isinstance(claims[name], bool) for name in ("exp", "iat")):
        raise ValueError("exp")
    if claims.get("email_verified", True) is not True or not isinstance(claims.get("email"), str):
        raise ValueError("email")
    return Session(
        ids.user_id(claims["iss"], subject),
        text.email(claims["email"]),
        _name(claims, "given_name"),
        _name(claims, "family_name"),
    )


def _name(claims: Mapping[str, Any], claim: str) -> str | None:
    """A name as the issuer has it, as far as it fits ours."""
    value = claims.get(claim)
    name = value[:PERSON_NAME] if isinstance(value, str) else ""
    return name if name.strip() and not _UNFIT.search(name) else None
