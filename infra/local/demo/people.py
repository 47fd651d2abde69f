"""Six users, one in each role. `boardctl session <email>` signs a session of any of them."""

from __future__ import annotations

from dataclasses import dataclass

from governance.domain.boards.example_board import CHARACTERS
from governance.instants import millis
from governance.models.account.token import PersonalTokenCreate
from governance.models.boards.board import AccessType, AdminRole
from governance.store.transactions import transact
from governance.usecases.account import account
from governance.usecases.account.provisioning import Claims, provision
from infra.local.demo.scenario import Scenario
from infra.stack.sessions import HOUR, sign_session, user_id_of

_SESSION_SECONDS = 365 * 24 * HOUR


@dataclass(frozen=True)
class Person:
    """A user of the demo data, and their role on the first board."""

    key: str
    first_name: str
    last_name: str
    admin_role: AdminRole
    access_type: AccessType
    positions: tuple[str, ...]

    @property
    def email(self) -> str:
        """The e-mail address."""
        return f"{self.key}@example.com"

    @property
    def role(self) -> str:
        """The admin role, or the access type of a plain member."""
        return self.admin_role if self.admin_role != "member" else self.access_type


PEOPLE = tuple(
    Person(
        character.name,
        character.first_name,
        character.last_name,
        "owner" if character.name == "olivia" else character.admin_role,
        character.access_type,
        character.positions,
    )
    for character in CHARACTERS
)


def seed(scenario: Scenario) -> None:
    """Creates the users, as their first requests would."""
    for person in PEOPLE:
        user_id, issued_at = user_id_of(scenario.settings, person.email), millis(scenario.ago(days=120))
        claims = Claims(user_id, person.email, person.first_name, person.last_name, issued_at)
        user, writes = provision(claims, None, scenario.ago(days=120))
        transact(writes)
        scenario.people[person.key] = user.id


def credentials(scenario: Scenario) -> list[dict[str, str]]:
    """Returns a session and a personal token for each user. The guest's token is read-only."""
    return [_credentials(scenario, person) for person in PEOPLE]


def _credentials(scenario: Scenario, person: Person) -> dict[str, str]:
    preset = "read_only" if person.role == "guest" else "full_access"
    body = PersonalTokenCreate.model_validate({"name": "Demo", "preset": preset, "expiresInDays": 365})
    token = scenario.call(person.key, account.create_my_token, body, at=scenario.ago(days=2))
    return {
        "id": scenario.people[person.key],
        "name": f"{person.first_name} {person.last_name}",
        "email": person.email,
        "role": person.role,
        "session": _session(scenario, person),
        "token": token.secret,
    }


def _session(scenario: Scenario, person: Person) -> str:
    return sign_session(scenario.settings, person.email, person.first_name, person.last_name, _SESSION_SECONDS)
