"""Documents (the API specification, section 2.6): metadata only."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import DOCUMENT_MEETINGS, DOCUMENT_TITLE, DOCUMENT_TYPE
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.page import ListQuery
from governance.models.text import NoControlsButBreaks, NotBlank, Reference, once_each, text


class DocumentFields(Resource):
    """The fields of a document that clients see."""

    id: str
    board_id: BoardId
    title: str
    document_type: str | None = None
    meeting_ids: tuple[str, ...] = ()
    latest_version_id: str | None = None
    mime_type: str | None = None
    created_by_user_id: UserId
    committee_id: str | None = None
    created_at: Instant
    updated_at: Instant


class Document(DocumentFields, ApiObject):
    """A document as one caller sees it: `meeting_ids` has only the meetings that the caller may see."""

    object: Literal["document"] = "document"


class StoredDocument(DocumentFields, Stored):
    """A document as it is stored; `creator_id` is the user who created it, None for a board token.

    `moved_from` is the committee that it was moved from, None for the board, in the change with the number `moved_in`.
    """

    creator_id: UserId | None
    version: int = 1
    moved_from: str | None = None
    moved_in: int | None = None


DocumentTitle = Annotated[str, text(1, DOCUMENT_TITLE), NotBlank, NoControlsButBreaks]
DocumentType = Annotated[str, text(1, DOCUMENT_TYPE)]
MeetingIds = Annotated[list[str], Field(max_length=DOCUMENT_MEETINGS), AfterValidator(once_each)]


class DocumentBody(Body):
    """The fields of a document that a client sets."""

    title: DocumentTitle = ""
    document_type: DocumentType | None = None
    meeting_ids: MeetingIds | None = None
    mime_type: Reference | None = None
    latest_version_id: Reference | None = None
    committee_id: str | None = None


class DocumentCreate(DocumentBody):
    """The body that creates a document."""

    title: DocumentTitle


class DocumentPatch(DocumentBody, Patch):
    """The body that changes a document; `meeting_ids` replaces the whole list."""

    meeting_ids: MeetingIds = Field(default_factory=list)


class DocumentsQuery(ListQuery):
    """The parameters of the list of documents; a filter that matches nothing gives an empty page."""

    sort: Literal["updatedAt"] = "updatedAt"
    meeting_id: str | None = None
    document_type: str | None = None
