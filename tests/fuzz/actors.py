"""The callers that send the cases."""

from __future__ import annotations

from dataclasses import dataclass

from governance.mail import sender
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.outbox import Outbox
from tests.harness.path_resources import OUTSIDER_EMAIL

CALLERS = ("owner", "member", "stranger", "token")


@dataclass
class Actors:
    """The callers: the owner of a board, a member, a user who is not a member, and a token of the board."""

    board: BoardScenario
    people: dict[str, Person]
    bearers: dict[str, str]
    outbox: Outbox


def new_actors() -> Actors:
    """Creates a board with the four callers; e-mails are collected, not sent."""
    outbox = Outbox()
    sender.client.cache_clear()
    sender.client().meta.events.register("before-call.sesv2.SendEmail", outbox.take)
    scenario = new_board_scenario()
    people = {
        "owner": scenario.owner,
        "member": scenario.member("colin", access_type="manager"),
        "stranger": person(OUTSIDER_EMAIL.partition("@")[0]),
        "token": scenario.owner,
    }
    bearers = {name: str(user.client.bearer) for name, user in people.items()}
    return Actors(scenario, people, bearers | {"token": str(scenario.token().bearer)}, outbox)
