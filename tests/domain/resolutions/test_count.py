"""The count of a resolution at its boundaries.

All combinations of small weights are judged by `test_vote_histories.py` and `test_open_board_tallies.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from governance.domain.resolutions.count import count, count_secret
from governance.ids import UserId
from governance.models.resolutions.ballot import Choice
from governance.models.resolutions.resolution import DecidedStatus, Voter
from governance.models.resolutions.rule import Rule
from tests.domain.resolutions.ballots import CAST, LEFT, RULES, VOTERS, voter, voters_and_choices
from tests.domain.resolutions.count_cases import CASES


def outcome(votes: str, **rule: Any) -> DecidedStatus | None:
    voters, choices = voters_and_choices(votes)
    return count(Rule(**rule), voters, choices).outcome


@pytest.mark.parametrize(
    ("majority", "base", "votes", "expected"),
    [
        ("simple", "cast", "for 51, against 50", "carried"),
        ("simple", "cast", "for 50, against 50", "rejected"),
        ("two_thirds", "cast", "for 199, against 100", "rejected"),
        ("two_thirds", "eligible", "for 665, absent 333", "rejected"),
        ("two_thirds", "eligible", "for 666, absent 333", "carried"),
        ("three_quarters", "cast", "for 299, against 100", "rejected"),
        ("three_quarters", "eligible", "for 75, absent 25", "carried"),
        ("unanimous", "cast", "for 999, against 1", "rejected"),
    ],
)
def test_a_majority_is_reached_exactly_at_its_share(majority: str, base: str, votes: str, expected: str) -> None:
    assert outcome(votes, majority=majority, base=base) == expected


@pytest.mark.parametrize(
    ("percent", "votes", "expected"),
    [
        (50, "for 1, absent 1", "carried"),
        (51, "for 1, absent 1", "lapsed"),
        (33, "for 1, absent 2", "carried"),
        (34, "for 1, absent 2", "lapsed"),
        (100, "for 999, absent 1", "lapsed"),
        (0, "for 1, absent 999", "carried"),
        (0, "absent 1", "lapsed"),
        (0, "", "lapsed"),
        (100, "recused-for 5", "lapsed"),
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
        ("for 1, against 1, recused-for 1", "v2", "rejected"),
    ],
)
def test_a_casting_vote_decides_a_tie(votes: str, casting: str, expected: str) -> None:
    assert outcome(votes, casting_vote_user_id=casting) == expected


def test_a_tally_has_the_weights_of_who_counts() -> None:
    voters, choices = voters_and_choices("for 3, against 2, abstain 4, absent 5, recused-for 100")
    tally = count(Rule(), voters, {**choices, UserId("stranger"): "for"})
    assert (tally.eligible, tally.voted, tally.for_, tally.against, tally.abstain) == (14, 9, 3, 2, 4)
    assert tally.quorum_met
    assert not count(Rule(), voters, {}).quorum_met
    assert not count(Rule(quorum_percent=0), voters, {}).quorum_met


@given(RULES, VOTERS, CAST)
def test_a_secret_count_is_the_count_without_names(rule: Rule, voters: list[Voter], cast: dict[UserId, Choice]) -> None:
    alike = [voter(v.user_id, 1, v.recused) for v in voters]
    plain = rule.model_copy(update={"casting_vote_user_id": None})
    counting = {v.user_id: cast[v.user_id] for v in alike if not v.recused and v.user_id in cast}
    tally = count_secret(plain, alike, sorted(counting.values()))
    if len(counting) < 3:
        assert (tally.voted, tally.for_, tally.outcome) == (len(counting), None, None)
    else:
        assert tally == count(plain, alike, counting)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_the_count_decides_as_the_table_of_cases_says(case: dict[str, Any]) -> None:
    voters = [voter(one["userId"], one["weight"], LEFT if one["recused"] else None) for one in case["votes"]]
    choices = {UserId(one["userId"]): one["choice"] for one in case["votes"] if one["choice"]}
    assert count(Rule.model_validate(case["rule"]), voters, choices).outcome == case["outcome"]
