"""Board packs: request one, publish one (an extension of the API, ADR packs)."""

from __future__ import annotations

from collections.abc import Collection

from governance.domain.access.visibility import document_visibilities
from governance.domain.events.packs import BOARD_PACK_PUBLISHED
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.packs import board_pack as board_pack_rules
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.domain.quota import BOARD_PACKS
from governance.errors import not_found
from governance.limits import PAGE_MAX
from governance.models.documents.document import Document, StoredDocument
from governance.models.documents.document_version import LastPack, PackBody
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.meeting import StoredMeeting
from governance.store import quotas
from governance.store.documents import document_versions, documents
from governance.store.documents.documents import DocumentFilter
from governance.store.paging import Window
from governance.store.paper_requests import paper_requests
from governance.store.schema.entities import AGENDA, DOCUMENT, MEETING, PACK_OF_MEETING, VERSIONS_OF_DOCUMENT
from governance.store.table import read
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import creates, finds, loads, own_committees
from governance.usecases.documents import made_documents
from governance.usecases.documents.documents import (
    LinkedMeetings,
    record_document_event,
    to_resource,
    visible_document,
)
from governance.usecases.documents.readers import may_name
from governance.usecases.meetings.meetings import visible_meeting


def agenda_of(context: Context) -> StoredAgenda | None:
    """Returns the agenda of the meeting that the path names; None without one."""
    return context.stored_or_none(AGENDA, StoredAgenda)


def papers_of(
    context: Context, agenda: StoredAgenda | None, left_out: Collection[str] = ()
) -> dict[str, StoredDocument]:
    """Returns the papers of an agenda that the caller sees, by their ids, in their order, without those left out.

    Those in camera are left out for every caller: a pack shows others the same as its maker.
    """
    open_items = [item for item in (agenda.items if agenda else ()) if item.audience is None]
    named = [id_ for id_ in agenda_rules.papers_of(open_items) if id_ not in left_out]
    papers = documents.get_by_ids(context.board.id, named)
    return {id_: papers[id_] for id_ in named if id_ in papers and may_name(context, papers[id_])}


def _check_none_runs(context: Context) -> LastPack | None:
    """Returns the last pack of the meeting. Raises 409 `PACK_RUNNING` while it is being made, unless it was deleted."""
    last = context.stored_or_none(PACK_OF_MEETING, LastPack)
    if last is not None:
        ids = {"boardId": context.board.id, "documentId": last.document_id}
        document, versions = DOCUMENT.key_for(**ids), VERSIONS_OF_DOCUMENT.key_for(**ids)
        items = read([document, versions])
        board_pack_rules.check_none_runs(
            last, document_versions.from_item(items.get(versions)) if document in items else None
        )
    return last


def _not_approved(context: Context, meeting: StoredMeeting) -> Collection[str]:
    """Returns the ids of the documents that were requested for a meeting and are not approved."""
    return paper_request_rules.not_approved(paper_requests.requests_of_meeting(context.board.id, meeting.id))


@creates(DOCUMENT, "documentId", visible_document)
@loads(MEETING, AGENDA, PACK_OF_MEETING, own_committees)
@finds(visible_meeting)
def create_meeting_pack(context: Context, meeting: StoredMeeting, body: PackBody) -> Outcome[Document]:
    """Creates the document of a pack, whose file is made after the response.

    Raises 409: `MEETING_IS_DRAFT`, `MIXED_READERS` for papers of two committees, or `PACK_RUNNING` while another pack
    of the meeting is made; 429 after the last one of the board's packs of this day.
    """
    board_pack_rules.check_packable(meeting)
    left_out = _not_approved(context, meeting) if body.approved_only else ()
    committee_id = board_pack_rules.committee_of(papers_of(context, agenda_of(context), left_out).values())
    last = _check_none_runs(context)
    language = context.language
    document = board_pack_rules.document(meeting, committee_id, context.principal, language, context.now)
    versions = board_pack_rules.versions(document, meeting.id, context.now, approved_only=body.approved_only)
    (version,) = versions.versions
    of_packs = [
        document_versions.set_last_pack(document, meeting.id, last, version),
        quotas.count_use(BOARD_PACKS, document.board_id, context.now),
    ]
    return made_documents.create(context, document, versions, of_packs)


def _newest_ready(context: Context, meeting: StoredMeeting) -> board_pack_rules.ReadyPack:
    """Returns the newest pack of the meeting that the caller can read now. Raises 404 without one."""
    visibilities = document_visibilities(context.committee_ids)
    of_meeting = DocumentFilter(meeting.id, board_pack_rules.PACK_DOCUMENT_TYPE)
    listed = documents.list_visible(context.board.id, visibilities, of_meeting, Window(PAGE_MAX, descending=True))
    versions = document_versions.of_documents(listed.documents)
    newest = board_pack_rules.newest_ready(listed.documents, versions)
    if newest is None:
        raise not_found()
    return newest


@loads(MEETING, own_committees)
@finds(visible_meeting)
def publish_meeting_pack(context: Context, meeting: StoredMeeting) -> Outcome[Document]:
    """Notifies the readers of the newest ready pack of the meeting that it can be read; once for each version.

    Raises 409 `MEETING_IS_DRAFT`, and 404 where no pack is ready.
    """
    board_pack_rules.check_packable(meeting)
    pack = _newest_ready(context, meeting)
    resource = to_resource(pack.document, LinkedMeetings(context, pack.document.meeting_ids))
    if pack.version.published_at is not None:
        return Outcome(resource, [])
    published = board_pack_rules.published(pack, context.now)
    event = record_document_event(
        context, BOARD_PACK_PUBLISHED, pack.document, pack.version.id, meeting.id, meeting_title=meeting.title
    )
    return Outcome(resource, [document_versions.replace(pack.versions, published), *event])
