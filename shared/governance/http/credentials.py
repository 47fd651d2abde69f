"""The bearer credential: parsed from the header and verified as far as that needs no store.

A session JWT is verified in full. Only the format and the checksum of an access token are checked here; the stored
digest decides later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance import ids
from governance.domain.account import tokens
from governance.errors import ApiError, Code
from governance.http import sessions
from governance.ids import UserId
from governance.instants import Instant, from_millis
from governance.limits import PERSON_NAME
from governance.models import text
from governance.settings import settings

_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]+)", re.IGNORECASE | re.ASCII)
_NOT_PRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Session:
    """A session JWT that is valid now: its user, the issuer's claims about that user, and when it was issued.

    `issued_at` is in milliseconds since 1970; `ends_at` is from when on it is refused; `authenticated_at` is when the
    user signed in, as far as the issuer says so, else when the session was issued.
    """

    user_id: UserId
    email: str
    first_name: str | None
    last_name: str | None
    issued_at: int
    ends_at: Instant
    authenticated_at: Instant


Credential = Session | tokens.ParsedToken


def parse_credential(headers: Mapping[str, str]) -> Credential:
    """Returns the credential of a request; raises 401 if there is none or it is malformed."""
    match = _BEARER.fullmatch(headers.get("authorization", "").strip(" "))
    if match is None:
        raise ApiError(Code.UNAUTHENTICATED)
    if not match[1].startswith("svc_"):
        return _session(match[1])
    token = tokens.parse(match[1])
    if token is None:
        raise ApiError(Code.INVALID_API_TOKEN)
    return token


def rate_subject(credential: Credential) -> str:
    """Returns whose rate window a request counts in: the user's, or that of a board, which all of its tokens share."""
    return credential.user_id if isinstance(credential, Session) else credential.owner_id


def principal_id(credential: Credential) -> str:
    """Returns the id of the user or board token that the credential stands for, if it proves valid."""
    if isinstance(credential, Session):
        return credential.user_id
    return credential.owner_id if credential.kind == "personal" else credential.token_id


def _session(token: str) -> Session:
    try:
        return _session_of(sessions.claims(token))
    except (ValueError, RecursionError):
        raise ApiError(Code.INVALID_API_TOKEN) from None


def _session_of(claims: Mapping[str, Any]) -> Session:
    """Raises `ValueError` for claims without a subject or a verified e-mail address."""
    subject = claims["sub"]
    if not isinstance(subject, str) or not subject or len(subject) > 255:
        raise ValueError("sub")
    if not _is_verified(claims.get("email_verified")) or not isinstance(claims.get("email"), str):
        raise ValueError("email")
    return Session(
        ids.user_id(claims["iss"], subject),
        text.email(claims["email"]),
        _name(claims, "given_name"),
        _name(claims, "family_name"),
        int(claims["iat"] * 1000),
        from_millis((int(claims["exp"]) + sessions.LEEWAY_SECONDS) * 1000),
        from_millis(int(max(0, min(claims.get("auth_time", claims["iat"]), claims["iat"])) * 1000)),
    )


def _is_verified(claim: Any) -> bool:
    """Returns whether the issuer vouches for the e-mail address; some issuers write the boolean as text.

    An absent claim counts as verified only where the installation says so (`REQUIRE_EMAIL_VERIFIED=false`).
    """
    if claim is None:
        return not settings().require_email_verified
    return claim is True or claim == "true"


def _name(claims: Mapping[str, Any], claim: str) -> str | None:
    """Returns the claimed name, cut to our limit; None if it is blank or contains control characters."""
    value = claims.get(claim)
    name = value[:PERSON_NAME] if isinstance(value, str) else ""
    return name if name.strip() and not _NOT_PRINTABLE.search(name) else None
