"""Asks for the results of malware scans, and accepts or rejects the files (ADR documents)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from governance.domain.access.access import Principal
from governance.domain.documents import document_version as document_version_rules
from governance.domain.documents.document_version import Verdict
from governance.errors import suppress_not_found
from governance.ids import BoardId
from governance.instants import now
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import StoredVersion, StoredVersions
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.account import users
from governance.store.boards import boards
from governance.store.documents import document_versions, file_bytes, papers
from governance.store.schema.entities import DOCUMENT
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import retry_stale_reads
from governance.texts import language_of
from governance.usecases.context import Context
from governance.usecases.documents.document_versions import ready


def apply_scan_result(body: Mapping[str, Any]) -> Iterable[Message]:
    """Makes a version ready if its file is clean; deletes any other file. Without a result, asks again later."""
    board_id, document_id, version_id = BoardId(body["boardId"]), str(body["documentId"]), str(body["versionId"])
    key = papers.file_key(board_id, document_id, version_id)
    version = retry_stale_reads(partial(_with_result, board_id, document_id, version_id, papers.scan_result(key)))
    if version is None:
        return []
    if version.status == "scanning":
        return [Message(DeliveryKind.SCAN, board_id, body, document_version_rules.next_scan_seconds(version, now()))]
    if version.status == "rejected":
        papers.delete(papers.keys(board_id, document_id, version_id))
    return []


def _with_result(board_id: BoardId, document_id: str, version_id: str, result: str | None) -> StoredVersion | None:
    """Returns the version after the result of its scan; None if it was deleted."""
    item = read_one(DOCUMENT.key_for(boardId=board_id, documentId=document_id))
    scanned: StoredVersion | None = None
    with suppress_not_found():
        if item is not None:
            versions = document_version_rules.existing(document_versions.of_document(board_id, document_id))
            version = document_version_rules.find(versions, version_id)
            scanned = _after(StoredDocument.model_validate(item), versions, version, result)
    return scanned


def _after(
    document: StoredDocument, versions: StoredVersions, version: StoredVersion, result: str | None
) -> StoredVersion:
    why = document_version_rules.verdict(version, result, now())
    if version.status != "scanning" or why is None:
        return version
    return _pass(document, versions, version) if why is Verdict.CLEAN else _reject(versions, version, why)


def _pass(document: StoredDocument, versions: StoredVersions, version: StoredVersion) -> StoredVersion:
    user = users.find(version.created_by_user_id)
    principal = Principal(user, None) if user else None
    context = Context(now=now(), known_principal=principal, known_board=boards.find(document.board_id))
    resource, writes = ready(context, document, versions, version)
    transact(context.while_board_exists(writes))
    return version.model_copy(update={"status": resource.status})


def _reject(versions: StoredVersions, version: StoredVersion, why: Verdict) -> StoredVersion:
    user = users.find(version.created_by_user_id)
    rejected = document_version_rules.rejected(version, why, language_of(user.language if user else None))
    new = document_version_rules.replaced(versions, rejected)
    transact([document_versions.replace(versions, new), *file_bytes.changes(versions, new)])
    return rejected
