"""The rules of board packs: the committee of their document, and the states of its version (ADR packs)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from governance.domain.access.access import Principal
from governance.domain.documents.document_version import replaced, without
from governance.errors import Reason, conflict
from governance.ids import BoardId, new_id, time_ordered_id
from governance.instants import Instant, millis, shift
from governance.limits import (
    DOCUMENT_TITLE,
    FILE_NAME,
    PACK_ATTEMPT_SECONDS,
    PACK_ATTEMPTS,
    PACK_BYTES,
    PACK_PAPER_PAGES,
    PACK_REASON,
)
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import (
    BIDIRECTIONAL,
    LastPack,
    SealedMinutes,
    StoredVersion,
    StoredVersions,
)
from governance.models.meetings.meeting import StoredMeeting
from governance.texts import DEFAULT, Language, text

PACK_DOCUMENT_TYPE = "board_pack"
PDF = "application/pdf"
_NOT_IN_NAMES = frozenset('/\\:*?"<>|')
"""Characters that no file name of Windows may contain."""


class ReadyPack(NamedTuple):
    """A pack that can be read: a document, its versions, and the latest of them."""

    document: StoredDocument
    versions: StoredVersions
    version: StoredVersion


class Failure(StrEnum):
    """Why a pack could not be made; the texts say what helps."""

    BROKEN = "broken"
    ENCRYPTED = "encrypted"
    TOO_LONG = "too_long"
    TOO_HEAVY = "too_heavy"
    TOO_LARGE = "too_large"
    TOO_MUCH = "too_much"
    REFUSED = "refused"
    MIXED_READERS = "mixed_readers"
    LONG_BOOK = "long_book"
    GAVE_UP = "gave_up"


_OF_FILES = frozenset({Failure.TOO_LONG, Failure.TOO_HEAVY, Failure.REFUSED, Failure.GAVE_UP})
"""The failures of certificates, minutes and minute books, too: these are made of no papers."""


class PackFailed(Exception):
    """A pack cannot be made; `paper` is the title of the paper, or of the certificate or minutes, to blame."""

    def __init__(self, failure: Failure, paper: str = "") -> None:
        super().__init__(failure)
        self.failure = failure
        self.paper = paper


def check_packable(meeting: StoredMeeting) -> None:
    """Raises 409 `MEETING_IS_DRAFT` for a draft: its pack would show it to others."""
    if meeting.status == "draft":
        raise conflict(Reason.MEETING_IS_DRAFT)


def check_none_runs(last: LastPack | None, versions: StoredVersions | None) -> None:
    """Raises 409 `PACK_RUNNING` while the last pack, whose document has these versions, is being made."""
    listed = versions.versions if versions else ()
    if last is not None and any(version.id == last.version_id and version.status == "uploading" for version in listed):
        raise conflict(Reason.PACK_RUNNING)


def committees_of(papers: Iterable[StoredDocument]) -> set[str]:
    """Returns the committees whose papers are among these."""
    return {paper.committee_id for paper in papers if paper.committee_id is not None}


def committee_of(papers: Iterable[StoredDocument]) -> str | None:
    """Returns the committee that a pack of these papers belongs to; None for the board.

    Raises 409 `MIXED_READERS` for papers of two committees: a pack must not show a paper to members who may not read
    it.
    """
    committees = committees_of(papers)
    if len(committees) > 1:
        raise conflict(Reason.MIXED_READERS)
    return next(iter(committees), None)


def document(
    meeting: StoredMeeting, committee_id: str | None, principal: Principal, language: Language, now: Instant
) -> StoredDocument:
    """Returns the document of a new pack."""
    title = text(language, "pack.title", title=meeting.title)
    made = document_to_make(meeting.board_id, title, PACK_DOCUMENT_TYPE, meeting.id, principal, now)
    return made.model_copy(update={"committee_id": committee_id})


def document_to_make(
    board_id: BoardId, title: str, document_type: str, meeting_id: str | None, principal: Principal, now: Instant
) -> StoredDocument:
    """Returns a new document whose PDF the service makes, linked to a meeting if it is about one."""
    return StoredDocument(
        id=new_id(),
        board_id=board_id,
        title=title[:DOCUMENT_TITLE],
        document_type=document_type,
        meeting_ids=(meeting_id,) if meeting_id else (),
        creator_id=principal.user_id,
        created_by_user_id=principal.named_user_id,
        created_at=now,
        updated_at=now,
    )


def versions(pack: StoredDocument, meeting_id: str, now: Instant, *, approved_only: bool = False) -> StoredVersions:
    """Returns the versions of a new pack: the one that is still to be made."""
    return versions_to_make(pack, now, packed_meeting_id=meeting_id, packed_approved_only=approved_only)


def versions_to_make(
    document: StoredDocument,
    now: Instant,
    *,
    packed_meeting_id: str | None = None,
    packed_approved_only: bool = False,
    certified_resolution_id: str | None = None,
    sealed_minutes: SealedMinutes | None = None,
    sealed_book_year: str | None = None,
) -> StoredVersions:
    """Returns the versions of a new document whose PDF the service makes, of what is named."""
    made = StoredVersion(
        id=time_ordered_id(millis(now)),
        file_name=file_name(document.title),
        mime_type=PDF,
        size=0,
        sha256="",
        status="uploading",
        created_by_user_id=document.created_by_user_id,
        created_at=now,
        packed_meeting_id=packed_meeting_id,
        packed_approved_only=packed_approved_only,
        certified_resolution_id=certified_resolution_id,
        sealed_minutes=sealed_minutes,
        sealed_book_year=sealed_book_year,
    )
    return StoredVersions(board_id=document.board_id, document_id=document.id, versions=(made,))


def file_name(title: str) -> str:
    """Returns the name of the file of a pack with this title."""
    kept = "".join(
        char if char.isprintable() and char not in _NOT_IN_NAMES else "-" for char in BIDIRECTIONAL.sub("", title)
    )
    return kept[: FILE_NAME - len(".pdf")] + ".pdf"


def check_attempts(version: StoredVersion) -> None:
    """Raises `PackFailed` for a pack whose `PACK_ATTEMPTS` attempts were all killed."""
    if version.pack_attempts >= PACK_ATTEMPTS:
        raise PackFailed(Failure.GAVE_UP)


def attempted(version: StoredVersion, now: Instant) -> StoredVersion:
    """Returns the version with one more attempt, leased so that no other attempt starts while it may run."""
    until = shift(now, seconds=PACK_ATTEMPT_SECONDS)
    return version.model_copy(update={"pack_attempts": version.pack_attempts + 1, "pack_leased_until": until})


def packed(version: StoredVersion, size: int, sha256: str) -> StoredVersion:
    """Returns the version whose file has been made."""
    return version.model_copy(update={"size": size, "sha256": sha256, "pack_leased_until": None})


def failed(version: StoredVersion, failure: PackFailed, language: Language) -> StoredVersion:
    """Returns the version that could not be made, with the reason in words."""
    reason = text(
        language,
        _words(version, failure.failure),
        paper=failure.paper,
        pages=PACK_PAPER_PAGES,
        megabytes=PACK_BYTES // 1024**2,
        year=version.sealed_book_year,
    )
    update = {"status": "failed", "reason": reason[:PACK_REASON], "pack_leased_until": None}
    return version.model_copy(update=update)


def _words(version: StoredVersion, failure: Failure) -> str:
    """Returns the key of the text for a failure; what also ends other files than packs has a text for those."""
    is_of_file = version.packed_meeting_id is None and failure in _OF_FILES
    return f"pack.failed.file.{failure}" if is_of_file else f"pack.failed.{failure}"


def newest_ready(documents: Iterable[StoredDocument], versions: Iterable[StoredVersions]) -> ReadyPack | None:
    """Returns the newest pack that can be read, by its document's latest version; None without one."""
    of_documents = {listed.document_id: listed for listed in versions}
    ready = [
        ReadyPack(document, of_documents[document.id], version)
        for document in documents
        if document.id in of_documents
        for version in of_documents[document.id].versions
        if version.id == document.latest_version_id and version.status == "ready"
    ]
    return max(ready, key=lambda pack: pack.version.id, default=None)


def published(pack: ReadyPack, now: Instant) -> StoredVersions:
    """Returns the versions of a pack's document, of which its own has been published."""
    return replaced(pack.versions, pack.version.model_copy(update={"published_at": now}))


def forgotten(versions: StoredVersions, version: StoredVersion) -> StoredVersions:
    """Returns the versions after an upload expired: without that one, or with it as failed if the service makes it."""
    if not version.is_made:
        return without(versions, version)
    return replaced(versions, failed(version, PackFailed(Failure.GAVE_UP), DEFAULT))
