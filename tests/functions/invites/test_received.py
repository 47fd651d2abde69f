"""The pending invites of the caller's own e-mail address."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person, new_board_scenario

_PATH = "/api/v1/me/invites"


def _received(caller: Person, **query: int) -> list[str]:
    return [entry["inviteId"] for entry in caller.client.all(_PATH, **query)]


def test_an_invited_user_finds_the_invites_of_every_board_newest_first(invites: InviteScenario, ann: Person) -> None:
    first = invites.invite(ann.email)
    second, third = (InviteScenario(new_board_scenario(name)).invite(ann.email) for name in ("otto", "oscar"))
    invites.invite("bob@example.com")
    assert _received(ann) == _received(ann, limit=2) == [third, second, first]


def test_a_received_invite_looks_as_in_the_list_of_its_board(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email, message="Join us")
    assert ann.client.get(_PATH).data == invites.listed()


ENDINGS: dict[str, Callable[[InviteScenario, Person, str], object]] = {
    "accepted": lambda _, ann, invite: ann.client.put(f"/api/invite/accept/{invite}"),
    "declined": lambda _, ann, invite: ann.client.put(f"/api/invite/decline/{invite}"),
    "retracted": lambda invites, _, invite: invites.owner.client.put(f"/api/invite/retract/{invite}"),
    "its board is deleted": lambda invites, *_: invites.owner.client.delete(invites.board.path),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_invite_that_ended_is_no_longer_listed(invites: InviteScenario, ann: Person, ending: str) -> None:
    invite = invites.invite(ann.email)
    assert _received(ann) == [invite]
    ENDINGS[ending](invites, ann, invite)
    assert _received(ann) == []
