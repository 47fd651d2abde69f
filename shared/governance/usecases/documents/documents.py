"""Documents: list, create, read, change, delete (the API specification, sections 2.6 and 4.2; ADR documents)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from governance.domain.access.visibility import DOCUMENTS_IN_CAMERA, Visibility, can_see_meeting, document_visibilities
from governance.domain.documents import document as document_rules
from governance.domain.documents.document_version import with_latest
from governance.domain.events import documents as events
from governance.domain.events.kind import EventKind
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.errors import not_found
from governance.ids import is_id, new_id
from governance.limits import PAGE_MAX
from governance.models.base import Deleted
from governance.models.documents.document import Document, DocumentCreate, DocumentPatch, DocumentsQuery, StoredDocument
from governance.models.meetings.meeting import StoredMeeting
from governance.models.page import Page
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.store.decoding import decode_or_none
from governance.store.documents import document_versions, document_views, documents
from governance.store.documents.documents import DocumentBatch, DocumentFilter
from governance.store.schema.entities import (
    DOCUMENT,
    DOCUMENT_VIEW,
    MEETING,
    PAPER_REQUEST,
    VERSIONS_OF_DOCUMENT,
    VERSIONS_OF_PAPER,
)
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.committees.contents import update_counts
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, own_committees, prefetch
from governance.usecases.documents.readers import seen_among
from governance.usecases.event_writes import record_event


class LinkedMeetings:
    """The ids of meetings that documents are linked to, by whether the caller may see them."""

    def __init__(self, context: Context, meeting_ids: Iterable[str]) -> None:
        existing = documents.linked_meetings(context.board.id, meeting_ids)
        self.visible = {known for known, meeting in existing.items() if can_see_meeting(context.user_id, meeting)}
        self.hidden = existing.keys() - self.visible


def to_resource(document: StoredDocument, links: LinkedMeetings) -> Document:
    """Returns the document with the meetings of it that exist and that the caller may see."""
    meeting_ids = [meeting_id for meeting_id in document.meeting_ids if meeting_id in links.visible]
    return Document.model_validate({**document.item(), "meetingIds": meeting_ids})


def visible_document(context: Context) -> StoredDocument:
    """Returns the document that the path names; raises 404 if the caller is not on its committee or in its audience."""
    document = context.stored_or_none(DOCUMENT, StoredDocument)
    if document is None or not seen_among(context, [document]):
        raise not_found()
    return document


def paper_made(info: RequestInfo) -> list[Key | None]:
    """Loads what is made for a paper request and waits for its approval under the id of a document, which it has."""
    board_id, document_id = info.board_id, info.params["documentId"]
    return [
        PAPER_REQUEST.key_or_none(boardId=board_id, paperRequestId=document_id),
        VERSIONS_OF_PAPER.key_or_none(boardId=board_id, documentId=document_id),
    ]


def waiting_document(context: Context) -> StoredDocument | None:
    """Returns the document under the path's id that waits for its approval; None if the caller sees none there."""
    versions = document_versions.from_item(context.item(VERSIONS_OF_PAPER))
    item = context.item(PAPER_REQUEST, paperRequestId=context.params["documentId"])
    request = decode_or_none(StoredPaperRequest, item)
    if request is None or versions is None:
        return None
    is_seen = paper_request_rules.sees_made(request, context.user_id, context.tier)
    return paper_request_rules.made_document(request, versions) if is_seen else None


def readable_document(context: Context) -> StoredDocument:
    """Returns the document that the path names, also one that waits for its approval; raises 404 if it is hidden."""
    return context.find(waiting_document) or context.find(visible_document)


def _filter(query: DocumentsQuery) -> DocumentFilter:
    return DocumentFilter(query.meeting_id, query.document_type)


def _board_documents(info: RequestInfo) -> DocumentBatch:
    """Reads the documents outside committees, which do not depend on the caller."""
    return _documents(info, document_visibilities(()))


def _in_camera(info: RequestInfo) -> DocumentBatch:
    """Reads the documents in camera, whoever they are for."""
    return _documents(info, (DOCUMENTS_IN_CAMERA,))


def _documents(info: RequestInfo, visibilities: tuple[Visibility, ...]) -> DocumentBatch:
    """Reads the first documents of these visibilities; none for a malformed meeting id."""
    query = info.query_as(DocumentsQuery)
    if query.meeting_id is not None and not is_id(query.meeting_id):
        return DocumentBatch()
    return documents.list_visible(info.board_id, visibilities, _filter(query), info.window(query))


def _filtered_meeting_key(info: RequestInfo) -> list[Key | None]:
    meeting_id = info.query.meeting_id if isinstance(info.query, DocumentsQuery) else None
    return [MEETING.key_or_none(boardId=info.board_id, meetingId=meeting_id)]


@loads(_filtered_meeting_key, own_committees)
@prefetch(_board_documents, _in_camera)
def list_documents(
    context: Context, of_board: DocumentBatch, in_camera: DocumentBatch, query: DocumentsQuery
) -> Page[Document]:
    """Returns a page of the documents that the caller may see, by update; none of a meeting that they may not see."""
    if query.meeting_id is not None and not _sees_meeting(context, query.meeting_id):
        return Page([])
    window = context.window(query)
    committee_buckets = document_visibilities(context.committee_ids)[1:]
    of_committees = documents.list_visible(context.board.id, committee_buckets, _filter(query), window)
    page, position = documents.merge([of_board, of_committees, _seen(context, in_camera, query)], window)
    links = LinkedMeetings(context, (meeting_id for document in page for meeting_id in document.meeting_ids))
    return Page([to_resource(document, links) for document in page], position)


def _seen(context: Context, batch: DocumentBatch, query: DocumentsQuery) -> DocumentBatch:
    """Returns the documents in camera that are for the caller: those of a page and one more, as far as there are."""
    window, seen = context.window(query), list[StoredDocument]()
    while True:
        ids = seen_among(context, batch.documents)
        seen += [document for document in batch.documents if document.id in ids]
        if batch.last is None or len(seen) > window.limit:
            return DocumentBatch(seen)
        part = replace(window, limit=PAGE_MAX, after=batch.last)
        batch = documents.list_visible(context.board.id, (DOCUMENTS_IN_CAMERA,), _filter(query), part)


def _sees_meeting(context: Context, meeting_id: str) -> bool:
    item = context.item(MEETING, meetingId=meeting_id)
    return item is not None and can_see_meeting(context.user_id, StoredMeeting.model_validate(item))


@creates(DOCUMENT, "documentId", visible_document)
@loads(own_committees)
def create_document(context: Context, body: DocumentCreate) -> Outcome[Document]:
    """Creates a document.

    Its meetings must be visible to the caller, who must sit on its committee if it has one.
    """
    links = LinkedMeetings(context, body.meeting_ids or [])
    document_rules.check_links(body.meeting_ids or [], links.visible, body.committee_id, context.committee_ids)
    principal = context.principal
    document = StoredDocument.model_validate(
        {
            **body.model_dump(),
            "meeting_ids": tuple(body.meeting_ids or ()),
            "id": new_id(),
            "board_id": context.board.id,
            "creator_id": principal.user_id,
            "created_by_user_id": principal.named_user_id,
            "created_at": context.now,
            "updated_at": context.now,
        }
    )
    writes = [*documents.create(document), *update_counts(context, None, document.committee_id)]
    return Outcome(to_resource(document, links), writes)


def own_view(info: RequestInfo) -> list[Key | None]:
    """Loads when the calling user last viewed the document; for `@loads`, if `record_view` is called."""
    return [DOCUMENT_VIEW.key_or_none(**info.params, callerId=info.user_id)]


@loads(DOCUMENT, paper_made, own_committees, own_view)
@finds(readable_document)
def get_document(context: Context, document: StoredDocument) -> Outcome[Document]:
    """Returns one document, and records once an hour that the caller viewed it, whatever the board's billing state.

    Nothing is recorded of a paper that waits for its approval: it is in no event.
    """
    resource = to_resource(document, LinkedMeetings(context, document.meeting_ids))
    viewed = [] if context.find(waiting_document) else record_view(context, document)
    return Outcome(resource, viewed, only_records=True)


def record_view(context: Context, document: StoredDocument) -> list[Write]:
    """Returns the writes that record a view; none within an hour of the last one."""
    caller_id = context.principal.id
    if context.user_id is None:  # the views of a board token can be read only once it is authenticated
        is_recorded = document_views.was_recorded(caller_id, document.id, context.now)
    else:
        is_recorded = document_views.is_recent(context.item(DOCUMENT_VIEW, callerId=caller_id), context.now)
    if is_recorded:
        return []
    return [
        document_views.note(caller_id, document.id, context.now),
        *record_document_event(context, events.DOCUMENT_VIEWED, document),
    ]


def changeable_document(context: Context) -> StoredDocument:
    """Returns the document that the path names; raises 404, then 403 if the caller may not change it."""
    document = context.find(visible_document)
    document_rules.check_changeable(document, context.tier, context.principal)
    return document


@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, own_committees)
@finds(changeable_document)
def update_document(context: Context, old: StoredDocument, body: DocumentPatch) -> Outcome[Document]:
    """Changes the fields of a document that the body names; links to meetings hidden from the caller are kept.

    The latest version of a document that has files is one of them, and its type is the document's (400 otherwise).
    """
    changes = body.changes()
    links = LinkedMeetings(context, {*old.meeting_ids, *body.meeting_ids})
    document_rules.check_links(body.meeting_ids, links.visible, changes.get("committee_id"), context.committee_ids)
    if "meeting_ids" in changes:
        changes["meeting_ids"] = document_rules.merge_links(body.meeting_ids, old.meeting_ids, links.hidden)
    versions = document_versions.from_item(context.item(VERSIONS_OF_DOCUMENT))
    writes: list[Write] = []
    if changes.keys() & {"latest_version_id", "mime_type"}:
        changes = with_latest(old, versions, changes)
        writes += [document_versions.check_unchanged(versions)] if versions else []
    new = document_rules.patched(old, changes, context.now)
    writes += documents.replace(old, new)
    writes += update_counts(context, old.committee_id, new.committee_id)
    if document_rules.drops_version(old, new) and not (versions and versions.versions):
        writes += record_document_event(context, events.DOCUMENT_VERSION_DELETED, new)
    return Outcome(to_resource(new, links), writes)


@loads(DOCUMENT, own_committees)
@finds(changeable_document)
def delete_document(context: Context, document: StoredDocument) -> Outcome[Deleted]:
    """Deletes a document, with its links to meetings."""
    writes = [*documents.delete(document), *update_counts(context, document.committee_id, None)]
    return Outcome(Deleted(), [*writes, *record_document_event(context, events.DOCUMENT_DELETED, document)])


D = TypeVar("D", bound=events.OfDocument)


def record_document_event(
    context: Context,
    kind: EventKind[D],
    document: StoredDocument,
    version_id: str | None = None,
    meeting_id: str | None = None,
    **more: Any,
) -> list[Write]:
    """Records an event of a document, whose payload may have `more` fields.

    A document of a committee or in camera is not named by its title, as other admins see the log.
    """
    of_document = kind.payload(document_id=document.id, version_id=version_id, meeting_id=meeting_id, **more)
    if document.committee_id is None and document.audience is None:
        of_document = of_document.model_copy(update={"id": document.id, "title": document.title})
    return record_event(context, kind, of_document, committee_id=document.committee_id)
