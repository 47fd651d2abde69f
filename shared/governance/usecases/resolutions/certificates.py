"""Certificates of resolutions (an extension of the API, ADR resolutions)."""

from __future__ import annotations

from governance.domain.visibility import event_buckets
from governance.errors import Reason, conflict, not_found
from governance.ids import is_id
from governance.models.resolutions.certificate import Certificate
from governance.models.resolutions.resolution import StoredResolution
from governance.store import events
from governance.store.resolutions import certificates
from governance.store.resolutions.certificates import StoredCertificate
from governance.store.schema.entities import RESOLUTION
from governance.usecases.context import Context, RequestInfo
from governance.usecases.declarations import finds, loads, own_seats, prefetch
from governance.usecases.log_proofs import proof_of
from governance.usecases.resolutions.reading import visible_resolution


def _named(info: RequestInfo) -> StoredCertificate | None:
    """Reads the certificate of the resolution that the path names."""
    resolution_id = info.params["resolutionId"]
    return certificates.find(info.board_id, resolution_id) if is_id(resolution_id) else None


@loads(RESOLUTION, own_seats)
@prefetch(_named)
@finds(visible_resolution)
def get_certificate(_context: Context, resolution: StoredResolution, stored: StoredCertificate | None) -> Certificate:
    """Returns the certificate of a resolution; raises 409 `NOT_CLOSED` until the result is recorded."""
    return certificate_of(resolution, stored)


def certificate_of(resolution: StoredResolution, stored: StoredCertificate | None) -> Certificate:
    """Returns a certificate with the proof that the close of its resolution is logged, as far as it is by now.

    Raises 409 `NOT_CLOSED` without a certificate, and 404 for one whose event was lost, as by a restore of its board.
    """
    if stored is None:
        raise conflict(Reason.NOT_CLOSED)
    buckets = event_buckets(None, (resolution.committee_id,) if resolution.committee_id else ())
    leaf = events.find_leaf(resolution.board_id, buckets, stored.event_id)
    if leaf is None:
        raise not_found()
    return Certificate.of(stored.text, proof_of(stored.event_id, leaf))
