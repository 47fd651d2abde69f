"""Everybody who may call: one of each kind of principal, on one board."""

from __future__ import annotations

from dataclasses import dataclass

from governance.usecases import operator
from tests.harness.client import Client
from tests.harness.routes import OUTSIDER_EMAIL, Sample, sample
from tests.harness.world import Person, World, new_world, person

COLUMNS = (
    "anonymous",
    "broken",
    "owner",
    "admin",
    "manager",
    "collaborator",
    "guest",
    "outsider",
    "suspended",
    "inactive",
    "pat_read",
    "pat_full",
    "bat_read",
    "bat_write",
    "bat_other",
)
"""The principals: without a credential that holds, sessions by role, personal tokens of the owner, board tokens."""
LOCKED_OUT = ("suspended", "inactive")


@dataclass
class Cast:
    """A board's world, another board, and a caller for each column of the table."""

    world: World
    other: World
    clients: dict[str, Client]
    people: dict[str, Person]

    def request(self, route: str, column: str) -> Sample:
        """A sound request to a route, over things that are this caller's where that matters."""
        return sample(route, self.world, self.caller(column))

    def caller(self, column: str) -> Person:
        """Whose things a request names: the caller's own, or the owner's where he cannot have made any."""
        return self.world.owner if column in LOCKED_OUT else self.people.get(column, self.world.owner)


def new_cast() -> Cast:
    """A new board with everybody on it."""
    world, other = new_world(), new_world("oscar")
    people = {
        "owner": world.owner,
        "admin": world.member("adam", admin_role="admin"),
        "manager": world.member("maya", access_type="manager"),
        "collaborator": world.member("colin"),
        "guest": world.member("gwen", access_type="guest"),
        "outsider": person(OUTSIDER_EMAIL.partition("@")[0]),
        "suspended": world.member("sue", admin_role="admin"),
        "inactive": world.member("ian", admin_role="admin"),
    }
    operator.set_user_status(people["suspended"].id, "suspended")
    operator.set_user_status(people["inactive"].id, "inactive")
    clients = {
        "anonymous": Client(),
        "broken": Client("svc_pat_broken"),
        **{name: who.client for name, who in people.items()},
        "pat_read": world.personal_token(world.owner, "read_only"),
        "pat_full": world.personal_token(world.owner, "full_access"),
        "bat_read": world.token("read_only"),
        "bat_write": world.token("read_write"),
        "bat_other": other.token("read_write"),
    }
    return Cast(world, other, clients, people)
