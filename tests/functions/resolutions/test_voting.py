"""Ballots, proxies and recusals of an open resolution."""

from __future__ import annotations

from tests.harness.meeting_scenario import leave, stored_events
from tests.harness.resolution_scenario import ResolutionScenario, reason

PROXIES = {"rule": {"proxies": True}}


def test_a_named_ballot_is_shown_at_once_and_counted(votes: ResolutionScenario) -> None:
    path = votes.opened()
    cast = votes.vote(path, votes.ann, comment="At last")
    assert cast.status == 200
    assert cast.data == {
        "object": "ballot",
        "resolutionId": path.rpartition("/")[2],
        "userId": votes.ann.id,
        "castByUserId": votes.ann.id,
        "choice": "for",
        "weight": 1,
        "comment": "At last",
        "updatedAt": cast.data["updatedAt"],
    }
    assert votes.ballots(path, votes.ben) == [cast.data]
    assert votes.get(path)["tally"] == {
        "eligible": 3,
        "voted": 1,
        "for": 1,
        "against": 0,
        "abstain": 0,
        "quorumMet": False,
        "outcome": None,
    }


def test_a_ballot_may_be_changed_and_taken_back_until_closed(votes: ResolutionScenario) -> None:
    path = votes.opened()
    votes.vote(path, votes.ann, comment="Yes")
    assert votes.vote(path, votes.ann, "against").data["comment"] is None
    assert [ballot["choice"] for ballot in votes.ballots(path)] == ["against"]
    assert votes.take_back(path, votes.ann).data == {"deleted": True}
    assert votes.take_back(path, votes.ann).data == {"deleted": True}
    assert votes.ballots(path) == []


def test_hidden_ballots_are_shown_to_their_voters_until_the_resolution_is_closed(votes: ResolutionScenario) -> None:
    path = votes.opened(ballots="hidden")
    for voter in votes.voters:
        assert votes.vote(path, voter).data["choice"] == "for"
    assert [ballot["userId"] for ballot in votes.ballots(path, votes.ann)] == [votes.ann.id]
    assert votes.ballots(path) == []
    assert votes.get(path)["tally"] is None
    assert votes.close(path).data["tally"]["for"] == 3
    assert {ballot["choice"] for ballot in votes.ballots(path)} == {"for"}


def test_a_holder_sees_the_hidden_ballot_that_they_cast_for_its_giver(votes: ResolutionScenario) -> None:
    path = votes.opened(ballots="hidden", rule={"proxies": True})
    assert votes.give(path, votes.ben, votes.ann).status == 200
    assert votes.vote(path, votes.cem).status == 200
    assert votes.vote(path, votes.ann, "against", forUserId=votes.ben.id).status == 200
    assert [ballot["userId"] for ballot in votes.ballots(path, votes.ann)] == [votes.ben.id]
    assert [ballot["userId"] for ballot in votes.ballots(path, votes.ben)] == [votes.ben.id]


def test_nobody_uncovers_a_voter_of_a_secret_vote_by_leaving_others_out(votes: ResolutionScenario) -> None:
    two = votes.drafted(ballots="secret", voters=[{"userId": voter.id} for voter in (votes.ann, votes.ben)])
    assert set(votes.open(two).fields) == {"voters"}
    path = votes.opened(ballots="secret")
    assert votes.recuse(path, votes.cem, votes.manager).status == 200
    assert votes.manager.client.delete(f"{path}/recusals/{votes.cem.id}").status == 200
    votes.vote(path, votes.ann)
    assert reason(votes.recuse(path, votes.cem, votes.manager)) == (409, "BALLOTS_CAST")
    assert reason(votes.close(path)) == (409, "VOTES_OPEN")
    assert votes.recuse(path, votes.cem).status == 200
    votes.vote(path, votes.ben)
    closed = votes.close(path)
    hidden = dict.fromkeys(("for", "against", "abstain", "quorumMet", "outcome"))
    assert (closed.data["status"], closed.data["tally"]) == ("lapsed", {"eligible": 2, "voted": 2, **hidden})
    certificate = votes.manager.client.get(f"{path}/certificate").data
    assert (certificate["ballots"], certificate["tally"]) == ([], closed.data["tally"])
    assert [event.details["outcome"] for event in stored_events(votes.board, "resolution.closed")] == ["lapsed"]


def test_a_secret_ballot_is_cast_once_and_only_its_answer_says_what_was_chosen(votes: ResolutionScenario) -> None:
    path = votes.opened(ballots="secret")
    assert set(votes.vote(path, votes.ann, comment="Yes").fields) == {"comment"}
    assert votes.vote(path, votes.ann, "against").data["choice"] == "against"
    assert reason(votes.vote(path, votes.ann)) == (409, "ALREADY_VOTED")
    assert reason(votes.take_back(path, votes.ann)) == (409, "ALREADY_VOTED")
    assert reason(votes.recuse(path, votes.ann)) == (409, "ALREADY_VOTED")
    (shown,) = votes.ballots(path, votes.ann)
    assert (shown["userId"], shown["choice"], shown["updatedAt"]) == (votes.ann.id, None, None)
    assert votes.get(path)["tally"] is None
    votes.vote(path, votes.ben)
    votes.vote(path, votes.cem)
    closed = votes.close(path).data
    assert (closed["status"], closed["tally"]["for"], closed["tally"]["against"]) == ("carried", 2, 1)
    assert [ballot["choice"] for ballot in votes.ballots(path)] == [None] * 3


def test_a_proxy_that_is_taken_back_or_given_to_another_takes_its_ballot_along(votes: ResolutionScenario) -> None:
    path = votes.opened(**PROXIES)
    votes.give(path, votes.ann, votes.ben)
    votes.vote(path, votes.ben, forUserId=votes.ann.id)
    assert votes.give(path, votes.ann, votes.cem).status == 200
    assert votes.ballots(path) == []
    votes.vote(path, votes.cem, forUserId=votes.ann.id)
    assert votes.ann.client.delete(f"{path}/proxy").data["tally"]["voted"] == 0
    assert votes.ballots(path) == []
    assert votes.vote(path, votes.cem, forUserId=votes.ann.id).failure == (403, "FORBIDDEN")
    before = votes.get(path)
    assert votes.ann.client.delete(f"{path}/proxy").data == before


def test_a_recused_voter_counts_no_longer_and_holds_no_proxy(votes: ResolutionScenario) -> None:
    path = votes.opened(**PROXIES)
    votes.vote(path, votes.ben)
    votes.give(path, votes.ann, votes.ben)
    votes.vote(path, votes.ben, forUserId=votes.ann.id)
    recused = votes.recuse(path, votes.ben)
    assert (recused.status, recused.data) == (200, votes.get(path))
    assert [ballot["userId"] for ballot in votes.ballots(path)] == [votes.ann.id]
    assert votes.voter(path, votes.ann)["proxyUserId"] is None
    assert votes.voter(path, votes.ben)["recused"]["byUserId"] == votes.ben.id
    assert recused.data["tally"]["eligible"] == 2
    assert reason(votes.vote(path, votes.ben)) == (409, "RECUSED")


def test_who_leaves_without_a_ballot_is_recused_by_it_even_back_again(votes: ResolutionScenario) -> None:
    path = votes.opened(**PROXIES)
    votes.vote(path, votes.ben)
    votes.give(path, votes.cem, votes.ben)
    leave(votes.board, votes.ann)
    leave(votes.board, votes.ben)
    left = votes.voter(path, votes.ann)["recused"]
    assert (left["reason"], left["byUserId"]) == ("left", None)
    assert votes.voter(path, votes.ben)["recused"] is None
    assert votes.voter(path, votes.cem)["proxyUserId"] is None
    assert votes.vote(path, votes.ann).failure == (403, "FORBIDDEN")
    votes.board.join(votes.ann)
    votes.board.join(votes.ben)
    assert reason(votes.vote(path, votes.ann)) == (409, "RECUSED")
    assert reason(votes.manager.client.delete(f"{path}/recusals/{votes.ann.id}")) == (409, "RECUSED")
    assert reason(votes.give(path, votes.cem, votes.ben)) == (409, "RECUSED")
    assert votes.get(path)["tally"]["eligible"] == 2
    votes.vote(path, votes.cem)
    closed = votes.close(path).data
    assert [voter["recused"] is not None for voter in closed["voters"]] == [
        voter["userId"] == votes.ann.id for voter in closed["voters"]
    ]
