"""Whom e-mails go to: users, and people without an account. Deliveries take both alike (ADR people)."""

from __future__ import annotations

from dataclasses import dataclass

from governance.ids import UserId
from governance.models.account.user import StoredUser
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.texts import Language, language_of


@dataclass(frozen=True)
class Addressee:
    """Somebody whom e-mails go to, if they are active.

    `person` is who they are without an account; None for a user. The `id` is that of the user or the person: what is
    delivered to them is stored under it.
    """

    id: UserId
    email: str
    full_name: str
    timezone: str | None
    language: Language
    is_active: bool
    person: StoredUnregisteredUser | None = None


def of_user(user: StoredUser) -> Addressee:
    """Returns a user as the recipient of e-mails."""
    return Addressee(
        user.id, user.email, user.full_name, user.timezone, language_of(user.language), user.status == "active"
    )


def of_person(person: StoredUnregisteredUser) -> Addressee | None:
    """Returns a person without an account as the recipient of e-mails; None if none go to them.

    They have no time zone of their own: e-mails name that of the meeting. The language is that of the member who added
    them.
    """
    if not person.is_mailed or person.email is None:
        return None
    return Addressee(
        UserId(person.id), person.email, person.name, None, language_of(person.language), is_active=True, person=person
    )
