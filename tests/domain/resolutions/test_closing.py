"""The rules of closing a resolution: when a manager may, what its result is, and which ballots a reader sees."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from governance.domain.resolutions import closing as closing_rules
from governance.domain.resolutions.count import count
from governance.domain.resolutions.visibility import Reader
from governance.errors import ApiError
from governance.ids import UserId
from governance.models.resolutions.ballot import CertifiedBallot, Choice, StoredVoter
from governance.models.resolutions.resolution import DraftVoter, Tally, Voter, Withdrawal
from governance.models.resolutions.rule import Rule
from governance.scopes import Tier
from tests.domain.resolutions.ballots import (
    CAST,
    LEFT,
    RULES,
    VOTERS,
    cast_by,
    possible_outcomes,
    resolution,
    stored_voter,
)
from tests.domain.samples import NOW, THEN, changed, conflict, meeting, refusal

A, B, C = (UserId(name) for name in "abc")
TALLY = Tally(eligible=2, voted=2, for_=1, against=1, abstain=0, quorum_met=True, outcome="rejected")


def as_stored(voters: list[Voter], cast: dict[UserId, Choice]) -> list[StoredVoter]:
    """Voters with their ballots, as they are stored: the recused have none."""
    ballots = {id_: cast_by(id_, choice) for id_, choice in cast.items()}
    return [
        stored_voter(**vars(voter), ballot=None if voter.recused else ballots.get(voter.user_id)) for voter in voters
    ]


@given(RULES, VOTERS, CAST)
def test_the_tally_is_the_count_of_the_ballots_that_are_stored(
    rule: Rule, voters: list[Voter], cast: dict[UserId, Choice]
) -> None:
    of = resolution(rule=rule)
    assert closing_rules.tally_of(of, as_stored(voters, cast), None) == count(rule, voters, cast)


def test_the_tally_of_secret_ballots_is_that_of_the_choices_without_names() -> None:
    voters = [stored_voter(name, ballot=cast_by(name, None)) for name in "abc"]
    tally = closing_rules.tally_of(resolution(ballots="secret"), voters, ["for", "against", "for"])
    assert (tally.for_, tally.against, tally.voted, tally.outcome) == (2, 1, 3, "carried")
    assert closing_rules.tally_of(resolution(ballots="secret"), voters, []).voted == 0


def is_closable(*arguments: Any) -> bool:
    try:
        closing_rules.check_closable(*arguments)
    except ApiError:
        return False
    return True


@given(RULES, VOTERS, CAST)
def test_a_named_vote_closes_exactly_when_nothing_that_the_others_may_do_changes_its_outcome(
    rule: Rule, voters: list[Voter], cast: dict[UserId, Choice]
) -> None:
    is_settled = len(set(possible_outcomes(rule, voters, cast))) == 1
    assert is_closable(resolution(rule=rule), as_stored(voters, cast), None) == is_settled


@given(RULES, VOTERS, CAST)
def test_a_hidden_or_secret_vote_closes_exactly_when_all_who_count_have_voted(
    rule: Rule, voters: list[Voter], cast: dict[UserId, Choice]
) -> None:
    have_all_voted = all(voter.user_id in cast for voter in voters if not voter.recused)
    for ballots in ("hidden", "secret"):
        of = resolution(rule=rule, ballots=ballots)
        assert is_closable(of, as_stored(voters, cast), None) == have_all_voted


@pytest.mark.parametrize("ballots", ["named", "hidden"])
def test_a_vote_in_a_meeting_closes_at_any_time_while_it_is_in_progress(ballots: str) -> None:
    of, voters = resolution(ballots=ballots), [stored_voter("a"), stored_voter("b")]
    closing_rules.check_closable(of, voters, meeting(status="in_progress"))
    for status in ("draft", "scheduled", "completed", "finalized"):
        assert refusal(closing_rules.check_closable, of, voters, meeting(status=status)) == conflict("VOTES_OPEN")


def test_a_secret_vote_in_a_meeting_closes_when_all_have_voted_too() -> None:
    of, running = resolution(ballots="secret"), meeting(status="in_progress")
    cast = [stored_voter(name, ballot=cast_by(UserId(name), None)) for name in "abc"]
    closing_rules.check_closable(of, cast, running)
    assert refusal(closing_rules.check_closable, of, [*cast, stored_voter("d")], running) == conflict("VOTES_OPEN")


@pytest.mark.parametrize("choices", [[], ["for"], ["for", "for"]])
def test_fewer_than_three_secret_ballots_have_no_sums_and_no_result_but_that_it_lapsed(choices: list[Choice]) -> None:
    of = resolution(ballots="secret", rule=Rule(quorum_percent=0))
    tally = closing_rules.tally_of(of, [stored_voter(name) for name in "abc"], choices)
    assert tally.item() == {"eligible": 3, "voted": len(choices)} | dict.fromkeys(
        ("for", "against", "abstain", "quorumMet", "outcome")
    )
    assert closing_rules.closed(of, tally, THEN, NOW).status == "lapsed"
    assert closing_rules.certified_choices(tally, choices) == []


def test_a_closed_resolution_has_its_result_and_the_instant_of_its_end() -> None:
    old = resolution(version=4)
    new = closing_rules.closed(old, TALLY, THEN, NOW)
    assert changed(old, new) == {
        "status": "rejected",
        "tally": TALLY,
        "closed_at": THEN,
        "updated_at": NOW,
        "version": 5,
    }


def test_a_withdrawn_resolution_says_why_and_by_whom_and_has_no_result() -> None:
    old = resolution(version=4)
    new = closing_rules.withdrawn(old, "Too early", A, NOW)
    withdrawal = Withdrawal(reason="Too early", by_user_id=A, at=NOW)
    assert changed(old, new) == {"status": "withdrawn", "withdrawn": withdrawal, "updated_at": NOW, "version": 5}


def test_a_superseded_resolution_names_its_successor_and_stays_carried() -> None:
    old = resolution(status="carried", version=4)
    assert changed(old, closing_rules.superseded(old, "s", NOW)) == {
        "superseded_by_id": "s",
        "updated_at": NOW,
        "version": 5,
    }


def test_readers_see_voters_without_their_ballots() -> None:
    stored = resolution(version=4, tally=TALLY)
    shown = closing_rules.shown(stored, "Text", [stored_voter("a", weight=2, ballot=cast_by("a"), recused=LEFT)])
    assert shown.voters == (Voter(user_id=A, weight=2, recused=LEFT),)
    assert (shown.text, shown.title, shown.number, shown.tally) == ("Text", stored.title, stored.number, TALLY)
    assert "version" not in shown.to_json()
    assert closing_rules.shown(stored, "Text", [DraftVoter(user_id=B, weight=3)]).voters == (
        Voter(user_id=B, weight=3),
    )


VOTERS_OF = {
    B: stored_voter("b", ballot=cast_by("a", "against")),
    A: stored_voter("a", ballot=cast_by("a")),
    C: stored_voter("c"),
}


@pytest.mark.parametrize(
    ("ballots", "status", "reader", "seen"),
    [
        ("named", "open", None, "ab"),
        ("named", "withdrawn", None, "ab"),
        ("hidden", "open", None, ""),
        ("hidden", "open", C, ""),
        ("hidden", "open", B, "b"),
        ("hidden", "open", A, "ab"),  # who cast b's too, as the holder of their proxy
        ("hidden", "withdrawn", B, "b"),
        ("hidden", "carried", None, "ab"),
        ("hidden", "rejected", C, "ab"),
        ("hidden", "lapsed", C, "ab"),
        ("secret", "open", C, "ab"),
        ("secret", "carried", None, "ab"),
    ],
)
def test_ballots_are_seen_by_voter_and_hidden_ones_by_theirs_alone_before_a_result(
    ballots: str, status: str, reader: UserId | None, seen: str
) -> None:
    ballots_seen = closing_rules.ballots(
        resolution(ballots=ballots, status=status), VOTERS_OF, Reader(reader, Tier.OWNER, ())
    )
    assert "".join(ballot.user_id for ballot in ballots_seen) == seen


def test_a_ballot_names_its_voter_who_cast_it_and_its_weight() -> None:
    voter = stored_voter("b", weight=3, ballot=cast_by("a", "against", "Why"))
    ballot = closing_rules.ballot_of(resolution(), voter)
    assert (ballot.resolution_id, ballot.user_id, ballot.cast_by_user_id) == ("r", B, A)
    assert (ballot.choice, ballot.weight, ballot.comment, ballot.updated_at) == ("against", 3, "Why", THEN)
    with pytest.raises(ValueError, match="no ballot"):
        closing_rules.ballot_of(resolution(), stored_voter("b"))


def test_what_was_chosen_in_secret_is_in_the_answer_to_who_casts_it_alone() -> None:
    voter = stored_voter("a", ballot=cast_by("a", None))
    assert closing_rules.ballot_of(resolution(), voter, "against").choice == "against"
    assert closing_rules.ballot_of(resolution(), voter).choice is None


def test_a_certificate_names_the_ballots_that_have_a_choice() -> None:
    voters = [*VOTERS_OF.values(), stored_voter("d", ballot=cast_by("d", None), weight=9)]
    assert closing_rules.certified(voters) == [
        CertifiedBallot(user_id=B, cast_by_user_id=A, choice="against", weight=1),
        CertifiedBallot(user_id=A, cast_by_user_id=A, choice="for", weight=1),
    ]
    assert closing_rules.certified([stored_voter("a", weight=4, ballot=cast_by("a"))])[0].weight == 4
