"""Forgets uploads that were never completed, a day after they began (ADR documents)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from governance.delivery_queue import Message
from governance.domain.documents import board_pack as pack_rules
from governance.domain.documents import document_version as rules
from governance.errors import suppress_not_found
from governance.ids import BoardId
from governance.store.documents import document_versions, file_bytes, papers
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads


def forget_upload(body: Mapping[str, Any]) -> Iterable[Message]:
    """Deletes an upload that was not completed, and what its form brought, whenever that was; never a version's file.

    The file is deleted also if its document was deleted during the upload.
    """
    board_id, document_id, version_id = BoardId(body["boardId"]), str(body["documentId"]), str(body["versionId"])
    ids = board_id, document_id, version_id
    is_kept = retry_stale_reads(partial(_is_kept, *ids))
    papers.delete([papers.upload_key(*ids)] if is_kept else papers.keys(*ids))
    return []


def _is_kept(board_id: BoardId, document_id: str, version_id: str) -> bool:
    """Returns whether the version has a file that stays; a pack that failed has none.

    A version that is still uploading is deleted, or marked as failed if it is a pack.
    """
    with suppress_not_found():
        versions = rules.existing(document_versions.of_document(board_id, document_id))
        version = rules.find(versions, version_id)
        if version.status != "uploading":
            return version.status != "failed"
        new = pack_rules.forgotten(versions, version)
        transact([document_versions.replace(versions, new), *file_bytes.changes(versions, new)])
    return False
