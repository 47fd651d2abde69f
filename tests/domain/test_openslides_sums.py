"""What OpenSlides' tests of polls expect of sums, as facts for our count.

They are of openslides-backend (MIT, commit 755f68b3), `tests/system/action/poll`: `test_vote.py` and `test_stop.py`. A
poll of one option with the method YNA is a resolution; each of several options is one. Its weights are decimals: ours
are whole, so theirs stand here tenfold.
"""

from __future__ import annotations

import pytest

from governance.domain.resolutions.count import count
from governance.models.resolutions.rule import Rule
from tests.domain.ballots import voters_and_choices

SUMS = {
    "test_vote_correct_pollmethod_Y": [("for 1, for 2", (3, 0, 0))],
    "test_default_vote_weight": [("for 3", (3, 0, 0))],
    "test_vote_weight_not_enabled": [("for 1", (1, 0, 0))],
    "test_vote_correct_pollmethod_YN": [("for 1", (1, 0, 0)), ("against 1", (0, 1, 0))],
    "test_vote_global": [("against 1, absent 1", (0, 1, 0))],
    "VotePollNamedYNA.test_vote": [("for 1", (1, 0, 0)), ("against 1", (0, 1, 0)), ("abstain 1", (0, 0, 1))],
    "VotePollNamedYNA.test_vote_with_voteweight": [
        ("for 42", (42, 0, 0)),
        ("against 42", (0, 42, 0)),
        ("abstain 42", (0, 0, 42)),
    ],
    "test_stop_correct, where one votes for another and a third stays away": [
        ("for 26, absent 36, against 46", (26, 46, 0))
    ],
}


@pytest.mark.parametrize("name", SUMS)
def test_ballots_have_the_sums_that_openslides_makes_of_them(name: str) -> None:
    for votes, sums in SUMS[name]:
        tally = count(Rule(), *voters_and_choices(votes))
        assert (tally.for_, tally.against, tally.abstain) == sums
        assert tally.voted == sum(sums)
