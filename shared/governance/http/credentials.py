"""The bearer credential: read off the header and, as far as that needs no store, verified.

Session JWTs are verified here in full; of access tokens only shape and checksum, the stored digest decides later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance import ids
from governance.domain import tokens
from governance.errors import ApiError, Code
from governance.http import sessions
from governance.limits import PERSON_NAME
from governance.models import text
from governance.settings import settings

_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]+)", re.IGNORECASE | re.ASCII)
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Session:
    """A session JWT that is valid now: its user, the issuer's claims about that user, and when it was issued.

    `issued_at` is in milliseconds since 1970.
    """

    user_id: str
    email: str
    first_name: str | None
    last_name: str | None
    issued_at: int


Credential = Session | tokens.ParsedToken


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


def _session(token: str) -> Session:
    try:
        return _person(sessions.claims(token))
    except (ValueError, RecursionError):
        raise ApiError(Code.INVALID_API_TOKEN) from None


def _person(claims: Mapping[str, Any]) -> Session:
    """The user of sound claims; `ValueError` where they name none."""
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
    )


def _is_verified(claim: Any) -> bool:
    """Returns whether the issuer vouches for the e-mail address; some issuers write the boolean as text.

    An absent claim counts as verified unless the installation requires it (`REQUIRE_EMAIL_VERIFIED`).
    """
    if claim is None:
        return not settings().require_email_verified
    return claim is True or claim == "true"


def _name(claims: Mapping[str, Any], claim: str) -> str | None:
    """A name as the issuer has it, as far as it fits ours."""
    value = claims.get(claim)
    name = value[:PERSON_NAME] if isinstance(value, str) else ""
    return name if name.strip() and not _UNFIT.search(name) else None
