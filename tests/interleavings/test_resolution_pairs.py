"""Concurrent acts on a resolution: ballots, proxies, recusals, its opening and its close, and who leaves meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.resolution_scenario import ResolutionScenario
from tests.interleavings.pair_scenario import Check
from tests.interleavings.schedules import every_interleaving

pytestmark = pytest.mark.slow
PROXIES = {"rule": {"proxies": True}}


class Votes(ResolutionScenario):
    """A board with voters, and with calls that are made at the same time."""

    def cast(self, path: str, voter: Person, choice: str = "for", **members: Any) -> Callable[[], Any]:
        return partial(self.vote, path, voter, choice, **members)

    def leaving(self, voter: Person) -> Callable[[], Any]:
        member_id = membership_id(self.board.board_id, voter.id)
        return partial(voter.client.delete, f"{self.board.path}/members/{member_id}")

    def committee(self, *members: Person) -> str:
        ids = [membership_id(self.board.board_id, member.id) for member in members]
        path = f"{self.board.path}/committees"
        return f"{path}/{self.board.owner.client.post(path, {'name': 'Audit', 'memberIds': ids}).data['id']}"


@pytest.fixture
def votes(scenario: BoardScenario) -> Votes:
    return Votes(scenario)


def test_ballot_ballot(votes: Votes, check: Check) -> None:
    path = votes.opened()
    check(votes.cast(path, votes.ann), votes.cast(path, votes.ben, "against"))


def test_change_take_back(votes: Votes, check: Check) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann)
    check(votes.cast(path, votes.ann, "against"), partial(votes.take_back, path, votes.ann))


def test_ballot_close(votes: Votes, check: Check) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    check(votes.cast(path, votes.cem, "against"), partial(votes.close, path))


def test_last_ballot_close(votes: Votes, check: Check) -> None:
    path = votes.opened(ballots="hidden")
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    check(votes.cast(path, votes.cem), partial(votes.close, path))


def test_secret_ballot_close(votes: Votes, check: Check) -> None:
    meeting = votes.board.owner.client.post(f"{votes.board.path}/meetings", {"title": "M", "status": "in_progress"})
    path = votes.opened(ballots="secret", meetingId=meeting.data["id"])
    votes.vote(path, votes.ann)
    check(votes.cast(path, votes.cem, "against"), partial(votes.close, path))


def test_secret_ballot_twice(votes: Votes, check: Check) -> None:
    path = votes.opened(ballots="secret")
    check(votes.cast(path, votes.ann), votes.cast(path, votes.ann, "against"))


def test_close_close(votes: Votes, check: Check) -> None:
    path = votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    check(partial(votes.close, path), partial(votes.close, path))


def test_close_withdraw(votes: Votes, check: Check) -> None:
    path = votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    check(partial(votes.close, path), partial(votes.withdraw, path))


def test_superseding_twice(votes: Votes, check: Check) -> None:
    first = votes.opened(voters=[{"userId": votes.ann.id}])
    votes.vote(first, votes.ann)
    old = votes.close(first).data["id"]
    paths = [votes.opened(voters=[{"userId": votes.ann.id}], supersedesId=old) for _ in range(2)]
    for path in paths:
        votes.vote(path, votes.ann)
    check(partial(votes.close, paths[0]), partial(votes.close, paths[1]))


def test_proxy_own_ballot(votes: Votes, check: Check) -> None:
    path = votes.opened(**PROXIES)
    check(partial(votes.give, path, votes.ann, votes.ben), votes.cast(path, votes.ann))


def test_own_ballot_holders_ballot(votes: Votes, check: Check) -> None:
    path = votes.opened(**PROXIES)
    votes.give(path, votes.ann, votes.ben)
    check(votes.cast(path, votes.ann), votes.cast(path, votes.ben, "against", forUserId=votes.ann.id))


def test_proxy_back_holders_ballot(votes: Votes, check: Check) -> None:
    path = votes.opened(**PROXIES)
    votes.give(path, votes.ann, votes.ben)
    back = partial(votes.ann.client.delete, f"{path}/proxy")
    check(back, votes.cast(path, votes.ben, forUserId=votes.ann.id))


def test_proxy_chain(votes: Votes, check: Check) -> None:
    path = votes.opened(**PROXIES)
    check(partial(votes.give, path, votes.ann, votes.ben), partial(votes.give, path, votes.ben, votes.cem))


def test_proxy_holders_recusal(votes: Votes, check: Check) -> None:
    path = votes.opened(**PROXIES)
    check(partial(votes.give, path, votes.ann, votes.ben), partial(votes.recuse, path, votes.ben))


def test_recusal_ballot(votes: Votes, check: Check) -> None:
    path = votes.opened()
    check(partial(votes.recuse, path, votes.ann, votes.manager), votes.cast(path, votes.ann))


def test_recusal_close(votes: Votes, check: Check) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    check(partial(votes.recuse, path, votes.cem), partial(votes.close, path))


def test_open_open(votes: Votes, check: Check) -> None:
    path = votes.drafted()
    check(partial(votes.open, path), partial(votes.open, path))


def test_open_another(votes: Votes, check: Check) -> None:
    check(partial(votes.open, votes.drafted()), partial(votes.open, votes.drafted(title="Another")))


def test_open_change(votes: Votes, check: Check) -> None:
    path = votes.drafted()
    check(partial(votes.open, path), partial(votes.manager.client.patch, path, {"text": "Another text"}))


def test_open_delete(votes: Votes, check: Check) -> None:
    path = votes.drafted()
    check(partial(votes.open, path), partial(votes.manager.client.delete, path))


def test_open_delete_meeting(votes: Votes, check: Check) -> None:
    meetings = f"{votes.board.path}/meetings"
    meeting = votes.board.owner.client.post(meetings, {"title": "M", "status": "scheduled"}).data["id"]
    path = votes.drafted(meetingId=meeting)
    check(partial(votes.open, path), partial(votes.board.owner.client.delete, f"{meetings}/{meeting}"))


def test_open_delete_committee(votes: Votes, check: Check) -> None:
    committee = votes.committee(votes.manager, votes.ann)
    path = votes.drafted(committeeId=committee.rpartition("/")[2], voters=None)
    check(partial(votes.open, path), partial(votes.board.owner.client.delete, committee))


@pytest.mark.parametrize("act", ["open", "close", "ballot"])
def test_who_leaves_meanwhile_is_counted_as_if_they_had_left_before_or_after(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """In the end they are no voter, recused, or have voted; nobody waits for the ballot of someone who is gone."""
    votes = Votes(scenario)
    path = votes.drafted(voters=None) if act == "open" else votes.opened()
    calls: dict[str, Callable[[], Any]] = {"open": partial(votes.open, path), "close": partial(votes.close, path)}
    call = calls.get(act, votes.cast(path, votes.ann))
    if act == "close":
        votes.vote(path, votes.ben)
        votes.vote(path, votes.cem)
    monkeypatch.setattr("random.choice", lambda options: options[0])
    for _responses, _ in every_interleaving(call, votes.leaving(votes.ann)):
        shown = votes.get(path)
        (voter,) = [entry for entry in shown["voters"] if entry["userId"] == votes.ann.id] or [None]
        has_voted = any(ballot["userId"] == votes.ann.id for ballot in votes.ballots(path))
        closed_before = shown["status"] != "open" and voter is not None and voter["recused"] is None
        assert voter is None or voter["recused"] is not None or has_voted or closed_before, shown
