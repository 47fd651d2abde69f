"""Session JWTs signed with the shared secret of an installation, as its issuer would sign them."""

from __future__ import annotations

import time

import jwt

from governance.ids import UserId, user_id
from governance.settings import Settings

HOUR = 3600


def sign_session(settings: Settings, email: str, first_name: str, last_name: str, seconds: int = 12 * HOUR) -> str:
    """Returns a session JWT for an e-mail address. The address is also the subject, so it is the same user every time.

    `seconds` is its lifetime.
    """
    now = int(time.time())
    claims = {
        "iss": settings.jwt_issuer,
        "aud": settings.jwt_audience,
        "sub": email,
        "iat": now,
        "exp": now + seconds,
        "email": email,
        "email_verified": True,
    }
    names = {"given_name": first_name, "family_name": last_name}
    claims |= {claim: name for claim, name in names.items() if name}
    return jwt.encode(claims, settings.jwt_secret, "HS256")


def renewed_session(settings: Settings, session: str) -> str:
    """Returns a session that was signed here, as if its user signed in now: it lasts as long as it did."""
    claims = jwt.decode(session, options={"verify_signature": False})
    now = int(time.time())
    times = {"iat": now, "exp": now + claims["exp"] - claims["iat"]}
    return jwt.encode(claims | times, settings.jwt_secret, "HS256")


def user_id_of(settings: Settings, email: str) -> UserId:
    """Returns the id of the user that a session for this address signs in."""
    return user_id(settings.jwt_issuer, email)
