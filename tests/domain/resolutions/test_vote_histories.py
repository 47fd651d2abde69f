"""A second count, written from the rules alone: it agrees with ours after random histories of votes.

It keeps nothing but the list of what happened, with its own idea of what each act does. The domain's functions are
called as the use cases call them. Both refuse the same acts, have the same ballots and proxies after each, and the
same sums and outcome at the end.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest

from governance.domain.resolutions import closing, voting
from governance.errors import ApiError
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.resolutions.ballot import BallotBody, Choice, StoredVoter
from governance.models.resolutions.resolution import StoredDeparture, Tally
from governance.models.resolutions.rule import Rule
from tests.domain.resolutions.ballots import resolution, stored_voter
from tests.domain.samples import BOARD, THEN

MANAGER = UserId("m")
USERS = [UserId(name) for name in "abcde"]
CHOICES = ("for", "against", "abstain")


class Act(NamedTuple):
    """Something that somebody does, a number of seconds after the resolution was opened."""

    second: int
    kind: str
    who: UserId
    whom: UserId
    choice: str


def history(chance: Random) -> tuple[Rule, dict[UserId, int], int | None, list[Act]]:
    """Returns a rule, the weights of voters, the second at which the clock closes, and what happens."""
    voters = {user: chance.randint(1, 3) for user in USERS[: chance.randint(1, 5)]}
    rule = Rule(
        majority=chance.choice(["simple", "two_thirds", "three_quarters", "unanimous"]),
        base=chance.choice(["cast", "eligible"]),
        quorum_percent=chance.choice([0, 34, 50, 67, 100]),
        casting_vote_user_id=chance.choice([None, *voters]),
        proxies=chance.random() < 0.8,
    )
    kinds = ["cast"] * 5 + ["take back", "give", "give", "end proxy", "recuse", "undo", "leave", "join"]
    acts = [
        Act(number, chance.choice(kinds), chance.choice(USERS), chance.choice(USERS), chance.choice(CHOICES))
        for number in range(1, chance.randint(2, 14))
    ]
    acts = [act._replace(whom=act.who) if chance.random() < 0.5 else act for act in acts]
    at_once = [Act(0, "cast", user, user, chance.choice(CHOICES[:2])) for user in voters if chance.random() < 0.6]
    return rule, voters, chance.choice([None, chance.randint(1, 14)]), [*at_once, *acts]


class Ours:
    """The state of a resolution as the domain keeps it."""

    def __init__(self, rule: Rule, weights: dict[UserId, int], closes: int | None) -> None:
        closes_at = None if closes is None else at(closes)
        self.resolution = resolution(rule=rule, opened_at=THEN, closes_at=closes_at)
        self.stored = {user: stored_voter(user, weight=weight) for user, weight in weights.items()}
        self.departures: list[StoredDeparture] = []
        self.joins = dict.fromkeys(USERS, 0)
        self.members = set(USERS)

    def voters(self) -> dict[UserId, StoredVoter]:
        return voting.as_of(self.resolution, self.stored.values(), self.departures)

    def do(self, act: Act) -> bool:
        """Returns whether the act was accepted."""
        now = at(act.second)
        if act.kind == "join":
            self.joins[act.who] += act.who not in self.members
            self.members.add(act.who)
            return True
        if act.who not in self.members:
            return False
        if act.kind == "leave":
            self.members.discard(act.who)
            join_id = f"{act.who}{self.joins[act.who]}"
            self.departures.append(
                StoredDeparture(board_id=BoardId(BOARD), user_ids=(act.who,), join_id=join_id, at=now)
            )
            return True
        try:
            self.stored |= self.changed(act, self.voters(), now)
        except ApiError:
            return False
        return True

    def changed(self, act: Act, voters: dict[UserId, StoredVoter], now: Instant) -> dict[UserId, StoredVoter]:
        """Returns the voters whom an act changes, as the use cases do."""
        if act.kind in {"cast", "take back"}:
            voter = voting.voter_in(voters, act.whom)
            voting.check_may_cast(voter, act.who)
            voting.check_open(self.resolution, now)
            if act.kind == "take back":
                return {act.whom: voting.taken_back(self.resolution, voter, act.who)}
            body = BallotBody.model_validate({"choice": act.choice})
            return {act.whom: voting.cast(self.resolution, voter, act.who, body, now)}
        if act.kind in {"give", "end proxy"}:
            giver = voting.voter_in(voters, act.who)
            voting.check_open(self.resolution, now)
            voting.check_proxies(self.resolution)
            if act.kind == "end proxy":
                return {act.who: voting.without_proxy(giver)}
            gone = voting.gone_since(self.resolution, self.departures)
            return {act.who: voting.with_proxy(voters, giver, act.whom, gone)}
        voter = voting.voter_in(voters, act.whom)
        voting.check_open(self.resolution, now)
        if act.kind == "recuse":
            return voting.recused(self.resolution, voters, act.whom, "r", MANAGER, now)
        return {act.whom: voting.not_recused(voter)}

    def state(self) -> tuple[dict[UserId, tuple[UserId, Choice | None]], dict[UserId, UserId]]:
        """Returns the ballots, with who cast them, and the proxies."""
        voters = self.voters().values()
        ballots = {v.user_id: (v.ballot.cast_by_user_id, v.ballot.choice) for v in voters if v.ballot}
        return ballots, {voter.user_id: voter.proxy_user_id for voter in voters if voter.proxy_user_id}

    def tally(self) -> Tally:
        return closing.tally_of(self.resolution, tuple(self.voters().values()), None)


class Theirs:
    """The second count: ballots, proxies and recusals as plain facts."""

    def __init__(self, rule: Rule, weights: dict[UserId, int], closes: int | None) -> None:
        self.rule, self.weights, self.closes = rule, weights, closes
        self.ballots: dict[UserId, tuple[UserId, str]] = {}
        self.proxies: dict[UserId, UserId] = {}
        self.recused: set[UserId] = set()
        self.gone: set[UserId] = set()
        """Who has left, whether they are back or not."""
        self.members = set(USERS)

    def do(self, act: Act) -> bool:
        if act.kind == "join":
            self.members.add(act.who)
            return True
        if act.who not in self.members:
            return False
        if act.kind == "leave":
            self.leave(act.who, act.second)
            return True
        if self.closes is not None and act.second >= self.closes:
            return False
        subject = act.who if act.kind in {"give", "end proxy"} else act.whom
        if subject not in self.weights:
            return False
        accepted: bool = getattr(self, act.kind.replace(" ", "_"))(act)
        return accepted

    def leave(self, who: UserId, second: int) -> None:
        self.members.discard(who)
        if self.closes is None or second < self.closes:
            self.gone.add(who)
            self.proxies = {giver: holder for giver, holder in self.proxies.items() if holder != who}

    def out(self, who: UserId) -> bool:
        """Whether somebody does not count: recused, or gone without a ballot."""
        return who in self.recused or (who in self.gone and who not in self.ballots)

    def may_replace(self, act: Act) -> bool:
        if self.out(act.whom) or (act.who != act.whom and self.proxies.get(act.whom) != act.who):
            return False
        caster, _ = self.ballots.get(act.whom, (act.who, ""))
        return caster != act.whom or act.who == act.whom

    def cast(self, act: Act) -> bool:
        if not self.may_replace(act):
            return False
        self.ballots[act.whom] = (act.who, act.choice)
        return True

    def take_back(self, act: Act) -> bool:
        if not self.may_replace(act):
            return False
        self.ballots.pop(act.whom, None)
        return True

    def give(self, act: Act) -> bool:
        giver, holder = act.who, act.whom
        caster, _ = self.ballots.get(giver, (holder, ""))
        refused = (
            not self.rule.proxies
            or holder == giver
            or holder not in self.weights
            or self.out(giver)
            or self.out(holder)
            or holder in self.gone
            or holder in self.proxies
            or giver in self.proxies.values()
            or caster == giver
        )
        if not refused and self.proxies.get(giver) != holder:
            self.proxies[giver] = holder
            self.ballots.pop(giver, None)
        return not refused

    def end_proxy(self, act: Act) -> bool:
        if not self.rule.proxies or self.out(act.who):
            return False
        self.proxies.pop(act.who, None)
        if self.ballots.get(act.who, (act.who, ""))[0] != act.who:
            del self.ballots[act.who]
        return True

    def recuse(self, act: Act) -> bool:
        if not self.out(act.whom):
            self.recused.add(act.whom)
            self.ballots.pop(act.whom, None)
            self.proxies = {a: b for a, b in self.proxies.items() if act.whom not in (a, b)}
        return True

    def undo(self, act: Act) -> bool:
        if self.out(act.whom) and act.whom not in self.recused:
            return False
        self.recused.discard(act.whom)
        return True

    def tally(self) -> tuple[int, int, int, int, int, bool, str]:
        counting = [who for who in self.weights if not self.out(who)]
        sums = {
            choice: sum(self.weights[who] for who in counting if self.ballots.get(who, ("", ""))[1] == choice)
            for choice in CHOICES
        }
        eligible, voted = sum(self.weights[who] for who in counting), sum(sums.values())
        quorum = voted > 0 and Fraction(voted, eligible) >= Fraction(self.rule.quorum_percent, 100)
        outcome = "lapsed" if not quorum else "carried" if self.carried(sums, eligible, counting) else "rejected"
        return eligible, voted, sums["for"], sums["against"], sums["abstain"], quorum, outcome

    def carried(self, sums: dict[str, int], eligible: int, counting: list[UserId]) -> bool:
        whole = eligible if self.rule.base == "eligible" else sums["for"] + sums["against"]
        if sums["for"] == 0:
            return False
        share = Fraction(sums["for"], whole)
        if self.rule.majority != "simple":
            needed = {"two_thirds": Fraction(2, 3), "three_quarters": Fraction(3, 4), "unanimous": Fraction(1)}
            return share >= needed[self.rule.majority]
        if self.rule.base == "cast" and share == Fraction(1, 2):
            casting = self.rule.casting_vote_user_id
            return casting in counting and (casting, "for") in [
                (who, ballot[1]) for who, ballot in self.ballots.items()
            ]
        return share > Fraction(1, 2)


def at(second: int) -> Instant:
    return shift(THEN, seconds=second)


def disagreement(seed: int) -> str | None:
    """Returns where the two part ways in a history; None if they never do."""
    rule, weights, closes, acts = history(Random(seed))  # noqa: S311 - test data
    ours, theirs = Ours(rule, weights, closes), Theirs(rule, weights, closes)
    for act in acts:
        verdicts = ours.do(act), theirs.do(act)
        if verdicts[0] != verdicts[1]:
            return f"{seed}: {act} {verdicts} {rule} {weights} {closes} {acts}"
        if ours.state() != (theirs.ballots, theirs.proxies):
            return f"{seed}: {act} {ours.state()} {theirs.ballots} {theirs.proxies} {rule} {weights} {closes} {acts}"
    tally = ours.tally()
    sums = (tally.eligible, tally.voted, tally.for_, tally.against, tally.abstain, tally.quorum_met, tally.outcome)
    return None if sums == theirs.tally() else f"{seed}: {sums} {theirs.tally()} {rule} {weights} {closes} {acts}"


def test_two_counts_agree_after_a_thousand_histories() -> None:
    assert [difference for seed in range(1_000) if (difference := disagreement(seed))] == []


@pytest.mark.slow
def test_two_counts_agree_after_a_hundred_thousand_histories() -> None:
    assert [difference for seed in range(1_000, 100_000) if (difference := disagreement(seed))] == []


def test_the_histories_have_every_outcome_and_refuse_and_accept_every_act() -> None:
    outcomes, verdicts = set[str | None](), set[tuple[str, bool]]()
    for seed in range(500):
        rule, weights, closes, acts = history(Random(seed))  # noqa: S311 - test data
        ours = Ours(rule, weights, closes)
        verdicts |= {(act.kind, ours.do(act)) for act in acts}
        outcomes.add(ours.tally().outcome)
    assert outcomes == {"carried", "rejected", "lapsed"}
    refusable = {"cast", "take back", "give", "end proxy", "recuse", "undo", "leave"}
    assert verdicts == {(kind, accepted) for kind in refusable for accepted in (True, False)} | {("join", True)}
