"""The pending invites of the caller's own e-mail address."""

from __future__ import annotations

import pytest

from tests.functions.invites.conftest import InviteScenario
from tests.harness.board_scenario import Person, new_board_scenario, person
from tests.harness.meeting_scenario import leave

_PATH = "/api/v1/me/invites"


def _received(caller: Person) -> list[str]:
    return [entry["inviteId"] for entry in caller.client.all(_PATH)]


def test_an_invited_user_finds_the_invites_of_every_board_newest_first(invites: InviteScenario, ann: Person) -> None:
    first = invites.invite(ann.email)
    other = InviteScenario(new_board_scenario("otto"))
    second = other.invite(ann.email)
    invites.invite("bob@example.com")
    assert _received(ann) == [second, first]


def test_a_received_invite_looks_as_in_the_list_of_its_board(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email, message="Join us")
    assert ann.client.get(_PATH).data == invites.listed()


def test_a_user_who_signs_in_after_the_invite_finds_it(invites: InviteScenario) -> None:
    invite = invites.invite("later@example.com")
    assert _received(person("later")) == [invite]


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_an_answered_invite_is_no_longer_listed(invites: InviteScenario, ann: Person, answer: str) -> None:
    invite = invites.invite(ann.email)
    assert ann.client.put(f"/api/invite/{answer}/{invite}").status == 200
    assert _received(ann) == []


def test_a_retracted_invite_is_no_longer_listed_and_a_new_one_is(invites: InviteScenario, ann: Person) -> None:
    invites.owner.client.put(f"/api/invite/retract/{invites.invite(ann.email)}")
    assert _received(ann) == []
    again = invites.invite(ann.email)
    assert _received(ann) == [again]


def test_an_invite_ends_in_the_list_with_the_right_of_its_inviter(invites: InviteScenario, ann: Person) -> None:
    ben = invites.board.member("ben")
    invites.invite(ann.email, by=ben.client)
    assert len(_received(ann)) == 1
    leave(invites.board, ben)
    assert _received(ann) == []


def test_an_invite_to_a_deleted_board_is_not_listed(invites: InviteScenario, ann: Person) -> None:
    invites.invite(ann.email)
    invites.owner.client.delete(invites.board.path)
    assert _received(ann) == []


def test_the_list_goes_on_page_by_page(ann: Person) -> None:
    boards = [InviteScenario(new_board_scenario(f"owner{number}")) for number in range(3)]
    made = [board.invite(ann.email) for board in boards]
    pages = list(ann.client.pages(_PATH, limit=2))
    assert [[entry["inviteId"] for entry in page] for page in pages] == [made[:0:-1], made[:1]]
