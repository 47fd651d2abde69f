"""What OpenSlides' tests of polls expect of requests, as facts for our ballots.

They are of openslides-backend (MIT, commit 755f68b3), `tests/system/action/poll/test_vote.py` and `test_stop.py`: each
vote is accepted or refused there, and here, or the rule that differs is named. The sums that it expects are in
`tests/domain/resolutions/test_open_board_tallies.py`.
"""

from __future__ import annotations

from tests.harness.board_scenario import person
from tests.harness.client import Client
from tests.harness.meeting_scenario import from_now
from tests.harness.resolution_scenario import ResolutionScenario, reason


def test_vote(votes: ResolutionScenario) -> None:
    path = votes.opened()
    assert votes.vote(path, votes.ann, "for").status == 200
    assert votes.vote(path, votes.ben, "against").status == 200
    assert votes.vote(path, votes.cem, "abstain").status == 200


def test_double_vote_and_change_vote(votes: ResolutionScenario) -> None:
    """They refuse a second vote. So do we if votes are secret; others may be changed until the close."""
    secret, named = votes.opened(ballots="secret"), votes.opened()
    for path in (secret, named):
        assert votes.vote(path, votes.ann, "against").status == 200
    assert reason(votes.vote(secret, votes.ann, "against")) == (409, "ALREADY_VOTED")
    assert votes.vote(named, votes.ann, "for").data["choice"] == "for"
    assert len(votes.ballots(named)) == 1


def test_check_user_in_entitled_group(votes: ResolutionScenario) -> None:
    assert votes.vote(votes.opened(), votes.manager).status == 403


def test_check_user_present_in_meeting(votes: ResolutionScenario) -> None:
    """They refuse the vote of somebody who is not present. Our voters are those that the resolution names."""
    assert votes.vote(votes.opened(), votes.ann).status == 200


def test_anonymous(votes: ResolutionScenario) -> None:
    path = votes.opened()
    assert Client("").put(f"{path}/ballot", {"choice": "for"}).status == 401
    assert person("stranger").client.put(f"{path}/ballot", {"choice": "for"}).status == 403


def test_wrong_state_and_vote_not_started_in_service(votes: ResolutionScenario) -> None:
    draft, open_ = votes.drafted(), votes.opened()
    assert reason(votes.vote(draft, votes.manager)) in {(403, "FORBIDDEN"), (409, "RESOLUTION_CLOSED")}
    for voter in votes.voters:
        assert votes.vote(open_, voter).status == 200
    assert votes.close(open_).status == 200
    assert reason(votes.vote(open_, votes.ann)) == (409, "RESOLUTION_CLOSED")


def test_stop_published_and_stop_created(votes: ResolutionScenario) -> None:
    assert reason(votes.close(votes.drafted())) == (409, "RESOLUTION_CLOSED")
    path = votes.opened()
    assert votes.withdraw(path).status == 200
    assert reason(votes.close(path)) == (409, "RESOLUTION_CLOSED")


def test_stop_no_permissions(votes: ResolutionScenario) -> None:
    assert votes.close(votes.opened(), votes.ann).status == 403


def test_check_str_validation_and_missing_data(votes: ResolutionScenario) -> None:
    path = votes.opened()
    assert votes.vote(path, votes.ann, "X").status == 400
    assert votes.ann.client.put(f"{path}/ballot", {}).status == 400
    assert votes.ann.client.put(f"{path}/ballot", {"choice": {"1": "Y"}}).status == 400


def test_stop_correct_where_one_votes_for_another(votes: ResolutionScenario) -> None:
    """Theirs are decimals (2.6, 3.6 and 4.6): ours are whole numbers, tenfold."""
    weights = zip(votes.voters, (26, 36, 46), strict=True)
    path = votes.opened(
        voters=[{"userId": voter.id, "weight": weight} for voter, weight in weights],
        rule={"proxies": True},
        closesAt=from_now(days=1),
    )
    assert votes.give(path, votes.cem, votes.ann).status == 200
    assert votes.vote(path, votes.ann, "for").status == 200
    assert votes.vote(path, votes.ann, "against", forUserId=votes.cem.id).status == 200
    tally = votes.get(path)["tally"]
    assert (tally["voted"], tally["for"], tally["against"]) == (72, 26, 46)
    assert votes.voter(path, votes.cem)["proxyUserId"] == votes.ann.id
