"""Six people, one of each role; each is the user of `boardctl session <email>`."""

from __future__ import annotations

from dataclasses import dataclass

from governance.instants import millis
from governance.models.board import AccessType, AdminRole
from governance.models.token import PersonalTokenCreate
from governance.store.table import transact
from governance.usecases import account
from governance.usecases.provisioning import Claims, provision
from infra.local.demo.stage import Stage
from infra.local.sessions import HOUR, session, user_id_of

_SESSION_SECONDS = 365 * 24 * HOUR


@dataclass(frozen=True)
class Person:
    """A person of the demo, and what they are on the first board."""

    key: str
    first_name: str
    last_name: str
    admin_role: AdminRole
    access_type: AccessType
    positions: tuple[str, ...]

    @property
    def email(self) -> str:
        """Their address."""
        return f"{self.key}@example.com"

    @property
    def role(self) -> str:
        """What they may do, in a word."""
        return self.admin_role if self.admin_role != "member" else self.access_type


PEOPLE = (
    Person("olivia", "Olivia", "Marsh", "owner", "manager", ("board chair",)),
    Person("adam", "Adam", "Reyes", "admin", "manager", ("company secretary",)),
    Person("maya", "Maya", "Lindqvist", "member", "manager", ("cfo",)),
    Person("colin", "Colin", "Abara", "member", "collaborator", ("board member", "investor")),
    Person("gwen", "Gwen", "Ito", "member", "guest", ("observer",)),
    Person("paul", "Paul", "Novak", "member", "collaborator", ("ceo",)),
)


def seed(stage: Stage) -> None:
    """The users, as their first sessions would have made them."""
    for person in PEOPLE:
        user_id, issued_at = user_id_of(stage.settings, person.email), millis(stage.ago(days=120))
        claims = Claims(user_id, person.email, person.first_name, person.last_name, issued_at)
        user, writes = provision(claims, None, stage.ago(days=120))
        transact(writes)
        stage.people[person.key] = user.id


def credentials(stage: Stage) -> list[dict[str, str]]:
    """A session and a personal token for each; gwen's token only reads."""
    return [_credentials(stage, person) for person in PEOPLE]


def _credentials(stage: Stage, person: Person) -> dict[str, str]:
    preset = "read_only" if person.role == "guest" else "full_access"
    wanted = PersonalTokenCreate.model_validate({"name": "Demo", "preset": preset, "expiresInDays": 365})
    token = stage.act(person.key, account.create_my_token, wanted, at=stage.ago(days=2))
    return {
        "id": stage.people[person.key],
        "name": f"{person.first_name} {person.last_name}",
        "email": person.email,
        "role": person.role,
        "session": session(stage.settings, person.email, person.first_name, person.last_name, _SESSION_SECONDS),
        "token": token.secret,
    }
