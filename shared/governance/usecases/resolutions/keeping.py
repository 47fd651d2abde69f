"""Keeps certificates outside the table, so that a restore of the table takes none back (ADR restore)."""

from __future__ import annotations

from governance.domain.resolutions.visibility import event_visibilities_of
from governance.ids import BoardId
from governance.store.history import events
from governance.store.resolutions import certificates, kept_certificates, resolutions
from governance.store.resolutions.kept_certificates import KeptCertificate
from governance.store.transactions import transact


class CertificateTakenError(Exception):
    """Another certificate has the number: of a time that a restore of the table undid, and that nobody replayed."""


def keep(board_id: BoardId, resolution_id: str) -> None:
    """Keeps the certificate of a resolution outside the table; from then on it may be read.

    Does nothing for one that is gone with its board, or was kept before. Raises `CertificateTakenError`, and 503 if the
    bucket does not answer.
    """
    stored, resolution = certificates.find_written(board_id, resolution_id), resolutions.find(board_id, resolution_id)
    body = resolutions.read_body(board_id, resolution_id)
    if stored is None or stored.is_kept or resolution is None or body is None:
        return
    event = events.find_logged(board_id, event_visibilities_of(resolution), stored.event_id)
    if event is None:
        return
    if not kept_certificates.keep(KeptCertificate.of(resolution, body, stored, event)):
        raise CertificateTakenError
    transact([certificates.mark_kept(board_id, resolution_id)])
