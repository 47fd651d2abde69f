"""Documents whose PDF is made after the response: packs, certificates, minutes and minute books (ADR packs)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.domain.events.packs import BOARD_PACK_REQUESTED
from governance.models.documents.document import Document, StoredDocument
from governance.models.documents.document_version import StoredVersions
from governance.store.documents import document_versions, documents
from governance.store.writes import Write
from governance.usecases.committees.contents import update_counts
from governance.usecases.context import Context, Outcome
from governance.usecases.documents.documents import LinkedMeetings, record_document_event, to_resource


def create(
    context: Context, document: StoredDocument, versions: StoredVersions, more: Iterable[Write] = ()
) -> Outcome[Document]:
    """Creates a document with the version that is to be made; its event starts the making."""
    (version,) = versions.versions
    meeting_id = next(iter(document.meeting_ids), None)
    writes = [
        *documents.create(document),
        *update_counts(context, None, document.committee_id),
        document_versions.replace(None, versions),
        document_versions.forget_later(versions, version),
        *more,
        *record_document_event(context, BOARD_PACK_REQUESTED, document, version.id, meeting_id),
    ]
    return Outcome(to_resource(document, LinkedMeetings(context, document.meeting_ids)), writes)
