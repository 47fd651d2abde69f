"""The user of a session: stored at the first request, and kept in step with the issuer's claims (ADR 0011)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from governance.models.user import StoredUser
from governance.store import users
from governance.store.writes import Write


@dataclass(frozen=True)
class Claims:
    """The issuer's claims about a user."""

    user_id: str
    email: str
    first_name: str | None
    last_name: str | None


def provision(claims: Claims, known: StoredUser | None, now: str) -> tuple[StoredUser, Sequence[Write]]:
    """Returns the user with the claims applied, and the writes that store it: none if nothing has changed.

    A name that the user has set is kept whatever later claims say; the e-mail address is always the issuer's. A purged
    user never gets personal data again.
    """
    if known is None:
        user = StoredUser(
            id=claims.user_id,
            email=claims.email,
            first_name=claims.first_name,
            last_name=claims.last_name,
            created_at=now,
            updated_at=now,
        )
        return user, users.create(user)
    changes = {} if known.purged else _changes(claims, known)
    if not changes:
        return known, ()
    user = known.model_copy(update={**changes, "updated_at": now, "version": known.version + 1})
    return user, users.replace(known, user)


def _changes(claims: Claims, known: StoredUser) -> dict[str, str]:
    wanted = {"email": claims.email}
    if not known.named:
        names = {"first_name": claims.first_name, "last_name": claims.last_name}
        wanted |= {member: value for member, value in names.items() if value is not None}
    return {member: value for member, value in wanted.items() if getattr(known, member) != value}
