"""Boards and users for tests, created through the API where possible and in the store where not."""

from __future__ import annotations

from dataclasses import dataclass

from governance.ids import BoardId, UserId, membership_id
from governance.instants import now
from governance.models.boards.board import AccessType, AdminRole, Membership, StoredBoard
from governance.store.boards import boards
from governance.store.schema.entities import BOARD
from governance.store.transactions import transact
from governance.store.writes import EXISTS, Update
from governance.usecases.members.members import new_membership
from tests.harness.client import Client, session


@dataclass(frozen=True)
class Person:
    """A user with a session; `client` sends requests as this user."""

    id: UserId
    email: str
    client: Client


def person(name: str) -> Person:
    """Creates a user by a first request."""
    email = f"{name}@example.com"
    client = Client(session(email))
    return Person(client.get("/api/v1/me").data["id"], email, client)


@dataclass
class BoardScenario:
    """A board with its owner. `member` adds more users."""

    owner: Person
    board_id: BoardId

    @property
    def path(self) -> str:
        return f"/api/v1/boards/{self.board_id}"

    def member_path(self, user: Person) -> str:
        """Returns the path of a user's membership."""
        return f"{self.path}/members/{membership_id(self.board_id, user.id)}"

    @property
    def stored_board(self) -> StoredBoard:
        """The board as it is stored; there must be one."""
        board = boards.find(self.board_id)
        assert board is not None
        return board

    def member(
        self, name: str, *, access_type: AccessType = "collaborator", admin_role: AdminRole = "member"
    ) -> Person:
        """Creates a user who is a member of the board."""
        user = person(name)
        self.join(user, access_type=access_type, admin_role=admin_role)
        return user

    def join(
        self, user: Person, *, access_type: AccessType = "collaborator", admin_role: AdminRole = "member"
    ) -> Membership:
        """Makes an existing user a member."""
        membership = new_membership(self.board_id, user.id, now(), admin_role=admin_role, access_type=access_type)
        transact(boards.add_member(self.stored_board, membership))
        return membership

    def committee(self, *members: Person) -> str:
        """Creates a committee of these members, as the board's owner, and returns its id."""
        seats = [membership_id(self.board_id, member.id) for member in members]
        created = self.owner.client.post(f"{self.path}/committees", {"name": "Finance", "memberIds": seats})
        assert created.status == 201, created.text
        return str(created.data["id"])

    def token(self, preset: str = "read_write") -> Client:
        """Creates a board token and returns a client that uses it."""
        body = {"name": "robot", "preset": preset, "expiresInDays": None}
        return Client(self.owner.client.post(f"{self.path}/tokens", body).data["secret"])

    def personal_token(self, user: Person, preset: str = "full_access") -> Client:
        """Creates a personal token of a user and returns a client that uses it."""
        body = {"name": "robot", "preset": preset, "expiresInDays": None}
        return Client(user.client.post("/api/v1/me/tokens", body).data["secret"])

    def set_billing_state(self, state: str) -> None:
        """Sets the board's billing state, as the operator does."""
        key = BOARD.key_for(boardId=self.board_id)
        transact([Update(key, "SET billingState = :s", {}, {":s": state}, EXISTS)])


def new_board_scenario(owner: str = "olivia", name: str = "Board") -> BoardScenario:
    """Creates a user who owns a new board."""
    user = person(owner)
    return BoardScenario(user, user.client.post("/api/v1/boards", {"name": name}).data["id"])
