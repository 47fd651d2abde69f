"""The cases of Open-Board's tests of its tally (`voteTally.test.ts`, MIT, commit 1b38dbf2), as facts for our count.

Each of its 49 names stands here once: with what it counts and expects, or with the rule of ours that differs. Its
quorum is a weight that ballots must reach; ours is a percentage of the weights of those who may vote. Its `rejected`
without a quorum is our `lapsed`.

What OpenSlides' tests of polls expect of sums stands below (openslides-backend, MIT, commit 755f68b3,
`tests/system/action/poll`: `test_vote.py` and `test_stop.py`). A poll of one option with the method YNA is a
resolution; each of several options is one. Its weights are decimals: ours are whole, so theirs stand here tenfold.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from governance.domain.resolutions.count import count
from governance.models.resolutions.resolution import Tally
from governance.models.resolutions.rule import Base, Majority, Rule
from tests.domain.resolutions.ballots import voter, voters_and_choices


class Vote(NamedTuple):
    """A vote of Open-Board: the rule, the sums of weights, and what it says of them."""

    expected: str
    total: int
    cast: int
    approvals: int
    abstain: int = 0
    majority: Majority = "simple"
    base: Base | None = None
    quorum: int = 0


class Ballots(NamedTuple):
    """Voters and ballots (`voters_and_choices`), and the sums that Open-Board makes of them."""

    votes: str
    total: int
    cast: int
    approvals: int
    abstain: int = 0


VOTES = {
    "rejects a resolution that passes on votes but misses quorum": [Vote("lapsed", 4, 2, 2, quorum=3)],
    "weighted quorum: heavy ballots meet quorum a head count would miss": [
        Vote("carried", 5, 4, 4, quorum=4),
        Vote("lapsed", 5, 2, 2, quorum=4),
    ],
    "an abstention counts toward quorum but not toward the outcome": [Vote("carried", 5, 3, 2, 1, quorum=3)],
    "abstentions drop out of the majority denominator": [Vote("carried", 5, 5, 2, 2)],
    "everyone abstaining approves nothing": [
        Vote("rejected", 3, 3, 0, 3),
        Vote("rejected", 3, 3, 0, 3, "unanimous", "cast"),
    ],
    "an abstention defeats default (written-consent) unanimity": [Vote("rejected", 3, 3, 2, 1, "unanimous")],
    "unanimity of votes cast (configured) lets an abstainer stand aside": [
        Vote("carried", 3, 3, 2, 1, "unanimous", "cast")
    ],
    "simple majority needs more than half of the votes cast": [
        Vote("carried", 5, 5, 3),
        Vote("rejected", 5, 5, 2),
        Vote("rejected", 4, 4, 2),
    ],
    "unanimous needs every eligible weight to approve": [
        Vote("carried", 4, 4, 4, majority="unanimous"),
        Vote("rejected", 4, 4, 3, majority="unanimous"),
    ],
    "two_thirds needs at least ceil(2/3) of the votes cast": [
        Vote("carried", 6, 6, 4, majority="two_thirds"),
        Vote("rejected", 6, 6, 3, majority="two_thirds"),
    ],
    "a heavy minority can outvote a light majority (the point of weights)": [
        Vote("rejected", 5, 5, 2),
        Vote("carried", 5, 5, 3),
    ],
    "an explicit rule.denominatorBasis overrides the rule-type default": [
        Vote("rejected", 5, 4, 2, 1, base="eligible"),
        Vote("rejected", 5, 4, 2, 1, "unanimous", "cast"),
        Vote("carried", 5, 4, 3, 1, "unanimous", "cast"),
    ],
    "denominator defaults: unanimous divides by eligible, fractional rules by votes cast excluding abstentions": [
        Vote("rejected", 5, 4, 3, 1, "unanimous"),
        Vote("carried", 5, 4, 2, 1),
    ],
    "requires at least `quorum` weight cast": [
        Vote("lapsed", 5, 2, 2, quorum=3),
        Vote("carried", 5, 3, 3, quorum=3),
        Vote("carried", 5, 4, 4, quorum=3),
    ],
    "a single heavy ballot can satisfy a quorum a head count would miss": [Vote("carried", 5, 3, 3, quorum=3)],
    "circulation votes measure quorum over ballots cast": [Vote("lapsed", 5, 2, 2, quorum=3)],
    "a meeting vote with NO attendance recorded falls back to cast (and says so)": [Vote("lapsed", 5, 2, 2, quorum=3)],
    "an explicit rule.quorumBasis overrides the vote-type default": [Vote("lapsed", 5, 2, 2, quorum=3)],
    "abstentions count toward the cast quorum basis (participation)": [Vote("carried", 5, 3, 2, 1, quorum=3)],
}
SUMS = {
    "aggregates counts and weights over cast ballots": Ballots("for 1, absent 2, against 3", 6, 4, 1),
    "an abstained ballot is cast (quorum/participation) but approves nothing": Ballots(
        "for 1, abstain 2, against 3", 6, 6, 1, 2
    ),
    "counts approved_with_comments as approval weight": Ballots("absent 1, for 2, absent 3", 6, 2, 2),
    "excludes recused members and their ballots entirely": Ballots("for 1, absent 2, recused-for 3", 3, 1, 1),
    "missing weights default to 1 (unweighted data reproduces head counts)": Ballots("for 1, against 1", 2, 2, 1),
    "a proxy-cast ballot counts as the principal at the principal's weight": Ballots("for 1, against 3", 4, 4, 1),
    "a superseded ballot (principal re-cast in person) still counts exactly once": Ballots("absent 1, for 3", 4, 3, 3),
    "a recused principal's proxy-cast ballot is excluded like any recused ballot": Ballots(
        "absent 1, recused-for 3", 1, 0, 0
    ),
}
ATTENDANCE = "The quorum is of the weights of those who may vote; attendance is the minutes' and decides nothing."
DEVIATIONS = {
    "is always met when no rule or no quorum is set": "Where nobody voted no quorum is met, even one of 0 percent.",
    "meeting votes measure quorum over attendance": ATTENDANCE,
    "meeting quorum attaches to attendance, not ballots: few ballots can carry a well-attended meeting": ATTENDANCE,
    "unanimity-of-cast on a meeting vote is reachable with a non-voter (item 3's unreachability fix)": ATTENDANCE,
    "sums the weight of present eligible members only": ATTENDANCE,
    "excludes recused members even when present": ATTENDANCE,
    "a present member's cast-ballot weight snapshot wins over the live membership weight": ATTENDANCE,
    "ignores attendance of people who are not eligible members": ATTENDANCE,
    "custom uses minApprovals (in weight units) when set": "A majority is a share; no rule is a number of approvals.",
    "a ballot's snapshotted weight wins over the live membership weight": (
        "Weights are fixed when the resolution opens, so a ballot has no other weight than its voter."
    ),
    "counts a lingering ballot from a removed member in cast totals but not eligible totals": (
        "Who voted and then left stays a voter: their weight counts among those who may vote, too."
    ),
}
HASHES = {
    "is reproducible for the same inputs (order-independent)",
    "recomputes identically from the same persisted closedAt",
    "changes if any vote record is tampered with",
    "changes if the status is tampered with",
    "changes if a ballot's weight is tampered with",
    "changes if a ballot's proxy attribution (castBy) is tampered with",
    "treats missing weight/castBy as 1/null (records without the columns hash stably)",
    "reproduces the pre-weights hash exactly",
    "ignores weight/castBy fields (they did not exist in v1)",
    "v2 and v1 never collide for the same vote (format is versioned)",
}
"""Cases of the hash of a certificate: `test_certificate.py` judges ours by them."""
SWEEP = "reproduces head-count outcomes for every rule/quorum/split up to 6 members"


SHARES: dict[Majority, tuple[int, int]] = {
    "simple": (1, 2),
    "two_thirds": (2, 3),
    "three_quarters": (3, 4),
    "unanimous": (1, 1),
}


def test_every_case_of_theirs_is_judged_once() -> None:
    names = [*VOTES, *SUMS, *DEVIATIONS, SWEEP, *HASHES]
    assert len(names) == len(set(names)) == 49


def percent_of(quorum: int, total: int) -> int:
    """Returns our quorum that ballots of integer weights meet exactly if theirs is met: for totals up to 100."""
    percent = 100 * quorum // total if total else 0
    assert all((100 * cast >= percent * total) == (cast >= quorum) for cast in range(total + 1))
    return percent


def counted(vote: Vote) -> Tally:
    against = vote.cast - vote.approvals - vote.abstain
    sums = {"for": vote.approvals, "against": against, "abstain": vote.abstain, "absent": vote.total - vote.cast}
    voters, choices = voters_and_choices(", ".join(f"{act} {weight}" for act, weight in sums.items() if weight))
    base: Base = vote.base or ("eligible" if vote.majority == "unanimous" else "cast")
    return count(
        Rule(majority=vote.majority, base=base, quorum_percent=percent_of(vote.quorum, vote.total)), voters, choices
    )


@pytest.mark.parametrize("name", VOTES)
def test_a_vote_has_the_outcome_that_open_board_gives_it(name: str) -> None:
    for vote in VOTES[name]:
        assert counted(vote).outcome == vote.expected


@pytest.mark.parametrize("name", SUMS)
def test_ballots_have_the_sums_that_open_board_makes_of_them(name: str) -> None:
    votes, *sums = SUMS[name]
    voters, choices = voters_and_choices(votes)
    tally = count(Rule(), voters, choices)
    assert [tally.eligible, tally.voted, tally.for_, tally.abstain] == sums


def test_every_split_of_six_members_has_the_outcome_that_open_board_gives_it() -> None:
    """Theirs in its own words: shares are rounded up to whole votes. A quorum above all voters is none of ours."""
    checked = 0
    for size in range(1, 7):
        splits = [(a, b, c) for a in range(size + 1) for b in range(size + 1 - a) for c in range(size + 1 - a - b)]
        for approvals, abstain, against in splits:
            cast = approvals + abstain + against
            for majority, (part, whole) in SHARES.items():
                divisor = size if majority == "unanimous" else cast - abstain
                needed = divisor // 2 + 1 if majority == "simple" else -(-divisor * part // whole)
                for quorum in {1, max(1, size - 1), size}:
                    approved = cast >= quorum and divisor > 0 and approvals >= needed
                    vote = Vote("", size, cast, approvals, abstain, majority, quorum=quorum)
                    assert (counted(vote).outcome == "carried") == approved, vote
                    checked += 1
    assert checked > 1000


def test_where_the_rules_differ_ours_is_as_it_says() -> None:
    assert not count(Rule(quorum_percent=0), [voter("a")], {}).quorum_met
    assert count(Rule(quorum_percent=50), *voters_and_choices("for 1, absent 2")).outcome == "lapsed"
    assert count(Rule(quorum_percent=0), *voters_and_choices("for 1, against 2")).eligible == 3


OPENSLIDES_SUMS = {
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


@pytest.mark.parametrize("name", OPENSLIDES_SUMS)
def test_ballots_have_the_sums_that_openslides_makes_of_them(name: str) -> None:
    for votes, sums in OPENSLIDES_SUMS[name]:
        tally = count(Rule(), *voters_and_choices(votes))
        assert (tally.for_, tally.against, tally.abstain) == sums
        assert tally.voted == sum(sums)
