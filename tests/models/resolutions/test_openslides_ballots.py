"""The cases of OpenSlides' test of votes, as facts for our ballots.

They are of openslides-vote-service (MIT, commit 05555379), `vote/vote_validate_test.go`: each of its 33 names stands
here once, with the options of the poll, the vote, and whether it is valid. A vote of `Y`, `N` or `A` on the poll, or on
one of its options, is one of our choices. Where ours is valid and theirs is not, or the reverse, the rule is named.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from pydantic import ValidationError

from governance.models.resolutions.ballot import BallotBody

ALWAYS = "Every ballot may be for, against or an abstention; no resolution excludes one of them."
AMOUNT = "A ballot is one choice; its weight is the voter's, and nobody divides it among options."
OPTIONS = "A resolution is one question; each option of a poll is a resolution of its own."
CHOICES = {"Y": "for", "N": "against", "A": "abstain"}


class Case(NamedTuple):
    """A vote on a poll with these options; `differs` says why ours is the opposite."""

    options: int
    vote: str
    valid: bool
    differs: str | None = None


CASES = {
    "Method Y, Global Y, Vote Y": Case(0, '"Y"', True),
    "Method Y, Vote Y": Case(0, '"Y"', False, ALWAYS),
    "Method Y, Vote N": Case(0, '"N"', False, ALWAYS),
    "Method Y, Global N, Vote N": Case(0, '"N"', True),
    "Method N, Global N, Vote N": Case(0, '"N"', True),
    "Method Y, Vote Option": Case(2, '{"1":1}', True, AMOUNT),
    "Method Y, Vote on to many Options": Case(2, '{"1":1,"2":1}', False),
    "Method Y, Vote on one option with to high amount": Case(2, '{"1":5}', False),
    "Method Y, Vote on many option with to high amount": Case(2, '{"1":1,"2":2}', False),
    "Method Y, Vote on one option with correct amount": Case(2, '{"1":5}', True, AMOUNT),
    "Method Y, Vote on one option with to less amount": Case(2, '{"1":5}', False),
    "Method Y, Vote on many options with to less amount": Case(2, '{"1":1,"2":1}', False),
    "Method Y, Vote on one option with -1 amount": Case(2, '{"1":-1}', False),
    "Method Y, Vote wrong option": Case(2, '{"5":1}', False),
    "Method Y and maxVotesPerOption>1, Correct vote": Case(4, '{"1":2,"2":0,"3":3,"4":1}', True, AMOUNT),
    "Method Y and maxVotesPerOption>1, Too many votes on one option": Case(2, '{"1":3,"2":1}', False),
    "Method Y and maxVotesPerOption>1, Too many votes in total": Case(2, '{"1":2,"2":2}', False),
    "Method YN, Global Y, Vote Y": Case(0, '"Y"', True),
    "Method YN, Not Global Y, Vote Y": Case(0, '"Y"', False, ALWAYS),
    "Method YNA, Global N, Vote N": Case(0, '"N"', True),
    "Method YNA, Not Global N, Vote N": Case(0, '"N"', False, ALWAYS),
    "Method YNA, Y on Option": Case(2, '{"1":"Y"}', True),
    "Method YNA, N on Option": Case(2, '{"1":"N"}', True),
    "Method YNA, A on Option": Case(2, '{"1":"A"}', True),
    "Method YN, A on Option": Case(2, '{"1":"A"}', False, ALWAYS),
    "Method YN, Y on wrong Option": Case(2, '{"3":"Y"}', False),
    "Method YNA, Vote on many Options": Case(3, '{"1":"Y","2":"N","3":"A"}', True, OPTIONS),
    "Method YNA, Amount on Option": Case(3, '{"1":1}', False),
    "Method YNA with to low selected": Case(3, '{"1":"Y"}', False, OPTIONS),
    "Method YNA with enough selected": Case(3, '{"1":"Y","2":"N"}', True, OPTIONS),
    "Method YNA with to many selected": Case(3, '{"1":"Y","2":"N","3":"A"}', False),
    "Method YNA with not to many selected": Case(3, '{"1":"Y","2":"N"}', True, OPTIONS),
    "Method Unknown": Case(0, '"Y"', False, ALWAYS),
}


def chosen(case: Case) -> Any:
    """Returns the choice that a vote is, or the vote itself; one on an option that the poll lacks is on nothing."""
    vote = json.loads(case.vote)
    if isinstance(vote, dict) and len(vote) == 1:
        ((option, value),) = vote.items()
        vote = value if int(option) <= case.options else None
    return CHOICES.get(vote, vote) if isinstance(vote, str) else vote


@pytest.mark.parametrize("name", CASES)
def test_a_ballot_is_valid_as_openslides_says_unless_a_rule_differs(name: str) -> None:
    case = CASES[name]
    try:
        BallotBody.model_validate({"choice": chosen(case)})
    except ValidationError:
        is_valid = False
    else:
        is_valid = True
    assert is_valid is (case.valid if case.differs is None else not case.valid)


def test_every_case_of_theirs_is_judged() -> None:
    assert len(CASES) == 33
