"""Certificates of resolutions (an extension of the API, ADR resolutions)."""

from __future__ import annotations

from governance.domain.packs.board_pack import versions_to_make
from governance.domain.resolutions.certificate import document_of
from governance.domain.resolutions.visibility import event_visibilities_of
from governance.errors import Reason, conflict, not_found
from governance.ids import is_id
from governance.models.documents.document import Document
from governance.models.resolutions.certificate import Certificate
from governance.models.resolutions.resolution import StoredResolution
from governance.store.history import events
from governance.store.resolutions import certificates
from governance.store.resolutions.certificates import StoredCertificate
from governance.store.schema.entities import DOCUMENT, RESOLUTION
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import creates, finds, loads, own_committees, prefetch
from governance.usecases.documents import made_documents
from governance.usecases.documents.documents import (
    visible_document,
)
from governance.usecases.history.log_proofs import proof_of
from governance.usecases.resolutions.reading import visible_resolution


def _named(info: RequestInfo) -> StoredCertificate | None:
    """Reads the certificate of the resolution that the path names."""
    resolution_id = info.params["resolutionId"]
    return certificates.find(info.board_id, resolution_id) if is_id(resolution_id) else None


@loads(RESOLUTION, own_committees)
@prefetch(_named)
@finds(visible_resolution)
def get_resolution_certificate(
    _context: Context, resolution: StoredResolution, stored: StoredCertificate | None
) -> Certificate:
    """Returns the certificate of a resolution; raises 409 `NOT_CLOSED` until the result is recorded."""
    return certificate_of(resolution, stored)


def certificate_of(resolution: StoredResolution, stored: StoredCertificate | None) -> Certificate:
    """Returns a certificate with the proof that the close of its resolution is logged, as far as it is by now.

    Raises 409 `NOT_CLOSED` without a certificate, and 404 for one whose event was lost, as by a restore of its board.
    """
    if stored is None:
        raise conflict(Reason.NOT_CLOSED)
    leaf = events.find_leaf(resolution.board_id, event_visibilities_of(resolution), stored.event_id)
    if leaf is None:
        raise not_found()
    return Certificate.of(stored.text, proof_of(stored.event_id, leaf))


@creates(DOCUMENT, "documentId", visible_document)
@loads(RESOLUTION, own_committees)
@prefetch(_named)
@finds(visible_resolution)
def create_resolution_certificate_document(
    context: Context, resolution: StoredResolution, stored: StoredCertificate | None
) -> Outcome[Document]:
    """Creates a document with the certificate as a PDF, which is made after the response.

    Raises 409 `NOT_CLOSED` until the result is recorded.
    """
    if stored is None:
        raise conflict(Reason.NOT_CLOSED)
    document = document_of(resolution, context.principal, context.now)
    versions = versions_to_make(document, context.now, certified_resolution_id=resolution.id)
    return made_documents.create(context, document, versions)
