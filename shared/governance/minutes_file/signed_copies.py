"""Copies of the file of approved minutes that were signed elsewhere (an extension of the API, ADR minutes).

Their use cases are here, and not with the others, because a copy is judged by the libraries that seal.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from governance.domain.access.visibility import document_visibilities
from governance.domain.documents import document_version as version_rules
from governance.domain.meetings import minutes_file as file_rules
from governance.errors import ApiError, Code, not_found
from governance.limits import PAGE_MAX
from governance.minutes_file.jobs import is_ours
from governance.models.documents.document_version import (
    DocumentVersion,
    DocumentVersionCreate,
    StoredVersion,
)
from governance.models.meetings.meeting import StoredMeeting
from governance.store.documents import document_versions, documents, papers
from governance.store.documents.documents import DocumentFilter
from governance.store.paging import Window
from governance.store.schema.entities import FILE_BYTES_COUNT, MEETING
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, renewed_by
from governance.usecases.documents.document_versions import (
    Requested,
    arrived,
    declare,
    kept,
    with_form,
    with_new_form,
)
from governance.usecases.meetings.meetings import visible_meeting

NOT_OURS = (Code.NOT_OUR_FILE,)
"""The `codes` of a route that judges a copy."""


def _files_of(context: Context) -> list[Requested]:
    """Returns the versions of the documents of type `minutes` that are linked to the meeting, newest first."""
    meeting = context.find(visible_meeting)
    visibilities = document_visibilities(context.committee_ids)
    of_meeting = DocumentFilter(meeting.id, file_rules.DOCUMENT_TYPE)
    listed = documents.list_visible(context.board.id, visibilities, of_meeting, Window(PAGE_MAX, descending=True))
    by_id = {document.id: document for document in listed.documents}
    return [
        Requested(by_id[versions.document_id], versions, version)
        for versions in document_versions.of_documents(listed.documents)
        for version in versions.versions
    ]


def _sealed_file(context: Context) -> Requested:
    """Returns the newest sealed file of the meeting's minutes. Raises 404 before one is ready."""
    meeting = context.find(visible_meeting)
    sealed = [each for each in _files_of(context) if file_rules.is_sealed(each.version, meeting.id)]
    if not sealed:
        raise not_found()
    return max(sealed, key=lambda each: each.version.id)


def _requested(context: Context) -> Requested:
    """Returns the signed copy that the path names. Raises 404."""
    for each in _files_of(context):
        if each.version.id == context.params["versionId"] and each.version.is_signed_copy:
            return each
    raise not_found()


def _with_form(context: Context, recorded: str) -> str:
    """Returns a recorded response with a newly signed form, while the file may be sent."""
    document_id = json.loads(recorded)["data"]["documentId"]
    context.find(visible_meeting)
    return with_form(context, recorded, document_versions.of_document(context.board.id, document_id))


@renewed_by(_with_form)
@loads(MEETING, FILE_BYTES_COUNT, own_committees)
@finds(visible_meeting, _sealed_file)
def create_signed_minutes(
    context: Context, _meeting: StoredMeeting, sealed: Requested, body: DocumentVersionCreate
) -> Outcome[DocumentVersion]:
    """Declares a copy of the newest sealed file that was signed elsewhere, as a version of its document.

    Raises 404 before a file is ready, and as `create_document_version`.
    """
    declared = file_rules.declared(body, context.principal.named_user_id, context.now)
    new = version_rules.added(sealed.document, sealed.versions, declared)
    writes = [documents.check_unchanged(sealed.document), *declare(context, sealed.versions, new, declared)]
    return with_new_form(Requested(sealed.document, new, declared), writes)


@loads(MEETING, own_committees)
@finds(_requested)
def complete_signed_minutes(context: Context, requested: Requested) -> Outcome[DocumentVersion]:
    """Makes a signed copy the latest version of its document; repeated, it does nothing.

    Raises 409 `UPLOAD_INCOMPLETE` if the file is absent, or not the declared one, and 400 `NOT_OUR_FILE` for one that
    is not a sealed file of these minutes followed by signatures alone.
    """
    if requested.has_arrived:
        return Outcome(requested.resource, [])
    _check_ours(requested)
    version = kept(context, requested)
    return Outcome(*arrived(context, requested.document, requested.versions, version))


def _check_ours(requested: Requested) -> None:
    """Raises 400 `NOT_OUR_FILE`; a file that has not arrived is for its caller to refuse.

    The form of the upload is bound to the checksum, so what is judged here is what is kept.
    """
    chunks = papers.read(requested.upload_key) or papers.read(requested.file_key)
    if chunks is None:
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.pdf"
        with copy.open("wb") as file:
            file.writelines(chunks)
        sealed = [version for version in requested.versions.versions if version.sealed_minutes]
        ours = next((version for version in sealed if _begins_with(copy, version)), None)
        if ours is None or not is_ours(copy, ours.size):
            raise ApiError(Code.NOT_OUR_FILE)


def _begins_with(copy: Path, ours: StoredVersion) -> bool:
    """Returns whether a file begins with all bytes of a sealed one, and has more."""
    with copy.open("rb") as file:
        head = file.read(ours.size)
        return hashlib.sha256(head).hexdigest() == ours.sha256 and bool(file.read(1))
