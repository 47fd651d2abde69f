"""Who sends the cases."""

from __future__ import annotations

from dataclasses import dataclass

from governance.mail import sender
from tests.harness.outbox import Outbox
from tests.harness.routes import OUTSIDER_EMAIL
from tests.harness.world import Person, World, new_world, person

CALLERS = ("owner", "member", "stranger", "token")


@dataclass
class Cast:
    """Who calls: the owner of a board, a member, somebody who is on no board of theirs, a token of the board."""

    world: World
    people: dict[str, Person]
    bearers: dict[str, str]
    outbox: Outbox


def new_cast() -> Cast:
    """A new board with the four of them; no mail leaves."""
    outbox = Outbox()
    sender.client.cache_clear()
    sender.client().meta.events.register("before-call.sesv2.SendEmail", outbox.take)
    world = new_world()
    people = {
        "owner": world.owner,
        "member": world.member("colin", access_type="manager"),
        "stranger": person(OUTSIDER_EMAIL.partition("@")[0]),
        "token": world.owner,
    }
    bearers = {name: str(who.client.bearer) for name, who in people.items()}
    return Cast(world, people, bearers | {"token": str(world.token().bearer)}, outbox)
