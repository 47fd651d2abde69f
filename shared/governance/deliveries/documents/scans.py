"""Asks for the results of malware scans, and accepts or rejects the files (ADR documents)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from governance.domain.access.access import Principal
from governance.domain.documents import document_version as document_version_rules
from governance.domain.documents.document_version import Verdict
from governance.errors import not_found, suppress_not_found
from governance.ids import BoardId
from governance.instants import now
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import DocumentVersion, StoredVersion, StoredVersions
from governance.models.queue import DeliveryKind
from governance.queue.message import Message
from governance.store.account import users
from governance.store.boards import boards
from governance.store.documents import document_versions, file_bytes, papers
from governance.store.meetings import meetings
from governance.store.paper_requests import paper_requests
from governance.store.schema.entities import DOCUMENT
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Write, retry_stale_reads
from governance.texts import language_of
from governance.usecases.context import Context
from governance.usecases.documents.document_versions import ready
from governance.usecases.paper_requests.paper_files import delivered


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
    scanned: StoredVersion | None = None
    with suppress_not_found():
        if versions := document_versions.of_any(board_id, document_id):
            scanned = _after(versions, document_version_rules.find(versions, version_id), result)
    return scanned


def _after(versions: StoredVersions, version: StoredVersion, result: str | None) -> StoredVersion:
    why = document_version_rules.verdict(version, result, now())
    if version.status != "scanning" or why is None:
        return version
    return _pass(versions, version) if why is Verdict.CLEAN else _reject(versions, version, why)


def _pass(versions: StoredVersions, version: StoredVersion) -> StoredVersion:
    """Makes a version ready, and delivers the paper that it is of. Raises 404 for what was deleted."""
    user = users.find(version.created_by_user_id)
    principal = Principal(user, None) if user else None
    context = Context(now=now(), known_principal=principal, known_board=boards.find(versions.board_id))
    resource, writes = (_deliver if versions.waits else _add)(context, versions, version)
    transact(context.while_board_exists(writes))
    return version.model_copy(update={"status": resource.status})


def _add(context: Context, versions: StoredVersions, version: StoredVersion) -> tuple[DocumentVersion, list[Write]]:
    item = read_one(DOCUMENT.key_for(boardId=versions.board_id, documentId=versions.document_id))
    if item is None:
        raise not_found()
    return ready(context, StoredDocument.model_validate(item), versions, version)


def _deliver(context: Context, versions: StoredVersions, version: StoredVersion) -> tuple[DocumentVersion, list[Write]]:
    request = paper_requests.find(versions.board_id, versions.document_id)
    meeting = meetings.find(versions.board_id, request.meeting_id) if request else None
    if request is None or meeting is None:
        raise not_found()
    if request.asked.unregistered_user_id is not None:  # the file is the requester's, who did not deliver it
        context = replace(context, known_principal=None)
    return delivered(context, meeting, request, versions, version)


def _reject(versions: StoredVersions, version: StoredVersion, why: Verdict) -> StoredVersion:
    user = users.find(version.created_by_user_id)
    rejected = document_version_rules.rejected(version, why, language_of(user.language if user else None))
    new = document_version_rules.replaced(versions, rejected)
    transact([document_versions.replace(versions, new), *file_bytes.changes(versions, new)])
    return rejected
