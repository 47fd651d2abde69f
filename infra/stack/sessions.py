"""Session JWTs, signed with the shared secret of an installation, where no issuer of its own signs them."""

from __future__ import annotations

import time

import jwt

from governance.ids import user_id
from governance.settings import Settings

HOUR = 3600


def session(settings: Settings, email: str, first_name: str, last_name: str, seconds: int = 12 * HOUR) -> str:
    """A session for a user of this address, who is the same user every time; the subject is the address."""
    now = int(time.time())
    claims = {
        "iss": settings.jwt_issuer,
        "aud": settings.jwt_audience,
        "sub": email,
        "iat": now,
        "exp": now + seconds,
        "email": email,
    }
    names = {"given_name": first_name, "family_name": last_name}
    claims |= {claim: name for claim, name in names.items() if name}
    return jwt.encode(claims, settings.jwt_secret, "HS256")


def user_id_of(settings: Settings, email: str) -> str:
    """The id that the user of such a session has."""
    return user_id(settings.jwt_issuer, email)
