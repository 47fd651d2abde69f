"""Voters and ballots of resolutions, for the tests of the count."""

from __future__ import annotations

from governance.ids import UserId
from governance.models.resolutions.ballot import Choice
from governance.models.resolutions.resolution import Recusal, Voter
from tests.domain.samples import NOW

_CHOICES: dict[str, Choice | None] = {"for": "for", "against": "against", "abstain": "abstain", "absent": None}
LEFT = Recusal(reason="left", by_user_id=None, at=NOW)


def voter(user_id: str, weight: int = 1, recused: Recusal | None = None) -> Voter:
    return Voter(user_id=UserId(user_id), weight=weight, recused=recused)


def voters_and_choices(votes: str) -> tuple[list[Voter], dict[UserId, Choice]]:
    """Returns voters `v0`, `v1`, … with their ballots, from a text such as `for 3, absent 1, recused-for 2`.

    Each is one voter of that weight.
    """
    voters: list[Voter] = []
    choices: dict[UserId, Choice] = {}
    for number, part in enumerate(filter(None, votes.split(", "))):
        act, _, weight = part.partition(" ")
        kind, _, of_recused = act.partition("-")
        voters.append(voter(f"v{number}", int(weight), LEFT if kind == "recused" else None))
        choice = _CHOICES[of_recused or "absent"] if kind == "recused" else _CHOICES[kind]
        if choice:
            choices[UserId(f"v{number}")] = choice
    return voters, choices
