"""Recipients of deliveries: users, and people without an account. Deliveries take both alike (ADR people)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from governance.ids import RecipientId, UserId
from governance.models.account.user import StoredUser
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.notifications.recipients import Addressees
from governance.texts import Language, language_of


@dataclass(frozen=True)
class Addressee:
    """A recipient of e-mails, if they are active: a user, or a `person` without an account.

    What is delivered to them is stored under the `id` of the user or the person.
    """

    id: RecipientId
    email: str
    full_name: str
    timezone: str | None
    language: Language
    is_active: bool
    user_id: UserId | None = None
    person: StoredUnregisteredUser | None = None


def of_user(user: StoredUser) -> Addressee:
    """Returns a user as the recipient of e-mails."""
    language, is_active = language_of(user.language), user.status == "active"
    return Addressee(user.id, user.email, user.full_name, user.timezone, language, is_active, user_id=user.id)


def of_person(person: StoredUnregisteredUser) -> Addressee | None:
    """Returns a person without an account as the recipient of e-mails; None if none go to them.

    They have no time zone of their own: e-mails name that of the meeting. The language is that of the member who added
    them.
    """
    if not person.is_mailed or person.email is None:
        return None
    return Addressee(
        person.id, person.email, person.name, None, language_of(person.language), is_active=True, person=person
    )


def addressed(recipients: Iterable[Addressee]) -> Addressees:
    """Returns the ids of recipients."""
    to = list(recipients)
    return Addressees(
        tuple(recipient.user_id for recipient in to if recipient.user_id),
        tuple(recipient.person.id for recipient in to if recipient.person),
    )
