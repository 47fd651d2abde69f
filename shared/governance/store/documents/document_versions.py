"""The versions of a document: one item under the document, however many there are (ADR documents)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.domain.documents.document_version import forgotten_at, scan_due_at
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import LastPack, StoredVersion, StoredVersions
from governance.models.queue import DeliveryKind, DueMessage
from governance.store import due
from governance.store.decoding import decode_all
from governance.store.documents import papers
from governance.store.schema.entities import PACK_OF_MEETING, VERSIONS_OF_DOCUMENT, VERSIONS_OF_PAPER
from governance.store.schema.keys import SEPARATOR, Item, Key, make_item
from governance.store.table import read, read_one
from governance.store.writes import ABSENT, Check, Delete, Put, Write, equals

_SK_START, _SK_END = VERSIONS_OF_DOCUMENT.sk.split("{documentId}")


def _key(versions: StoredVersions) -> Key:
    entity = VERSIONS_OF_PAPER if versions.waits else VERSIONS_OF_DOCUMENT
    return entity.key_for(boardId=versions.board_id, documentId=versions.document_id)


def from_item(item: Item | None) -> StoredVersions | None:
    """Returns the versions in an item; None without one."""
    return StoredVersions.model_validate(item) if item else None


def of_document(board_id: BoardId, document_id: str) -> StoredVersions | None:
    """Returns the versions of a document, with one read; None if it never had one."""
    return from_item(read_one(VERSIONS_OF_DOCUMENT.key_for(boardId=board_id, documentId=document_id)))


def of_paper(board_id: BoardId, document_id: str) -> StoredVersions | None:
    """Returns the versions of a document that waits for its approval; None if there are none."""
    return from_item(read_one(VERSIONS_OF_PAPER.key_for(boardId=board_id, documentId=document_id)))


def of_any(board_id: BoardId, document_id: str) -> StoredVersions | None:
    """Returns the versions of a document, also of one that waits for its approval; None if it never had one."""
    keys = [
        entity.key_for(boardId=board_id, documentId=document_id) for entity in (VERSIONS_OF_DOCUMENT, VERSIONS_OF_PAPER)
    ]
    return from_item(next(iter(read(keys).values()), None))


def of_documents(documents: Iterable[StoredDocument]) -> list[StoredVersions]:
    """Returns the versions of those of these documents that have any, with one batch."""
    keys = [VERSIONS_OF_DOCUMENT.key_for(boardId=document.board_id, documentId=document.id) for document in documents]
    return decode_all(StoredVersions, read(keys).values())


def to_item(versions: StoredVersions) -> Item:
    """Returns the versions as they are stored."""
    return make_item(_key(versions), versions.item())


def replace(old: StoredVersions | None, new: StoredVersions) -> Write:
    """Returns the write of a document's versions. It fails with `StaleRead` if they changed since they were read."""
    return Put(to_item(new.in_place_of(old)), equals(version=old.version) if old else ABSENT)


def approve(versions: StoredVersions) -> list[Write]:
    """Returns the writes that move the versions of an approved paper among those of the board's documents."""
    moved = versions.model_copy(update={"waits": False, "version": versions.version + 1})
    return [delete(versions), replace(None, moved)]


def check_unchanged(versions: StoredVersions) -> Write:
    """Returns a check that the versions are as they were read."""
    return Check(_key(versions), equals(version=versions.version))


def delete(versions: StoredVersions) -> Write:
    """Returns the write that deletes the versions of a deleted document."""
    return Delete(_key(versions), equals(version=versions.version))


def forget_later(versions: StoredVersions, version: StoredVersion) -> Write:
    """Returns the write by which an upload is forgotten if it is not completed within a day."""
    return _later(DeliveryKind.UPLOAD, forgotten_at(version), versions, version)


def scan_later(versions: StoredVersions, version: StoredVersion) -> Write:
    """Returns the write of the message that asks for the result of a version's scan."""
    return _later(DeliveryKind.SCAN, scan_due_at(version), versions, version)


def _later(kind: DeliveryKind, due_at: Instant, versions: StoredVersions, version: StoredVersion) -> Write:
    body = {"boardId": versions.board_id, "documentId": versions.document_id, "versionId": version.id}
    return due.put(DueMessage(kind=kind, due_at=due_at, group=versions.board_id, subject_id=version.id, body=body))


def set_last_pack(document: StoredDocument, meeting_id: str, old: LastPack | None, version: StoredVersion) -> Write:
    """Returns the write of a meeting's last pack. It fails with `StaleRead` if another one was requested meanwhile."""
    key = PACK_OF_MEETING.key_for(boardId=document.board_id, meetingId=meeting_id)
    new = LastPack(document_id=document.id, version_id=version.id)
    return Put(make_item(key, new.item()), equals(versionId=old.version_id) if old else ABSENT)


def file_keys(item: Mapping[str, Any]) -> list[str]:
    """Returns the object keys of the files that an item of a board names; none unless the item holds versions."""
    start, end = item["SK"].startswith(_SK_START), item["SK"].endswith(_SK_END)
    if not start or not end:
        return []
    board_id = BoardId(item["PK"].partition(SEPARATOR)[2])
    document_id = item["SK"].removeprefix(_SK_START).removesuffix(_SK_END)
    return [key for version in item["versions"] for key in papers.keys(board_id, document_id, version["id"])]
