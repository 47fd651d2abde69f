"""The user of a session: stored at the first request, and kept in step with the issuer's claims (ADR identity)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from governance.ids import UserId
from governance.instants import Instant
from governance.models.account.user import StoredUser
from governance.store.account import users
from governance.store.writes import Write

_ISSUED = "claims_issued_at"


@dataclass(frozen=True)
class Claims:
    """The issuer's claims about a user, and when the session was issued, in milliseconds since 1970."""

    user_id: UserId
    email: str
    first_name: str | None
    last_name: str | None
    issued_at: int


def provision(claims: Claims, known: StoredUser | None, now: Instant) -> tuple[StoredUser, Sequence[Write]]:
    """Returns the user as the claims describe it, and the writes that record it: none if nothing has changed.

    A session issued before the latest one that made a request changes nothing, so an old session cannot set an e-mail
    address back. For this, the first request of each later session is recorded, even if it claims nothing new. Claims
    of later sessions do not replace a name that the user chose. A purged user stays empty.
    """
    if known is None:
        user = StoredUser(
            id=claims.user_id,
            email=claims.email,
            first_name=claims.first_name,
            last_name=claims.last_name,
            claims_issued_at=claims.issued_at,
            created_at=now,
            updated_at=now,
        )
        return user, users.create(user)
    is_current = not known.purged and claims.issued_at >= known.claims_issued_at
    changes = _changes(claims, known, now) if is_current else {}
    if not changes:
        return known, ()
    user = known.model_copy(update={**changes, "version": known.version + 1})
    return user, users.replace(known, user)


def _changes(claims: Claims, known: StoredUser, now: Instant) -> dict[str, Any]:
    """Returns the new values of the user's fields. A session that claims nothing new does not count as an update."""
    wanted: dict[str, Any] = {"email": claims.email, _ISSUED: claims.issued_at}
    if not known.named:
        names = {"first_name": claims.first_name, "last_name": claims.last_name}
        wanted |= {member: value for member, value in names.items() if value is not None}
    changed = {member: value for member, value in wanted.items() if getattr(known, member) != value}
    return {**changed, "updated_at": now} if changed.keys() - {_ISSUED} else changed
