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
from governance.models.resolutions.paper import Paper
from governance.models.resolutions.rule import Rule, RuleBody
from governance.models.text import (
    NamedId,
    NamedUserId,
    NoControls,
    NoControlsButBreaks,
    NotBlank,
    ParsedInstant,
    once_each,
    text,
)

ResolutionSort = Literal["createdAt", "closedAt"]
"""The date to sort resolutions by, of their draft or of their result."""
Ballots = Literal["named", "hidden", "secret"]
"""Ballots are visible at once (`named`), when the resolution is closed (`hidden`), or never (`secret`)."""
DecidedStatus = Literal["carried", "rejected", "lapsed"]
"""The result of a vote."""
ResolutionStatus = Literal["draft", "open", "carried", "rejected", "lapsed", "withdrawn"]
"""A `draft`; `open` for votes; decided: `carried`, `rejected`, or `lapsed` because too few voted; or `withdrawn`."""
DECIDED: tuple[DecidedStatus, ...] = ("carried", "rejected", "lapsed")


class Recusal(Resource):
    """Why a voter does not count."""

    reason: str
    """The reason; `left` for a voter who left the board or the committee without having voted."""
    by_user_id: UserId | None
    """Identifier of the user who recused them; null for a voter who left."""
    at: Instant
    """When the voter was recused, or left."""


class Voter(Resource):
    """Somebody who may vote."""

    user_id: UserId
    weight: int = 1
    """How many votes they have."""
    recused: Recusal | None = None
    """Why they do not count, or null."""
    proxy_user_id: UserId | None = None
    """Identifier of the voter who holds their proxy, or null."""


class Tally(Resource):
    """A count of ballots, by the weights of the voters who are not recused."""

    eligible: int
    """All votes of the voters who are not recused."""
    voted: int
    """The votes that were cast."""
    for_: int | None = Field(alias="for")
    """The votes for the resolution. This and what follows is null where fewer than $SECRET_VOTERS ballots are secret:
    the resolution has lapsed.
    """
    against: int | None
    """The votes against the resolution."""
    abstain: int | None
    """The votes of those who abstain. They count for the quorum, not for the majority."""
    quorum_met: bool | None
    """Whether enough votes were cast."""
    outcome: DecidedStatus | None
    """The result; null while the resolution is open."""


class Withdrawal(Resource):
    """Why a resolution was withdrawn."""

    reason: str
    """Why it was withdrawn."""
    by_user_id: UserId
    """Identifier of the user who withdrew it."""
    at: Instant
    """When it was withdrawn."""


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
    """A decision of the board, taken by a vote."""

    object: Literal["resolution"] = "resolution"
    id: str
    board_id: BoardId
    number: str | None
    """Number of the resolution, year and count; null in a draft."""
    title: str
    """Title of the resolution."""
    text: str
    """What is decided."""
    status: ResolutionStatus
    """Status of the resolution."""
    committee_id: str | None
    """Identifier of the committee whose members alone see it and vote, or null."""
    meeting_id: str | None
    """Identifier of the meeting that it is part of, or null."""
    agenda_item_id: str | None
    """Identifier of the item of the meeting's agenda that it is about, or null."""
    document_ids: tuple[str, ...]
    """Identifiers of the documents that it is about."""
    rule: Rule
    """How it is decided."""
    ballots: Ballots
    """Who sees the ballots, and when."""
    voters: tuple[Voter, ...]
    """Who may vote. Empty in a draft that names nobody."""
    closes_at: Instant | None
    """When it closes by itself, or null."""
    tally: Tally | None
    """The count; null in a draft, in a withdrawn resolution, and while hidden or secret ballots are open."""
    withdrawn: Withdrawal | None
    """Why it was withdrawn, or null."""
    supersedes_id: str | None
    """Identifier of the resolution whose place it takes if it is carried, or null."""
    superseded_by_id: str | None
    """Identifier of the carried resolution that took its place, or null."""
    created_by_user_id: UserId
    opened_at: Instant | None
    """When it was opened, or null."""
    closed_at: Instant | None
    """When it was closed with a result, or null."""
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
    """A voter that a draft names."""

    user_id: UserId
    weight: int = 1


class StoredContent(Stored):
    """The large part of a resolution: its text, the voters that a draft names, the papers that it was opened with."""

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
PaperIds = Annotated[list[NamedId], Field(max_length=RESOLUTION_PAPERS), AfterValidator(once_each)]
Reason = Annotated[str, text(1, RESOLUTION_REASON), NotBlank, NoControlsButBreaks]


class VoterBody(Body):
    """Somebody who may vote."""

    user_id: NamedUserId
    """Identifier of a member of the board, and of the committee if there is one."""
    weight: Annotated[int, Field(ge=1, le=VOTER_WEIGHT)] = 1
    """How many votes they have. Left out means 1."""


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
    """Title of the resolution. It must not be blank or contain control characters."""
    text: Text = ""
    """What is decided. It must not be blank or contain control characters other than newlines and tabs."""
    committee_id: NamedId | None = None
    """Identifier of a committee that you are in."""
    meeting_id: NamedId | None = None
    """Identifier of a meeting of the board."""
    agenda_item_id: NamedId | None = None
    """Identifier of an item of the meeting's agenda. Send it with `meetingId`."""
    document_ids: PaperIds | None = None
    """Identifiers of documents of the board."""
    rule: RuleBody | None = None
    """How the resolution is decided. Left out or null means the default rule."""
    ballots: Ballots | None = None
    """Who sees the ballots, and when. Left out or null means `named`."""
    voters: VotersBody | None = None
    """Who may vote, each once. Left out or null means those that opening chooses."""
    closes_at: ParsedInstant | None = None
    """When the resolution closes by itself."""
    supersedes_id: NamedId | None = None
    """Identifier of the resolution whose place it takes if it is carried."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the errors between fields of the JSON object."""
        return repeated_voters(value)


class ResolutionCreate(ResolutionBody):
    """The resolution to draft."""

    title: Title
    text: Text


class ResolutionPatch(ResolutionBody, Patch):
    """The fields of the draft to change; at least one. Null clears a field that may be null."""


class ReasonBody(Body):
    """Why it is done."""

    reason: Reason
    """The reason, which all readers of the resolution see."""


class ProxyBody(Body):
    """Who is to vote for you."""

    user_id: NamedUserId
    """Identifier of another voter of the resolution."""


class ResolutionsQuery(ListQuery):
    """The parameters of the list of resolutions; a filter that matches nothing gives an empty page."""

    sort: ResolutionSort = "createdAt"
    """The date to sort by. Resolutions without it come last in descending order."""
    status: ResolutionStatus | None = None
    """Only resolutions with this status."""
    meeting_id: str | None = None
    """Only resolutions of this meeting."""
    committee_id: str | None = None
    """Only resolutions of this committee."""
