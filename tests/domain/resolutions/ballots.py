"""Resolutions, their voters and ballots, for the tests of voting and of the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from hypothesis import strategies as st

from governance.domain.resolutions.count import count
from governance.ids import UserId
from governance.models.resolutions.ballot import Choice, StoredBallot, StoredVoter
from governance.models.resolutions.resolution import DecidedStatus, Recusal, StoredResolution, Voter
from governance.models.resolutions.rule import Rule
from tests.domain.samples import BOARD, NOW, THEN

_CHOICES: dict[str, Choice | None] = {"for": "for", "against": "against", "abstain": "abstain", "absent": None}
LEFT = Recusal(reason="left", by_user_id=None, at=NOW)


def voter(user_id: str, weight: int = 1, recused: Recusal | None = None) -> Voter:
    return Voter(user_id=UserId(user_id), weight=weight, recused=recused)


def resolution(**members: Any) -> StoredResolution:
    usual = {"id": "r", "board_id": BOARD, "number": "2030-4", "title": "Budget", "status": "open", "meeting_id": "m"}
    made = {"created_by_user_id": "u", "creator_id": "u", "created_at": THEN, "updated_at": THEN}
    return StoredResolution.model_validate({**usual, **made, **members})


def stored_voter(user_id: str, **members: Any) -> StoredVoter:
    return StoredVoter.model_validate({"user_id": user_id, "join_id": f"{user_id}0", **members})


def cast_by(user_id: str, choice: Choice | None = "for", comment: str | None = None) -> StoredBallot:
    return StoredBallot(cast_by_user_id=UserId(user_id), choice=choice, comment=comment, updated_at=THEN)


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


CHOICES: Sequence[Choice] = ("for", "against", "abstain")
RULES = st.builds(
    Rule,
    majority=st.sampled_from(["simple", "two_thirds", "three_quarters", "unanimous"]),
    base=st.sampled_from(["cast", "eligible"]),
    quorum_percent=st.integers(0, 100) | st.sampled_from([0, 33, 34, 50, 66, 67, 100]),
    casting_vote_user_id=st.none() | st.sampled_from(["v0", "v1", "v4"]),
)
VOTERS = st.lists(st.tuples(st.integers(1, 6), st.booleans() | st.just(False)), max_size=6).map(
    lambda made: [voter(f"v{n}", weight, LEFT if gone else None) for n, (weight, gone) in enumerate(made)]
)
CAST = st.lists(st.none() | st.sampled_from(CHOICES), min_size=6, max_size=6).map(
    lambda made: {UserId(f"v{n}"): choice for n, choice in enumerate(made) if choice}
)


def possible_outcomes(
    rule: Rule, voters: Sequence[Voter], cast: dict[UserId, Choice]
) -> Iterator[DecidedStatus | None]:
    """Yields the outcome of everything that those without a ballot may still do."""
    missing = [v.user_id for v in voters if not v.recused and v.user_id not in cast]
    for acts in product([*CHOICES, "nothing", "leaves"], repeat=len(missing)):
        by_id = dict(zip(missing, acts, strict=True))
        left = [voter(v.user_id, v.weight, LEFT) if by_id.get(v.user_id) == "leaves" else v for v in voters]
        more = {id_: choice for id_, act in by_id.items() for choice in CHOICES if choice == act}
        yield count(rule, left, {**cast, **more}).outcome
