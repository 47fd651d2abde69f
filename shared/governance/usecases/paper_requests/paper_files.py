"""The files that are sent for a paper request and make up a document of their own (an extension of the API, ADR
paper-requests)."""

from __future__ import annotations

from governance.domain.documents import document_version as document_version_rules
from governance.domain.events import paper_requests as events
from governance.domain.meetings import meeting as meeting_rules
from governance.domain.paper_requests import paper_request as paper_request_rules
from governance.errors import not_found
from governance.ids import UserId
from governance.models.documents.document_version import (
    DocumentVersion,
    DocumentVersionCreate,
    StoredVersion,
    StoredVersions,
)
from governance.models.meetings.meeting import StoredMeeting
from governance.models.paper_requests.paper_request import OPEN, StoredPaperRequest
from governance.settings import settings
from governance.store.documents import document_versions, file_bytes
from governance.store.meetings import meetings
from governance.store.paper_requests import paper_requests
from governance.store.schema.entities import (
    FILE_BYTES_COUNT,
    MEETING,
    PAPER_REQUEST,
    VERSIONS_OF_DOCUMENT,
    VERSIONS_OF_PAPER,
)
from governance.store.schema.keys import Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, renewed_by
from governance.usecases.documents.document_versions import Requested, declare, kept, scan, with_form, with_new_form
from governance.usecases.meetings.meetings import visible_meeting
from governance.usecases.paper_requests.paper_requests import record, requested_paper


def deliverable(context: Context) -> StoredPaperRequest:
    """Returns the request that the path names. Raises 404, then 403 unless the caller is who is asked."""
    request = context.find(requested_paper)
    paper_request_rules.check_deliverer(request, context.user_id)
    return request


def versions_of_paper(info: RequestInfo) -> list[Key | None]:
    """Loads the files that were sent for the request, whether they wait for its approval or have it."""
    ids = {"boardId": info.board_id, "documentId": info.params["paperRequestId"]}
    return [entity.key_or_none(**ids) for entity in (VERSIONS_OF_PAPER, VERSIONS_OF_DOCUMENT)]


def stored_versions(context: Context) -> StoredVersions | None:
    """Returns the files that were sent for the request; None if there are none."""
    id_ = context.params["paperRequestId"]
    found = (context.item(entity, documentId=id_) for entity in (VERSIONS_OF_PAPER, VERSIONS_OF_DOCUMENT))
    return document_versions.from_item(next(filter(None, found), None))


def _requested(context: Context) -> Requested:
    """Returns the file that the path names. Raises 404 for none.

    An approved paper is a document with readers of its own: 404 also for a file of it that the caller did not send.
    """
    requested = requested_file(context, context.find(deliverable))
    if not requested.versions.waits and requested.version.created_by_user_id != context.user_id:
        raise not_found()
    return requested


def requested_file(context: Context, request: StoredPaperRequest) -> Requested:
    """Returns the file of a request that the path names. Raises 404 for none."""
    versions = document_version_rules.existing(stored_versions(context))
    version = document_version_rules.find(versions, context.params["versionId"])
    return Requested(paper_request_rules.made_document(request, versions), versions, version)


def _with_form(context: Context, recorded: str) -> str:
    """Returns a recorded response with a newly signed form. Raises 404, or 403 for who is not asked any more."""
    context.find(deliverable)
    return with_form(context, recorded, stored_versions(context))


@renewed_by(_with_form)
@loads(MEETING, PAPER_REQUEST, versions_of_paper, FILE_BYTES_COUNT)
@finds(visible_meeting, deliverable)
def create_paper_version(
    context: Context, meeting: StoredMeeting, request: StoredPaperRequest, body: DocumentVersionCreate
) -> Outcome[DocumentVersion]:
    """Declares a file of the paper, and returns the form by which it is sent to the bucket.

    Raises 409: `DECIDED`, `MEETING_FINALIZED`, or `LIMIT_REACHED` for as many files, or bytes of the board, as may be.
    """
    return declare_file(context, meeting, request, body, context.known_user_id)


def declare_file(
    context: Context, meeting: StoredMeeting, request: StoredPaperRequest, body: DocumentVersionCreate, user_id: UserId
) -> Outcome[DocumentVersion]:
    """Returns the outcome of a file that is declared for a request, in the name of a user. Raises as above."""
    check_wanted(meeting, request)
    old = stored_versions(context)
    declared = document_version_rules.declared(body, user_id, context.now)
    document = paper_request_rules.made_document(request, old)
    new = document_version_rules.added(document, old, declared).model_copy(update={"waits": True})
    writes = [
        meetings.check_open_state(meeting),
        paper_requests.check_unchanged(request),
        *declare(context, old, new, declared),
    ]
    return with_new_form(Requested(document, new, declared), writes)


@loads(MEETING, PAPER_REQUEST, versions_of_paper)
@finds(visible_meeting, _requested)
def complete_paper_version(context: Context, meeting: StoredMeeting, requested: Requested) -> Outcome[DocumentVersion]:
    """Delivers the paper, once the bucket has the declared file; repeated, it does nothing.

    Raises 409: `UPLOAD_INCOMPLETE` if the file is absent, or not the declared one, `DECIDED` or `MEETING_FINALIZED`.
    """
    return complete_file(context, meeting, context.find(deliverable), requested)


def complete_file(
    context: Context, meeting: StoredMeeting, request: StoredPaperRequest, requested: Requested
) -> Outcome[DocumentVersion]:
    """Returns the outcome of a file whose upload is completed. Raises as above."""
    if requested.has_arrived:
        return Outcome(requested.resource, [])
    check_wanted(meeting, request)
    version = kept(context, requested)
    return Outcome(*arrived(context, meeting, request, requested.versions, version))


def check_wanted(meeting: StoredMeeting, request: StoredPaperRequest) -> None:
    """Raises 409 if nobody waits for the paper: `MEETING_FINALIZED`, or `DECIDED`."""
    meeting_rules.check_editable(meeting)
    paper_request_rules.check_wanted(request)


def arrived(
    context: Context,
    meeting: StoredMeeting,
    request: StoredPaperRequest,
    versions: StoredVersions,
    version: StoredVersion,
) -> tuple[DocumentVersion, list[Write]]:
    """Returns a version whose file has arrived, with the writes that deliver it, or have it scanned first."""
    if not settings().malware_protection:
        return delivered(context, meeting, request, versions, version)
    scanned, writes = scan(context, versions, version)
    checks = [meetings.check_open_state(meeting), paper_requests.check_unchanged(request)]
    return document_version_rules.to_resource(request.id, scanned), [*checks, *writes]


def delivered(
    context: Context, meeting: StoredMeeting, old: StoredPaperRequest, read: StoredVersions, arrived: StoredVersion
) -> tuple[DocumentVersion, list[Write]]:
    """Returns a version that is ready to be read, with the writes that deliver it, unless nobody waits for it now."""
    versions = document_version_rules.completed(read, arrived)
    version = document_version_rules.find(versions, arrived.id)
    writes = [document_versions.replace(read, versions), *file_bytes.changes(read, versions)]
    if old.status in OPEN:
        new = paper_request_rules.delivered(old, old.id, context.now)
        writes += [
            meetings.check_open_state(meeting),
            *paper_requests.replace(old, new, context.now),
            *record(
                context,
                events.PAPER_REQUEST_DELIVERED,
                meeting,
                new,
                unregistered_user_id=new.asked.unregistered_user_id,
            ),
        ]
    return document_version_rules.to_resource(old.id, version), writes
