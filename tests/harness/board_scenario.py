"""People and boards to act with, made through the API where it can, through the store where it cannot."""

from __future__ import annotations

from dataclasses import dataclass

from governance.instants import now
from governance.models.board import AccessType, AdminRole, Membership
from governance.store import boards
from governance.store.schema import BOARD
from governance.store.table import transact
from governance.store.writes import EXISTS, Update
from governance.usecases.members import new_membership
from tests.harness.client import Client, session


@dataclass(frozen=True)
class Person:
    """A user with a session; `client` calls as him."""

    id: str
    email: str
    client: Client


def person(name: str) -> Person:
    """A user who has called once, and so exists."""
    email = f"{name}@example.com"
    client = Client(session(email))
    return Person(client.get("/api/v1/me").data["id"], email, client)


@dataclass
class BoardScenario:
    """A board with its owner; more people join by `member`."""

    owner: Person
    board_id: str

    @property
    def path(self) -> str:
        return f"/api/v1/boards/{self.board_id}"

    def member(
        self, name: str, *, access_type: AccessType = "collaborator", admin_role: AdminRole = "member"
    ) -> Person:
        """A new user who is a member of the board."""
        who = person(name)
        self.join(who, access_type=access_type, admin_role=admin_role)
        return who

    def join(
        self, who: Person, *, access_type: AccessType = "collaborator", admin_role: AdminRole = "member"
    ) -> Membership:
        """Make a user a member."""
        membership = new_membership(self.board_id, who.id, now(), admin_role=admin_role, access_type=access_type)
        transact(boards.add_member(membership))
        return membership

    def token(self, preset: str = "read_write") -> Client:
        """A caller with a new token of the board."""
        body = {"name": "robot", "preset": preset, "expiresInDays": None}
        return Client(self.owner.client.post(f"{self.path}/tokens", body).data["secret"])

    def personal_token(self, who: Person, preset: str = "full_access") -> Client:
        """A caller with a new personal token of a user."""
        body = {"name": "robot", "preset": preset, "expiresInDays": None}
        return Client(who.client.post("/api/v1/me/tokens", body).data["secret"])

    def bill(self, state: str) -> None:
        """Put the board into a billing state, as the operator would."""
        key = BOARD.at(boardId=self.board_id)
        transact([Update(key, "SET billingState = :s", {}, {":s": state}, EXISTS)])


def new_board_scenario(owner: str = "olivia", name: str = "Board") -> BoardScenario:
    """A new board of a new owner."""
    who = person(owner)
    return BoardScenario(who, who.client.post("/api/v1/boards", {"name": name}).data["id"])
