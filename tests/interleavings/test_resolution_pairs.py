"""Concurrent acts on a resolution: ballots, proxies, recusals, its opening and its close, and who leaves meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from governance.ids import membership_id
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.resolution_scenario import ResolutionScenario
from tests.interleavings.pair_scenario import Pair, check_pair
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


def ballot_ballot(votes: Votes) -> Pair:
    path = votes.opened()
    return votes.cast(path, votes.ann), votes.cast(path, votes.ben, "against")


def change_take_back(votes: Votes) -> Pair:
    path = votes.opened()
    votes.vote(path, votes.ann)
    return votes.cast(path, votes.ann, "against"), partial(votes.take_back, path, votes.ann)


def ballot_close(votes: Votes) -> Pair:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    return votes.cast(path, votes.cem, "against"), partial(votes.close, path)


def last_ballot_close(votes: Votes) -> Pair:
    path = votes.opened(ballots="hidden")
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    return votes.cast(path, votes.cem), partial(votes.close, path)


def secret_ballot_close(votes: Votes) -> Pair:
    meeting = votes.board.owner.client.post(f"{votes.board.path}/meetings", {"title": "M", "status": "in_progress"})
    path = votes.opened(ballots="secret", meetingId=meeting.data["id"])
    votes.vote(path, votes.ann)
    return votes.cast(path, votes.cem, "against"), partial(votes.close, path)


def secret_ballot_twice(votes: Votes) -> Pair:
    path = votes.opened(ballots="secret")
    return votes.cast(path, votes.ann), votes.cast(path, votes.ann, "against")


def close_close(votes: Votes) -> Pair:
    path = votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    return partial(votes.close, path), partial(votes.close, path)


def close_withdraw(votes: Votes) -> Pair:
    path = votes.opened()
    for voter in votes.voters:
        votes.vote(path, voter)
    return partial(votes.close, path), partial(votes.withdraw, path)


def superseding_twice(votes: Votes) -> Pair:
    first = votes.opened(voters=[{"userId": votes.ann.id}])
    votes.vote(first, votes.ann)
    old = votes.close(first).data["id"]
    paths = [votes.opened(voters=[{"userId": votes.ann.id}], supersedesId=old) for _ in range(2)]
    for path in paths:
        votes.vote(path, votes.ann)
    return partial(votes.close, paths[0]), partial(votes.close, paths[1])


def proxy_own_ballot(votes: Votes) -> Pair:
    path = votes.opened(**PROXIES)
    return partial(votes.give, path, votes.ann, votes.ben), votes.cast(path, votes.ann)


def own_ballot_holders_ballot(votes: Votes) -> Pair:
    path = votes.opened(**PROXIES)
    votes.give(path, votes.ann, votes.ben)
    return votes.cast(path, votes.ann), votes.cast(path, votes.ben, "against", forUserId=votes.ann.id)


def proxy_back_holders_ballot(votes: Votes) -> Pair:
    path = votes.opened(**PROXIES)
    votes.give(path, votes.ann, votes.ben)
    back = partial(votes.ann.client.delete, f"{path}/proxy")
    return back, votes.cast(path, votes.ben, forUserId=votes.ann.id)


def proxy_chain(votes: Votes) -> Pair:
    path = votes.opened(**PROXIES)
    return partial(votes.give, path, votes.ann, votes.ben), partial(votes.give, path, votes.ben, votes.cem)


def proxy_holders_recusal(votes: Votes) -> Pair:
    path = votes.opened(**PROXIES)
    return partial(votes.give, path, votes.ann, votes.ben), partial(votes.recuse, path, votes.ben)


def recusal_ballot(votes: Votes) -> Pair:
    path = votes.opened()
    return partial(votes.recuse, path, votes.ann, votes.manager), votes.cast(path, votes.ann)


def recusal_close(votes: Votes) -> Pair:
    path = votes.opened()
    votes.vote(path, votes.ann)
    votes.vote(path, votes.ben)
    return partial(votes.recuse, path, votes.cem), partial(votes.close, path)


def open_open(votes: Votes) -> Pair:
    path = votes.drafted()
    return partial(votes.open, path), partial(votes.open, path)


def open_another(votes: Votes) -> Pair:
    return partial(votes.open, votes.drafted()), partial(votes.open, votes.drafted(title="Another"))


def open_change(votes: Votes) -> Pair:
    path = votes.drafted()
    return partial(votes.open, path), partial(votes.manager.client.patch, path, {"text": "Another text"})


def open_delete(votes: Votes) -> Pair:
    path = votes.drafted()
    return partial(votes.open, path), partial(votes.manager.client.delete, path)


def open_delete_meeting(votes: Votes) -> Pair:
    meetings = f"{votes.board.path}/meetings"
    meeting = votes.board.owner.client.post(meetings, {"title": "M", "status": "scheduled"}).data["id"]
    path = votes.drafted(meetingId=meeting)
    return partial(votes.open, path), partial(votes.board.owner.client.delete, f"{meetings}/{meeting}")


def open_delete_committee(votes: Votes) -> Pair:
    committee = votes.committee(votes.manager, votes.ann)
    path = votes.drafted(committeeId=committee.rpartition("/")[2], voters=None)
    return partial(votes.open, path), partial(votes.board.owner.client.delete, committee)


CASES: list[Callable[[Votes], Pair]] = [
    ballot_ballot,
    change_take_back,
    ballot_close,
    last_ballot_close,
    secret_ballot_close,
    secret_ballot_twice,
    close_close,
    close_withdraw,
    superseding_twice,
    proxy_own_ballot,
    own_ballot_holders_ballot,
    proxy_back_holders_ballot,
    proxy_chain,
    proxy_holders_recusal,
    recusal_ballot,
    recusal_close,
    open_open,
    open_another,
    open_change,
    open_delete,
    open_delete_meeting,
    open_delete_committee,
]


@pytest.mark.parametrize("prepare", CASES, ids=lambda prepare: prepare.__name__)
def test_every_schedule_of_two_acts_ends_as_one_after_the_other(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[Votes], Pair]
) -> None:
    check_pair(*prepare(Votes(scenario)), monkeypatch)


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
        (voter,) = [each for each in shown["voters"] if each["userId"] == votes.ann.id] or [None]
        has_voted = any(ballot["userId"] == votes.ann.id for ballot in votes.ballots(path))
        closed_before = shown["status"] != "open" and voter is not None and voter["recused"] is None
        assert voter is None or voter["recused"] is not None or has_voted or closed_before, shown
