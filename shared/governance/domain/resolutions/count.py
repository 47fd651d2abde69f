"""The count of a resolution's ballots: integers alone, so that nothing is rounded (ADR resolutions).

Only voters who are not recused count. A voter who left before the close without a ballot counts as recused. Two other
programs count too: `infra/verify/certificate.py`, and `lib/resolutions.js` of the pages. A change here is a change in
each; `tests/domain/resolutions/count_cases.json` runs against all three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from governance.ids import UserId
from governance.limits import SECRET_VOTERS
from governance.models.resolutions.ballot import Choice
from governance.models.resolutions.resolution import DecidedStatus, Tally, Voter
from governance.models.resolutions.rule import Majority, Rule


def count(rule: Rule, voters: Iterable[Voter], choices: Mapping[UserId, Choice]) -> Tally:
    """Returns the count of ballots that name their voters; those of recused voters and of strangers do not count."""
    weights = {voter.user_id: voter.weight for voter in voters if voter.recused is None}
    sums = Counter[str]()
    for user_id, choice in choices.items():
        sums[choice] += weights.get(user_id, 0)
    casting = rule.casting_vote_user_id
    return _tally(rule, sum(weights.values()), sums, choices.get(casting) if casting in weights else None)


def count_secret(rule: Rule, voters: Iterable[Voter], choices: Sequence[Choice]) -> Tally:
    """Returns the count of ballots without names; every voter has the weight 1, and nobody a casting vote.

    Sums of fewer than `SECRET_VOTERS` ballots would tell who chose what: they are None.
    """
    eligible = sum(1 for voter in voters if voter.recused is None)
    if len(choices) < SECRET_VOTERS:
        return Tally(
            eligible=eligible,
            voted=len(choices),
            for_=None,
            against=None,
            abstain=None,
            quorum_met=None,
            outcome=None,
        )
    return _tally(rule, eligible, Counter(choices), None)


def is_settled(rule: Rule, voters: Sequence[Voter], choices: Mapping[UserId, Choice]) -> bool:
    """Returns whether the outcome stays the same, whatever the missing voters do: choose, stay away or leave.

    Three counts are enough. If not even their staying away makes it lapse, nothing does: a ballot and a recusal both
    raise the share that voted. Then no choices carry it if theirs for it do not, and none reject it if theirs against
    it do not.
    """
    missing = [voter.user_id for voter in voters if voter.user_id not in choices]
    further: list[dict[UserId, Choice]] = [{}, dict.fromkeys(missing, "for"), dict.fromkeys(missing, "against")]
    return len({count(rule, voters, {**choices, **more}).outcome for more in further}) == 1


def _tally(rule: Rule, eligible: int, sums: Mapping[str, int], casting: Choice | None) -> Tally:
    for_, against, abstain = (sums.get(choice, 0) for choice in ("for", "against", "abstain"))
    voted = for_ + against + abstain
    is_quorum = voted >= 1 and 100 * voted >= rule.quorum_percent * eligible
    base = eligible if rule.base == "eligible" else for_ + against
    is_tie = rule.majority == "simple" and rule.base == "cast" and for_ == against
    is_carried = for_ >= 1 and (casting == "for" if is_tie else _has_majority(rule.majority, for_, base))
    return Tally(
        eligible=eligible,
        voted=voted,
        for_=for_,
        against=against,
        abstain=abstain,
        quorum_met=is_quorum,
        outcome=_outcome(is_quorum=is_quorum, is_carried=is_carried),
    )


def _outcome(*, is_quorum: bool, is_carried: bool) -> DecidedStatus:
    if not is_quorum:
        return "lapsed"
    return "carried" if is_carried else "rejected"


def _has_majority(majority: Majority, for_: int, base: int) -> bool:
    match majority:
        case "simple":
            return 2 * for_ > base
        case "two_thirds":
            return 3 * for_ >= 2 * base
        case "three_quarters":
            return 4 * for_ >= 3 * base
        case _:
            return for_ == base
