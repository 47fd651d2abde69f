"""Documents: list, create, read, change, delete (the API specification, sections 2.6 and 4.2; ADR 0050)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain import document as rules
from governance.domain.visibility import can_see_document, can_see_meeting, document_buckets
from governance.errors import not_found
from governance.ids import is_id, new_id
from governance.models.base import Deleted
from governance.models.document import Document, DocumentCreate, DocumentPatch, DocumentsQuery, StoredDocument
from governance.models.event import Event
from governance.models.meeting import StoredMeeting
from governance.models.page import Page
from governance.store import boards, committees, documents
from governance.store.documents import DocumentBatch, DocumentFilter
from governance.store.paging import Window
from governance.store.schema import DOCUMENT, MEETING, Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo, loads, prefetch
from governance.usecases.events import record_event


class Links:
    """Meetings that documents are linked to, read together: which of them this caller may see."""

    def __init__(self, context: Context, meeting_ids: Iterable[str]) -> None:
        found = documents.linked_meetings(context.board.id, meeting_ids)
        self.visible = {known for known, meeting in found.items() if can_see_meeting(context.user_id, meeting)}
        self.hidden = found.keys() - self.visible


def to_resource(document: StoredDocument, links: Links) -> Document:
    """The document with those of its meetings that the caller may see; a deleted meeting is nobody's to see."""
    meeting_ids = [meeting_id for meeting_id in document.meeting_ids if meeting_id in links.visible]
    return Document.model_validate({**document.item(), "meetingIds": meeting_ids})


def _committee_ids(context: Context) -> tuple[str, ...]:
    return context.membership.committee_ids if context.membership else ()


def visible_document(context: Context) -> StoredDocument:
    """The document that the path names; one of a committee that the caller is not in is as if it were not there."""
    item = context.item(DOCUMENT)
    document = StoredDocument.model_validate(item) if item else None
    if document is None or not can_see_document(_committee_ids(context), document.committee_id):
        raise not_found()
    return document


def _filter(query: DocumentsQuery) -> DocumentFilter:
    return DocumentFilter(query.meeting_id, query.document_type)


def _board_wide(ask: RequestInfo) -> DocumentBatch:
    """The run of the board's own documents: it depends on nobody's committees, so it is read beside the caller."""
    board_id, query = ask.params["boardId"], ask.query
    if not is_id(board_id) or not isinstance(query, DocumentsQuery) or not is_id(query.meeting_id or board_id):
        return DocumentBatch()
    window = Window(query.limit, query.order == "desc", ask.after)
    return documents.list_buckets(board_id, document_buckets(()), _filter(query), window)


def _filtered_meeting(ask: RequestInfo) -> list[Key | None]:
    wanted = ask.query.meeting_id if isinstance(ask.query, DocumentsQuery) else None
    return [MEETING.key(boardId=ask.params["boardId"], meetingId=wanted)] if wanted else []


@loads(_filtered_meeting)
@prefetch(_board_wide)
def list_documents(context: Context, query: DocumentsQuery) -> Page[Document]:
    """A page of what the caller may see, by update; a meeting that he may not see has no documents for him."""
    if query.meeting_id is not None and not _sees_meeting(context, query.meeting_id):
        return Page([])
    window = context.window(query)
    of_committees = document_buckets(_committee_ids(context))[1:]
    others = documents.list_buckets(context.board.id, of_committees, _filter(query), window)
    page, position = documents.merge(context.prefetched, others, window)
    links = Links(context, (meeting_id for document in page for meeting_id in document.meeting_ids))
    return Page([to_resource(document, links) for document in page], position)


def _sees_meeting(context: Context, meeting_id: str) -> bool:
    item = context.item(MEETING, meetingId=meeting_id)
    return item is not None and can_see_meeting(context.user_id, StoredMeeting.model_validate(item))


def create_document(context: Context, body: DocumentCreate) -> Outcome[Document]:
    """A new document, linked to meetings that the writer may see, in a committee that he is in, or the board's."""
    links = Links(context, body.meeting_ids or [])
    rules.check_links(body.meeting_ids or [], links.visible, body.committee_id, _committee_ids(context))
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
    moved = _moved(context, None, document.committee_id)
    return Outcome(
        to_resource(document, links), [boards.check_exists(context.board.id), *documents.create(document), *moved]
    )


@loads(DOCUMENT)
def get_document(context: Context) -> Outcome[Document]:
    """One document; that it was read is written down, whatever the board's billing state."""
    document = visible_document(context)
    return Outcome(
        to_resource(document, Links(context, document.meeting_ids)), _record(context, Event.DOCUMENT_VIEWED, document)
    )


@loads(DOCUMENT)
def update_document(context: Context, body: DocumentPatch) -> Outcome[Document]:
    """The document with these members changed; links that the writer cannot see are not his to remove."""
    old = visible_document(context)
    rules.check_changeable(old, context.tier, context.principal)
    changes = body.changes()
    links = Links(context, {*old.meeting_ids, *body.meeting_ids})
    rules.check_links(body.meeting_ids, links.visible, changes.get("committee_id"), _committee_ids(context))
    if "meeting_ids" in changes:
        changes["meeting_ids"] = rules.merge_links(body.meeting_ids, old.meeting_ids, links.hidden)
    new = rules.patched(old, changes, context.now)
    writes: list[Write] = [boards.check_exists(context.board.id), *documents.replace(old, new)]
    writes += _moved(context, old.committee_id, new.committee_id)
    if rules.drops_version(old, new):
        writes += _record(context, Event.DOCUMENT_VERSION_DELETED, new)
    return Outcome(to_resource(new, links), writes)


@loads(DOCUMENT)
def delete_document(context: Context) -> Outcome[Deleted]:
    """The document is gone, from its meetings and its committee too."""
    document = visible_document(context)
    rules.check_changeable(document, context.tier, context.principal)
    writes = [*documents.delete(document), *_moved(context, document.committee_id, None)]
    return Outcome(Deleted(), [*writes, *_record(context, Event.DOCUMENT_DELETED, document)])


def _moved(context: Context, before: str | None, after: str | None) -> list[Write]:
    """The committees' counts of their documents follow; the writer must still be in the one that takes it in."""
    if before == after:
        return []
    board_id = context.board.id
    left = [committees.remove_document(board_id, before)] if before else []
    entered = [committees.add_document(board_id, after, context.own_membership.id)] if after else []
    return left + entered


def _record(context: Context, event: Event, document: StoredDocument) -> list[Write]:
    """The audit log is open to admins who are in no committee: of its documents it tells the act, not the title."""
    named = {"id": document.id, "title": document.title} if document.committee_id is None else {}
    refs = {"documentId": document.id}
    return record_event(context, event, refs=refs, details=named, committee_id=document.committee_id)
