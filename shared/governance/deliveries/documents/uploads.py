"""Forgets uploads that were never completed, a day after they began (ADR documents)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from governance import telemetry
from governance.domain.documents import document_version as document_version_rules
from governance.domain.packs import board_pack as pack_rules
from governance.ids import BoardId
from governance.models.documents.document_version import StoredVersion
from governance.queue.message import Message
from governance.store.documents import document_versions, file_bytes, papers
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.telemetry import Metric


def forget_upload(body: Mapping[str, Any]) -> Iterable[Message]:
    """Deletes an upload that was not completed, with all that its form brought, but never a version's file.

    The file is deleted also if its document was deleted during the upload. A form that was used after its end is
    counted: with it a client can send a gigabyte for each megabyte that it declares.
    """
    board_id, document_id, version_id = BoardId(body["boardId"]), str(body["documentId"]), str(body["versionId"])
    ids = board_id, document_id, version_id
    version = retry_stale_reads(partial(_forget_unless_arrived, *ids))
    sent_at = papers.sent_at(papers.upload_key(*ids))
    if sent_at is not None and document_version_rules.sent_again(version, sent_at):
        telemetry.count(Metric.FORMS_REUSED)
        telemetry.logger().warning("form used after its end", board=board_id, document=document_id, version=version_id)
    is_kept = version is not None and version.status not in {"uploading", "failed"}
    papers.delete([papers.upload_key(*ids)] if is_kept else papers.keys(*ids))
    return []


def _forget_unless_arrived(board_id: BoardId, document_id: str, version_id: str) -> StoredVersion | None:
    """Returns a version as it was, None if it was deleted; a pack that failed has no file.

    One that is still uploading is deleted, or marked as failed if it is a pack.
    """
    versions = document_versions.of_any(board_id, document_id)
    version = (
        next((candidate for candidate in versions.versions if candidate.id == version_id), None) if versions else None
    )
    if versions is not None and version is not None and version.status == "uploading":
        new = pack_rules.forgotten(versions, version)
        transact([document_versions.replace(versions, new), *file_bytes.changes(versions, new)])
    return version
