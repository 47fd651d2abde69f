"""How a resolution is decided (an extension of the API, ADR resolutions)."""

from typing import Annotated, Literal

from pydantic import Field

from governance.ids import UserId
from governance.models.base import Body, Resource
from governance.models.text import NamedUserId

Majority = Literal["simple", "two_thirds", "three_quarters", "unanimous"]
"""More than half (`simple`), two thirds or more, three quarters or more, or all of the base."""
Base = Literal["cast", "eligible"]
"""The votes for and against (`cast`), or all votes of voters who are not recused (`eligible`)."""


class Rule(Resource):
    """How a resolution is decided."""

    majority: Majority = "simple"
    """How many votes for it carry it."""
    base: Base = "cast"
    """What the majority is counted of."""
    quorum_percent: int = 50
    """The share of all votes, in percent, that must be cast."""
    casting_vote_user_id: UserId | None = None
    """Identifier of the voter who decides a tie of a simple majority of the votes cast, or null."""
    proxies: bool = False
    """Whether voters may let others vote for them."""


class RuleBody(Body):
    """How a resolution is decided. What is left out is as in the default rule."""

    majority: Majority = "simple"
    base: Base = "cast"
    quorum_percent: Annotated[int, Field(ge=0, le=100)] = 50
    casting_vote_user_id: NamedUserId | None = None
    proxies: bool = False
