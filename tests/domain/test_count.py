"""The count of a resolution: what carries it, at every boundary, and when the outcome cannot change any more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from governance.domain.resolutions.count import count, count_secret, is_settled
from governance.ids import UserId
from governance.models.resolutions.ballot import Choice
from governance.models.resolutions.resolution import DecidedStatus, Voter
from governance.models.resolutions.rule import Rule
from tests.domain.ballots import CAST, RULES, VOTERS, possible_outcomes, voter, voters_and_choices


def outcome(votes: str, **rule: Any) -> DecidedStatus | None:
    voters, choices = voters_and_choices(votes)
    return count(Rule(**rule), voters, choices).outcome


@pytest.mark.parametrize(
    ("majority", "base", "votes", "expected"),
    [
        ("simple", "cast", "for 1", "carried"),
        ("simple", "cast", "for 51, against 50", "carried"),
        ("simple", "cast", "for 50, against 50", "rejected"),
        ("simple", "cast", "for 1, abstain 9", "carried"),
        ("simple", "cast", "abstain 3", "rejected"),
        ("simple", "cast", "for 1, absent 1", "carried"),
        ("simple", "eligible", "for 2, absent 1, abstain 1", "rejected"),
        ("simple", "eligible", "for 3, absent 1, abstain 1", "carried"),
        ("two_thirds", "cast", "for 2, against 1", "carried"),
        ("two_thirds", "cast", "for 199, against 100", "rejected"),
        ("two_thirds", "cast", "for 2, against 1, abstain 7", "carried"),
        ("two_thirds", "eligible", "for 2, abstain 1", "carried"),
        ("two_thirds", "eligible", "for 665, absent 333", "rejected"),
        ("two_thirds", "eligible", "for 666, absent 333", "carried"),
        ("three_quarters", "cast", "for 3, against 1", "carried"),
        ("three_quarters", "cast", "for 299, against 100", "rejected"),
        ("three_quarters", "eligible", "for 75, absent 25", "carried"),
        ("three_quarters", "eligible", "for 74, absent 25, abstain 1", "rejected"),
        ("unanimous", "cast", "for 1, abstain 4", "carried"),
        ("unanimous", "cast", "for 999, against 1", "rejected"),
        ("unanimous", "cast", "abstain 1", "rejected"),
        ("unanimous", "eligible", "for 5", "carried"),
        ("unanimous", "eligible", "for 5, abstain 1", "rejected"),
        ("unanimous", "eligible", "for 5, absent 1", "rejected"),
        ("two_thirds", "cast", "abstain 1", "rejected"),
        ("three_quarters", "cast", "abstain 1", "rejected"),
    ],
)
def test_a_majority_is_reached_exactly_at_its_share(majority: str, base: str, votes: str, expected: str) -> None:
    assert outcome(votes, majority=majority, base=base) == expected


@pytest.mark.parametrize(
    ("percent", "votes", "expected"),
    [
        (50, "for 1, absent 1", "carried"),
        (50, "for 1, absent 2", "lapsed"),
        (51, "for 1, absent 1", "lapsed"),
        (33, "for 1, absent 2", "carried"),
        (34, "for 1, absent 2", "lapsed"),
        (50, "abstain 1, for 1, absent 2", "carried"),
        (50, "against 2, absent 2", "rejected"),
        (100, "for 999, absent 1", "lapsed"),
        (100, "for 999, abstain 1", "carried"),
        (0, "for 1, absent 999", "carried"),
        (0, "absent 1", "lapsed"),
        (0, "", "lapsed"),
        (100, "recused-for 5", "lapsed"),
        (100, "for 1, recused 9", "carried"),
        (50, "for 1, recused-against 9", "carried"),
    ],
)
def test_without_its_quorum_it_lapses(percent: int, votes: str, expected: str) -> None:
    assert outcome(votes, quorum_percent=percent) == expected


@pytest.mark.parametrize(
    ("votes", "casting", "expected"),
    [
        ("for 1, against 1", "v0", "carried"),
        ("for 1, against 1", "v1", "rejected"),
        ("for 1, against 1, abstain 1", "v2", "rejected"),
        ("for 1, against 1, absent 1", "v2", "rejected"),
        ("for 1, against 1, recused-for 1", "v2", "rejected"),
        ("for 2, against 1", "v1", "carried"),
        ("for 1, against 2", "v0", "rejected"),
        ("abstain 1", "v0", "rejected"),
    ],
)
def test_a_casting_vote_decides_a_tie(votes: str, casting: str, expected: str) -> None:
    assert outcome(votes, casting_vote_user_id=casting) == expected


@pytest.mark.parametrize("rule", [{"base": "eligible"}, {"majority": "two_thirds"}, {"majority": "unanimous"}])
def test_a_casting_vote_decides_nothing_but_a_simple_majority_of_the_votes_cast(rule: dict[str, str]) -> None:
    assert outcome("for 1, against 1", casting_vote_user_id="v0", **rule) == "rejected"


def test_a_tally_has_the_weights_of_who_counts() -> None:
    voters, choices = voters_and_choices("for 3, against 2, abstain 4, absent 5, recused-for 100")
    tally = count(Rule(), voters, {**choices, UserId("stranger"): "for"})
    assert (tally.eligible, tally.voted, tally.for_, tally.against, tally.abstain) == (14, 9, 3, 2, 4)
    assert tally.quorum_met
    assert not count(Rule(), voters, {}).quorum_met
    assert not count(Rule(quorum_percent=0), voters, {}).quorum_met


@given(RULES, VOTERS, CAST)
def test_a_secret_count_is_the_count_without_names(rule: Rule, voters: list[Voter], cast: dict[UserId, Choice]) -> None:
    alike = [voter(each.user_id, 1, each.recused) for each in voters]
    plain = rule.model_copy(update={"casting_vote_user_id": None})
    counting = {each.user_id: cast[each.user_id] for each in alike if not each.recused and each.user_id in cast}
    assert count_secret(plain, alike, sorted(counting.values())) == count(plain, alike, counting)


@given(RULES, VOTERS, CAST)
def test_an_outcome_is_settled_if_nothing_that_the_others_may_do_changes_it(
    rule: Rule, voters: list[Voter], cast: dict[UserId, Choice]
) -> None:
    assert is_settled(rule, voters, cast) == (len(set(possible_outcomes(rule, voters, cast))) == 1)


@pytest.mark.parametrize(
    ("votes", "rule", "expected"),
    [
        ("for 5, absent 4", {"quorum_percent": 50}, True),
        ("for 5, absent 5", {"quorum_percent": 50}, False),
        ("for 5, absent 4", {"quorum_percent": 56}, False),
        ("for 6, against 1, absent 4", {"base": "eligible"}, True),
        ("against 1, absent 9", {"majority": "unanimous", "quorum_percent": 10}, True),
        ("against 1, absent 9", {"majority": "unanimous", "quorum_percent": 11}, False),
        ("for 1, against 1", {}, True),
        ("absent 1", {"quorum_percent": 0}, False),
        ("for 2, against 1, absent 1", {"casting_vote_user_id": "v0"}, True),
        ("for 2, against 1, absent 1", {"casting_vote_user_id": "v1"}, False),
        ("for 2, against 1, absent 1", {}, False),
    ],
)
def test_an_outcome_is_settled_when_the_others_are_too_few(votes: str, rule: dict[str, Any], expected: bool) -> None:
    voters, choices = voters_and_choices(votes)
    assert is_settled(Rule(**rule), voters, choices) is expected
