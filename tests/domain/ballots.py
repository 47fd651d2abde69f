"""Rules, voters and ballots of resolutions, for the tests of the count."""

from __future__ import annotations

from dataclasses import dataclass

from governance.domain.resolutions.count import Choice

_CHOICES: dict[str, Choice | None] = {"for": "for", "against": "against", "abstain": "abstain", "absent": None}


@dataclass(frozen=True)
class SampleRule:
    majority: str = "simple"
    base: str = "cast"
    quorum_percent: int = 50
    casting_vote_user_id: str | None = None


@dataclass(frozen=True)
class SampleVoter:
    user_id: str
    weight: int = 1
    recused: str | None = None


def voters_and_choices(votes: str) -> tuple[list[SampleVoter], dict[str, Choice]]:
    """Returns voters `v0`, `v1`, … with their ballots, from a text such as `for 3, absent 1, recused-for 2`.

    Each is one voter of that weight.
    """
    voters: list[SampleVoter] = []
    choices: dict[str, Choice] = {}
    for number, part in enumerate(filter(None, votes.split(", "))):
        act, _, weight = part.partition(" ")
        kind, _, of_recused = act.partition("-")
        voters.append(SampleVoter(f"v{number}", int(weight), kind if kind == "recused" else None))
        choice = _CHOICES[of_recused or "absent"] if kind == "recused" else _CHOICES[kind]
        if choice:
            choices[f"v{number}"] = choice
    return voters, choices
