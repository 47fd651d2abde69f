"""Documents (the API specification, section 2.6): metadata only."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import DOCUMENT_MEETINGS, DOCUMENT_TITLE, DOCUMENT_TYPE
from governance.models.base import ApiObject, Body, Patch, Resource, Stored
from governance.models.meetings.audience import StoredAudience
from governance.models.page import ListQuery
from governance.models.text import NamedId, NoControlsButBreaks, NoReordering, NotBlank, Reference, once_each, text


class DocumentFields(Resource):
    """The fields of a document that clients see."""

    id: str
    board_id: BoardId
    title: str
    """Title of the document."""
    document_type: str | None = None
    """Free classification such as `agenda`, `minutes`, `board_pack` or `policy`, or null."""
    meeting_ids: tuple[str, ...] = ()
    """Identifiers of the linked meetings that you can see."""
    latest_version_id: str | None = None
    """Identifier of the latest version. Without versions, a value set by a client, such as an identifier in another
    system, or null.
    """
    mime_type: str | None = None
    """Media type of the content such as `application/pdf`, or null."""
    created_by_user_id: UserId
    committee_id: str | None = None
    """Identifier of the committee. Only its members can see the document. Null for a document of the whole board."""
    created_at: Instant
    updated_at: Instant


class Document(DocumentFields, ApiObject):
    """The metadata of a document. Its files are its versions."""

    object: Literal["document"] = "document"


class StoredDocument(DocumentFields, Stored):
    """A document as it is stored; `creator_id` is the user who created it, None for a board token.

    One with an `audience` is in camera. `moved_from` is the committee that it was moved from, None for the board, in
    the change with the number `moved_in`; a document that goes in camera moves, too.
    """

    creator_id: UserId | None
    audience: StoredAudience | None = None
    version: int = 1
    moved_from: str | None = None
    moved_in: int | None = None


DocumentTitle = Annotated[str, text(1, DOCUMENT_TITLE), NotBlank, NoControlsButBreaks, NoReordering]
DocumentType = Annotated[str, text(1, DOCUMENT_TYPE), NoReordering]
MeetingIds = Annotated[list[NamedId], Field(max_length=DOCUMENT_MEETINGS), AfterValidator(once_each)]


class DocumentBody(Body):
    """The fields of a document that a client sets."""

    title: DocumentTitle = ""
    """Title of the document. It must not be blank or contain control characters other than newlines and tabs."""
    document_type: DocumentType | None = None
    """Free classification such as `agenda`, `minutes`, `board_pack` or `policy`."""
    meeting_ids: MeetingIds | None = None
    """Identifiers of the linked meetings, all of them visible to you. A change replaces the links that you can see."""
    mime_type: Reference | None = None
    """Media type of the content such as `application/pdf`."""
    latest_version_id: Reference | None = None
    """Identifier of the latest version in another system that keeps the file."""
    committee_id: NamedId | None = None
    """Identifier of a committee that you are in. Only its members can see the document. Null means the whole board."""


class DocumentCreate(DocumentBody):
    """The document to create."""

    title: DocumentTitle


class DocumentPatch(DocumentBody, Patch):
    """The fields of the document to change; at least one. Null clears a field that may be null."""

    meeting_ids: MeetingIds = Field(default_factory=list)


class DocumentsQuery(ListQuery):
    """The parameters of the list of documents; a filter that matches nothing gives an empty page."""

    sort: Literal["updatedAt"] = "updatedAt"
    """The date to sort by. Documents are sorted by their last change."""
    meeting_id: str | None = None
    """Only documents that are linked to this meeting. The list is empty for a meeting that you cannot see."""
    document_type: str | None = None
    """Only documents of exactly this type."""
