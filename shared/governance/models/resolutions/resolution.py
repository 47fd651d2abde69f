"""Resolutions: decisions of a board, taken by a vote (an extension of the API, ADR resolutions)."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import (
    RESOLUTION_PAPERS,
    RESOLUTION_REASON,
    RESOLUTION_TEXT,
    RESOLUTION_TITLE,
    RESOLUTION_VOTERS,
    VOTER_WEIGHT,
)
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.page import ListQuery
from governance.models.text import NoControls, NoControlsButBreaks, NotBlank, ParsedInstant, once_each, text

ResolutionSort = Literal["createdAt", "closedAt"]
Majority = Literal["simple", "two_thirds", "three_quarters", "unanimous"]
Base = Literal["cast", "eligible"]
Ballots = Literal["named", "hidden", "secret"]
DecidedStatus = Literal["carried", "rejected", "lapsed"]
ResolutionStatus = Literal["draft", "open", "carried", "rejected", "lapsed", "withdrawn"]
DECIDED: tuple[DecidedStatus, ...] = ("carried", "rejected", "lapsed")


class Rule(Resource):
    """How a resolution is decided."""

    majority: Majority = "simple"
    base: Base = "cast"
    quorum_percent: int = 50
    casting_vote_user_id: UserId | None = None
    proxies: bool = False


class Recusal(Resource):
    """Why a voter does not count, and who said so; `by_user_id` is null for one who left."""

    reason: str
    by_user_id: UserId | None
    at: Instant


class Voter(Resource):
    """Somebody who may vote, and who votes for them if they gave a proxy."""

    user_id: UserId
    weight: int = 1
    recused: Recusal | None = None
    proxy_user_id: UserId | None = None


class Tally(Resource):
    """The sums of the weights of the ballots; `outcome` is null while the resolution is open."""

    eligible: int
    voted: int
    for_: int = Field(alias="for")
    against: int
    abstain: int
    quorum_met: bool
    outcome: DecidedStatus | None


class Withdrawal(Resource):
    """Why an open resolution was withdrawn, and by whom."""

    reason: str
    by_user_id: UserId
    at: Instant


class Paper(Resource):
    """The version of a document that a resolution was opened with; null for a document without a file."""

    document_id: str
    version_id: str | None
    sha256: str | None


class ResolutionPaper(ApiObject):
    """A paper of a resolution as its readers see it; the fields are those of `Paper`."""

    object: Literal["resolution_paper"] = "resolution_paper"
    document_id: str
    version_id: str | None
    sha256: str | None


class ResolutionFields(Resource):
    """The fields of a resolution that are stored as clients see them, without its text and its voters."""

    id: str
    board_id: BoardId
    number: str | None = None
    title: str
    status: ResolutionStatus = "draft"
    committee_id: str | None = None
    meeting_id: str | None = None
    agenda_item_id: str | None = None
    document_ids: tuple[str, ...] = ()
    rule: Rule = Field(default_factory=Rule)
    ballots: Ballots = "named"
    closes_at: Instant | None = None
    tally: Tally | None = None
    withdrawn: Withdrawal | None = None
    supersedes_id: str | None = None
    superseded_by_id: str | None = None
    created_by_user_id: UserId
    opened_at: Instant | None = None
    closed_at: Instant | None = None
    created_at: Instant
    updated_at: Instant


class Resolution(ApiObject):
    """A resolution as one caller sees it."""

    object: Literal["resolution"] = "resolution"
    id: str
    board_id: BoardId
    number: str | None
    title: str
    text: str
    status: ResolutionStatus
    committee_id: str | None
    meeting_id: str | None
    agenda_item_id: str | None
    document_ids: tuple[str, ...]
    rule: Rule
    ballots: Ballots
    voters: tuple[Voter, ...]
    closes_at: Instant | None
    tally: Tally | None
    withdrawn: Withdrawal | None
    supersedes_id: str | None
    superseded_by_id: str | None
    created_by_user_id: UserId
    opened_at: Instant | None
    closed_at: Instant | None
    created_at: Instant
    updated_at: Instant


class StoredResolution(ResolutionFields, Stored):
    """The head of a resolution as it is stored.

    Voters are stored in groups, in the order of their ids; `group_starts` is the first id of each. `content_version` is
    the version at which the content was written, `committee_version` that of its committee when it was opened.
    """

    group_starts: tuple[UserId, ...] = ()
    content_version: int = 1
    committee_version: int = 0
    version: int = 1


class DraftVoter(Stored):
    """A voter whom a draft names."""

    user_id: UserId
    weight: int = 1


class StoredContent(Stored):
    """The large part of a resolution: its text, the voters whom a draft names, the papers that it was opened with."""

    text: str
    voters: tuple[DraftVoter, ...] = ()
    papers: tuple[Paper, ...] = ()
    version: int = 1


class StoredDeparture(Stored):
    """Members who left the board, or a committee of it: the membership that ended, or the committee's new version."""

    board_id: BoardId
    user_ids: tuple[UserId, ...]
    join_id: str | None = None
    committee_id: str | None = None
    committee_version: int = 0
    at: Instant


Title = Annotated[str, text(1, RESOLUTION_TITLE), NotBlank, NoControls]
Text = Annotated[str, text(1, RESOLUTION_TEXT), NotBlank, NoControlsButBreaks]
PaperIds = Annotated[list[str], Field(max_length=RESOLUTION_PAPERS), AfterValidator(once_each)]
Reason = Annotated[str, text(1, RESOLUTION_REASON), NotBlank, NoControlsButBreaks]


class RuleBody(Body):
    """How a resolution is decided; what is left out is as in the default rule."""

    majority: Majority = "simple"
    base: Base = "cast"
    quorum_percent: Annotated[int, Field(ge=0, le=100)] = 50
    casting_vote_user_id: UserId | None = None
    proxies: bool = False


class VoterBody(Body):
    """Somebody who may vote, and the weight of their ballot."""

    user_id: UserId
    weight: Annotated[int, Field(ge=1, le=VOTER_WEIGHT)] = 1


def repeated_voters(value: Mapping[str, Any]) -> dict[str, str]:
    """Returns the error for a voter who is named twice."""
    voters = value.get("voters")
    named = [voter.get("userId") for voter in voters if isinstance(voter, dict)] if isinstance(voters, list) else []
    counted = Counter(user_id for user_id in named if isinstance(user_id, str))
    return {"voters": "must not name a voter twice"} if any(number > 1 for number in counted.values()) else {}


VotersBody = Annotated[list[VoterBody], Field(min_length=1, max_length=RESOLUTION_VOTERS)]


class ResolutionBody(Body):
    """The fields of a resolution that a client sets."""

    title: Title = ""
    text: Text = ""
    committee_id: str | None = None
    meeting_id: str | None = None
    agenda_item_id: str | None = None
    document_ids: PaperIds | None = None
    rule: RuleBody | None = None
    ballots: Ballots | None = None
    voters: VotersBody | None = None
    closes_at: ParsedInstant | None = None
    supersedes_id: str | None = None

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the errors between fields of the JSON object."""
        return repeated_voters(value)


class ResolutionCreate(ResolutionBody):
    """The body that drafts a resolution."""

    title: Title
    text: Text


class ResolutionPatch(ResolutionBody, Patch):
    """The body that changes a draft; `documentIds`, `rule` and `voters` replace the whole."""


class ReasonBody(Body):
    """The body that recuses a voter, or withdraws a resolution."""

    reason: Reason


class ProxyBody(Body):
    """The body that gives one's proxy to another voter."""

    user_id: UserId


class ResolutionsQuery(ListQuery):
    """The parameters of the list of resolutions; a filter that matches nothing gives an empty page."""

    sort: ResolutionSort = "createdAt"
    status: ResolutionStatus | None = None
    meeting_id: str | None = None
    committee_id: str | None = None
