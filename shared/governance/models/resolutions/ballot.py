"""Ballots: what a voter of a resolution chose (an extension of the API, ADR resolutions)."""

import re
from typing import Annotated, Literal

from governance.ids import UserId
from governance.instants import Instant
from governance.limits import BALLOT_COMMENT
from governance.models.base import ApiObject, Body, Query, Resource, Stored
from governance.models.page import PageQuery
from governance.models.resolutions.resolution import Voter
from governance.models.text import NamedUserId, NoControlsButBreaks, text

Choice = Literal["for", "against", "abstain"]
"""For the resolution, against it, or neither."""


_CHOSEN = re.compile('"choice":"(?:for|against|abstain)"')
"""A choice in JSON; in a text of it, such as a comment, the quotes are escaped."""
_LONGEST = len('"choice":"against"')


class CertifiedBallot(Resource):
    """A ballot in a certificate."""

    user_id: UserId
    cast_by_user_id: UserId
    """Identifier of the user who cast it."""
    choice: Choice
    """What the voter chose."""
    weight: int
    """The votes that it counts for."""


class Ballot(ApiObject):
    """A ballot of a voter."""

    object: Literal["ballot"] = "ballot"
    resolution_id: str
    """Identifier of the resolution."""
    user_id: UserId
    cast_by_user_id: UserId
    """Identifier of the user who cast it, the voter or the holder of their proxy."""
    choice: Choice | None
    """What was chosen; null for a secret ballot in a list."""
    weight: int
    """The votes that the ballot counts for."""
    comment: str | None
    """Comment of the user who cast it, or null."""
    updated_at: Instant | None
    """When it was cast last; null for a secret ballot."""

    @classmethod
    def written(cls, text: str) -> str:
        """Returns the JSON text with white space behind each choice, so that no length tells what was chosen."""
        return _CHOSEN.sub(lambda chosen: chosen[0].ljust(_LONGEST), text)


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
    """What is chosen. Put white space after the JSON text, so that requests have one length for every choice, as the
    responses have.
    """

    choice: Choice
    """For the resolution, against it, or neither."""
    comment: Annotated[str, text(0, BALLOT_COMMENT), NoControlsButBreaks] | None = None
    """A comment that is shown with the ballot."""
    for_user_id: NamedUserId | None = None
    """Identifier of the voter whose proxy you hold; left out or null means yourself."""


class BallotQuery(Query):
    """The parameter of the deletion of a ballot: whose it is, if not one's own."""

    for_user_id: NamedUserId | None = None
    """The voter whose proxy you hold."""


class BallotsQuery(PageQuery):
    """The parameters of the list of ballots."""
