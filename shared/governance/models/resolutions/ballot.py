"""Ballots: what a voter of a resolution chose (an extension of the API, ADR resolutions)."""

from typing import Annotated, Literal

from governance.ids import UserId
from governance.instants import Instant
from governance.limits import BALLOT_COMMENT
from governance.models.base import ApiObject, Body, Query, Resource, Stored
from governance.models.page import PageQuery
from governance.models.resolutions.resolution import Voter
from governance.models.text import NoControlsButBreaks, text

Choice = Literal["for", "against", "abstain"]


class CertifiedBallot(Resource):
    """A ballot as a certificate has it."""

    user_id: UserId
    cast_by_user_id: UserId
    choice: Choice
    weight: int


class Ballot(ApiObject):
    """A ballot as one caller sees it; of a secret one only who voted."""

    object: Literal["ballot"] = "ballot"
    resolution_id: str
    user_id: UserId
    cast_by_user_id: UserId
    choice: Choice | None
    weight: int
    comment: str | None
    updated_at: Instant | None


class StoredBallot(Stored):
    """A ballot as it is stored with its voter; of a secret one, neither what was chosen nor when."""

    cast_by_user_id: UserId
    choice: Choice | None = None
    comment: str | None = None
    updated_at: Instant | None = None


class StoredVoter(Voter, Stored):
    """A voter as they are stored, with their ballot if they have voted; `join_id` is that of their membership."""

    join_id: str
    ballot: StoredBallot | None = None


class VoterGroup(Stored):
    """Some voters of a resolution in one item; `closed` from the transaction that closes or withdraws it."""

    resolution_id: str
    voters: tuple[StoredVoter, ...]
    closed: bool = False
    version: int = 1


class BallotBody(Body):
    """The body that casts a ballot: one's own, or that of a voter who gave one their proxy."""

    choice: Choice
    comment: Annotated[str, text(0, BALLOT_COMMENT), NoControlsButBreaks] | None = None
    for_user_id: UserId | None = None


class BallotQuery(Query):
    """The parameter of taking a ballot back: whose it is, if not one's own."""

    for_user_id: str | None = None


class BallotsQuery(PageQuery):
    """The parameters of the list of ballots."""
