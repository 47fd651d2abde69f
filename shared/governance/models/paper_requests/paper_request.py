"""Paper requests: who is asked for a paper of a meeting, by when, and what came of it (an extension of the API, ADR
paper-requests)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.agenda_limits import PAPER_INSTRUCTIONS, PAPER_NOTE, PAPER_TITLE
from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.documents.document_version import UploadForm, VersionStatus
from governance.models.meetings.poll import in_future
from governance.models.meetings.slot import StoredPersonalLink
from governance.models.text import (
    NamedId,
    NamedPersonId,
    NamedUserId,
    NoControls,
    NoControlsButBreaks,
    NotBlank,
    ParsedInstant,
    text,
)

PaperRequestStatus = Literal["requested", "delivered", "returned", "approved", "cancelled"]
"""Status of a paper request: nothing was delivered yet (`requested`), a paper waits for its review (`delivered`) or was
given back (`returned`), is part of the meeting (`approved`), or is no longer wanted (`cancelled`).
"""
PaperDecision = Literal["approved", "returned"]
"""Whether the delivered paper becomes one of the meeting (`approved`) or is asked for again (`returned`)."""
MISSING = frozenset({"requested", "returned"})
"""The statuses in which somebody still owes the paper."""
OPEN = MISSING | {"delivered"}
"""The statuses in which a request can be delivered or cancelled."""


class AskedFor(Resource):
    """Who is asked for the paper: a member, or a person without an account. The other one is null."""

    user_id: UserId | None = None
    """Identifier of the member who is asked, or null."""
    unregistered_user_id: PersonId | None = None
    """Identifier of the person without an account who is asked, or null."""


class PaperRequestFields(Resource):
    """The fields of a paper request that its readers see."""

    id: str
    board_id: BoardId
    meeting_id: str
    title: str
    """What is asked for."""
    agenda_item_id: str | None = None
    """Identifier of the agenda item that the paper is for, or null."""
    asked: Annotated[AskedFor, Field(alias="from")]
    """Who is asked for the paper."""
    due_at: Instant
    """When the paper is due."""
    reviewer_user_id: UserId | None = None
    """Identifier of the member who approves the paper, or null: any collaborator can."""
    instructions: str | None = None
    """What the paper must contain, or null."""
    status: PaperRequestStatus = "requested"
    """Status of the request."""
    document_id: str | None = None
    """Identifier of the document that was delivered last; null before that, and for a document that you cannot see."""
    note: str | None = None
    """What the last decision said about the paper, or null."""
    created_by_user_id: UserId
    delivered_at: Instant | None = None
    """When a paper was delivered last, or null."""
    decided_at: Instant | None = None
    """When the delivered paper was approved or returned, or null."""
    decided_by_user_id: UserId | None = None
    """Identifier of the user who approved or returned it, or null."""
    created_at: Instant
    updated_at: Instant


class PaperRequest(PaperRequestFields, ApiObject):
    """A request for a paper of a meeting."""

    object: Literal["paper_request"] = "paper_request"


class StoredPaperRequest(PaperRequestFields, Stored):
    """A paper request as it is stored, with the one link by which a person without an account delivers."""

    link: StoredPersonalLink | None = None
    version: int = 1


class PaperSlotFile(Resource):
    """A file that was sent by the link."""

    file_name: str
    """Name of the file, without a path."""
    size: int
    """Size of the file in bytes."""
    status: VersionStatus
    """Status of the file."""


class PaperSlotVersion(PaperSlotFile):
    """A file that is sent by the link."""

    object: Literal["paper_slot_version"] = "paper_slot_version"
    id: str
    """Identifier of the file, by which its upload is completed."""
    upload: UploadForm | None = None
    """The form to upload the file with. Only in the response that declares the file; otherwise null."""


class PaperSlot(Resource):
    """What a person without an account is asked for, and what they sent: all that their link shows."""

    object: Literal["paper_slot"] = "paper_slot"
    title: str
    """What is asked for."""
    due_at: Instant
    """When the paper is due."""
    instructions: str | None
    """What the paper must contain, or null."""
    status: PaperRequestStatus
    """Status of the request: `requested`, `delivered` or `returned`."""
    note: str | None
    """Why the paper was returned, or null."""
    files: tuple[PaperSlotFile, ...]
    """The files that were sent, newest first."""


class AskedForBody(Body):
    """Who is asked for the paper. Send exactly one of the two."""

    user_id: NamedUserId | None = None
    """Identifier of a member of the board."""
    unregistered_user_id: NamedPersonId | None = None
    """Identifier of an active person of the board who has no account."""


def _one_asked(asked: AskedForBody) -> AskedForBody:
    if (asked.user_id is None) == (asked.unregistered_user_id is None):
        raise ValueError("must have exactly one of `userId` and `unregisteredUserId`")
    return asked


PaperTitle = Annotated[str, text(1, PAPER_TITLE), NotBlank, NoControls]
Instructions = Annotated[str, text(0, PAPER_INSTRUCTIONS), NoControlsButBreaks]


class PaperRequestCreate(Body):
    """The paper to ask for."""

    title: PaperTitle
    """What is asked for, at most $PAPER_TITLE characters."""
    agenda_item_id: NamedId | None = None
    """Identifier of an item of the meeting's agenda that the paper is for."""
    asked: Annotated[AskedForBody, AfterValidator(_one_asked), Field(alias="from")]
    due_at: Annotated[ParsedInstant, AfterValidator(in_future)]
    """When the paper is due, RFC 3339 with an offset or `Z`. It must be in the future."""
    reviewer_user_id: NamedUserId | None = None
    """Identifier of the member who approves the paper. Without one, any collaborator can."""
    instructions: Instructions | None = None
    """What the paper must contain, at most $PAPER_INSTRUCTIONS characters."""


class PaperRequestPatch(Patch):
    """The fields of the request to change; at least one. Null clears a field that may be null. Who is asked stays."""

    title: PaperTitle = ""
    agenda_item_id: NamedId | None = None
    due_at: ParsedInstant = Instant("")
    """When the paper is due, RFC 3339 with an offset or `Z`. A new value must be in the future."""
    reviewer_user_id: NamedUserId | None = None
    instructions: Instructions | None = None
    status: Literal["cancelled"] = "cancelled"
    """`cancelled` ends a request that is not approved."""


class PaperDeliveryBody(Body):
    """The document to deliver."""

    document_id: NamedId
    """Identifier of a document that you can see and that has a file."""


class PaperDecisionBody(Body):
    """The decision on the delivered paper."""

    decision: PaperDecision
    """`approved` puts the paper on the agenda item or links it to the meeting, `returned` asks for it again."""
    note: Annotated[str, text(0, PAPER_NOTE), NoControlsButBreaks] | None = None
    """What to tell who delivered it, at most $PAPER_NOTE characters."""
