"""One caller of each kind of principal, all on the same board."""

from __future__ import annotations

from dataclasses import dataclass

from governance.usecases.operator import operator
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client
from tests.harness.path_resources import OUTSIDER_EMAIL
from tests.harness.sample_requests import SampleRequest, sample_request

COLUMNS = (
    *("anonymous", "broken", "owner", "admin", "manager", "collaborator", "guest", "outsider", "suspended"),
    *("inactive", "pat_read", "pat_full", "bat_read", "bat_write", "bat_other"),
)
"""The principals: no valid credential, sessions by role, personal tokens of the owner, board tokens."""
LOCKED_OUT = ("suspended", "inactive")


@dataclass
class Actors:
    """A board, another board, and a client for each column of the authorization table."""

    board: BoardScenario
    other: BoardScenario
    clients: dict[str, Client]
    people: dict[str, Person]

    def request(self, route: str, column: str) -> SampleRequest:
        """Returns a valid request to a route. Resources that belong to a user are created for this caller."""
        return sample_request(route, self.board, self.caller(column))

    def caller(self, column: str) -> Person:
        """Returns the user whose resources a request names: the caller, or the owner if the caller cannot have any."""
        return self.board.owner if column in LOCKED_OUT else self.people.get(column, self.board.owner)


def new_actors() -> Actors:
    """Creates two boards and a client for every kind of principal."""
    scenario, other = new_board_scenario(), new_board_scenario("oscar")
    people = {
        "owner": scenario.owner,
        "admin": scenario.member("adam", admin_role="admin"),
        "manager": scenario.member("maya", access_type="manager"),
        "collaborator": scenario.member("colin"),
        "guest": scenario.member("gwen", access_type="guest"),
        "outsider": person(OUTSIDER_EMAIL.partition("@")[0]),
        "suspended": scenario.member("sue", admin_role="admin"),
        "inactive": scenario.member("ian", admin_role="admin"),
    }
    operator.set_user_status(people["suspended"].id, "suspended")
    operator.set_user_status(people["inactive"].id, "inactive")
    clients = {
        "anonymous": Client(),
        "broken": Client("svc_pat_broken"),
        **{name: user.client for name, user in people.items()},
        "pat_read": scenario.personal_token(scenario.owner, "read_only"),
        "pat_full": scenario.personal_token(scenario.owner, "full_access"),
        "bat_read": scenario.token("read_only"),
        "bat_write": scenario.token("read_write"),
        "bat_other": other.token("read_write"),
    }
    return Actors(scenario, other, clients, people)
