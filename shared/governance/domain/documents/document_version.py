"""The rules of a document's versions: how many, when a file has arrived, which one is the latest (ADR documents)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from governance.errors import Reason, conflict, invalid_body, not_found
from governance.ids import UserId, time_ordered_id
from governance.instants import Instant, millis, seconds_until, shift
from governance.limits import (
    DOCUMENT_VERSIONS,
    SCAN_FIRST_SECONDS,
    SCAN_HOURS,
    SCAN_LONGEST_SECONDS,
    UPLOAD_HOURS,
    UPLOAD_SECONDS,
)
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import (
    SHOWN_INLINE,
    Disposition,
    DocumentVersion,
    DocumentVersionCreate,
    StoredVersion,
    StoredVersions,
    UploadForm,
)
from governance.texts import Language, text


class Verdict(StrEnum):
    """What a scan for malware means for a file."""

    CLEAN = "clean"
    THREAT = "threat"
    NOT_SCANNED = "not_scanned"
    """The scanner could not tell, for example because the file has a password."""


_CLOCK_SECONDS = 60
"""The most by which the bucket's clock and ours may differ."""
_VERDICTS = {"NO_THREATS_FOUND": Verdict.CLEAN, "THREATS_FOUND": Verdict.THREAT}
"""What the results of GuardDuty mean; any other result does not say that the file is clean."""
_KEPT_BACK = {"scanning": Reason.FILE_IS_SCANNED, "rejected": Reason.FILE_REJECTED}


@dataclass(frozen=True)
class ReceivedFile:
    """A file as the bucket reports it; `sha256` is in hexadecimal digits, None if the bucket has none."""

    size: int
    mime_type: str
    sha256: str | None


def declared(body: DocumentVersionCreate, user_id: UserId, now: Instant) -> StoredVersion:
    """Returns a new version, whose file is still to come."""
    return StoredVersion(
        **body.model_dump(),
        id=time_ordered_id(millis(now)),
        status="uploading",
        created_by_user_id=user_id,
        created_at=now,
    )


def added(document: StoredDocument, old: StoredVersions | None, new: StoredVersion) -> StoredVersions:
    """Returns the versions with a new one; raises 409 `LIMIT_REACHED` if the document has as many as it may have."""
    before = old.versions if old else ()
    if len(before) >= DOCUMENT_VERSIONS:
        raise conflict(Reason.LIMIT_REACHED)
    return StoredVersions(
        board_id=document.board_id,
        document_id=document.id,
        versions=tuple(sorted((new, *before), key=lambda version: version.id, reverse=True)),
        version=old.version + 1 if old else 1,
    )


def existing(versions: StoredVersions | None) -> StoredVersions:
    """Returns the versions of a document; raises 404 if it never had one."""
    if versions is None:
        raise not_found()
    return versions


def find(versions: StoredVersions, version_id: str) -> StoredVersion:
    """Returns one of the versions; raises 404 if there is none with this id."""
    matches = [version for version in versions.versions if version.id == version_id]
    if not matches:
        raise not_found()
    return matches[0]


def is_declared(version: StoredVersion, received: ReceivedFile | None) -> bool:
    """Returns whether the bucket has exactly the file that was declared."""
    return received == ReceivedFile(version.size, version.mime_type, version.sha256)


def check_unjudged(version: StoredVersion) -> None:
    """Raises 404 for a version that is judged before it is complete."""
    if version.is_signed_copy:
        raise not_found()


def check_arrived(version: StoredVersion, received: ReceivedFile | None) -> None:
    """Raises 409 `UPLOAD_INCOMPLETE` unless the bucket has exactly the file that was declared."""
    if not is_declared(version, received):
        raise conflict(Reason.UPLOAD_INCOMPLETE)


def check_ready(version: StoredVersion) -> None:
    """Raises 409 for a version without a file to read.

    `FILE_IS_SCANNED` or `FILE_REJECTED` if malware protection keeps it back, otherwise `UPLOAD_INCOMPLETE`.
    """
    if version.status != "ready":
        raise conflict(_KEPT_BACK.get(version.status, Reason.UPLOAD_INCOMPLETE))


def may_be_sent(version: StoredVersion, now: Instant) -> bool:
    """Returns whether a form may be signed again: it must expire before the upload is forgotten."""
    ends_at = shift(now, seconds=UPLOAD_SECONDS)
    return version.status == "uploading" and not version.is_made and ends_at < forgotten_at(version)


def sent_again(version: StoredVersion | None, sent_at: Instant) -> bool:
    """Returns whether the file that a form brought last came after the form's end; True for a deleted version."""
    if version is None:
        return True
    return version.arrived_at is not None and seconds_until(sent_at, version.arrived_at) > _CLOCK_SECONDS


def scanning(version: StoredVersion, now: Instant) -> StoredVersion:
    """Returns the version whose file has arrived and is scanned for malware."""
    return version.model_copy(update={"status": "scanning", "scanned_from": now})


def scan_due_at(version: StoredVersion) -> Instant:
    """Returns when the result of a scan is asked for first."""
    return shift(version.scanned_from or version.created_at, seconds=SCAN_FIRST_SECONDS)


def next_scan_seconds(version: StoredVersion, now: Instant) -> float:
    """Returns the seconds until the result of a scan is asked for again: the time taken so far, within bounds."""
    scanned = -seconds_until(version.scanned_from or version.created_at, now)
    return min(max(scanned, SCAN_FIRST_SECONDS), SCAN_LONGEST_SECONDS)


def verdict(version: StoredVersion, result: str | None, now: Instant) -> Verdict | None:
    """Returns what the result of a scan means; None while there is none. After a day without one, the scan failed."""
    if result is not None:
        return _VERDICTS.get(result, Verdict.NOT_SCANNED)
    is_over = now >= shift(version.scanned_from or version.created_at, hours=SCAN_HOURS)
    return Verdict.NOT_SCANNED if is_over else None


def rejected(version: StoredVersion, why: Verdict, language: Language) -> StoredVersion:
    """Returns the version whose file may not be read, with the reason in words."""
    return version.model_copy(update={"status": "rejected", "reason": text(language, f"file.rejected.{why}")})


def forgotten_at(version: StoredVersion) -> Instant:
    """Returns when an upload that has not been completed is forgotten."""
    return shift(version.created_at, hours=UPLOAD_HOURS)


def completed(versions: StoredVersions, version: StoredVersion) -> StoredVersions:
    """Returns the versions after the file of one of them arrived."""
    return replaced(versions, version.model_copy(update={"status": "ready"}))


def replaced(versions: StoredVersions, version: StoredVersion) -> StoredVersions:
    """Returns the versions with one of them changed."""
    return _with(versions, tuple(version if old.id == version.id else old for old in versions.versions))


def without(versions: StoredVersions, version: StoredVersion) -> StoredVersions:
    """Returns the versions without one of them."""
    return _with(versions, tuple(other for other in versions.versions if other.id != version.id))


def _with(versions: StoredVersions, listed: tuple[StoredVersion, ...]) -> StoredVersions:
    return versions.model_copy(update={"versions": listed, "version": versions.version + 1})


def as_latest(version: StoredVersion | None) -> dict[str, Any]:
    """Returns the changes of a document that gets this latest version, or none."""
    if version is None:
        return {"latest_version_id": None, "mime_type": None}
    return {"latest_version_id": version.id, "mime_type": version.mime_type}


def newest_ready(versions: StoredVersions) -> StoredVersion | None:
    """Returns the newest version whose file has arrived; None if there is none."""
    return next((version for version in versions.versions if version.status == "ready"), None)


def with_latest(document: StoredDocument, versions: StoredVersions | None, changes: dict[str, Any]) -> dict[str, Any]:
    """Returns the changes that a client asks for, with what follows for the latest version and its type.

    For a document without versions, both are free text. Otherwise raises 400 for a type that is not that of the latest
    version, and as `_named_as_latest` does.
    """
    if not versions or not versions.versions:
        return changes
    named = _named_as_latest(document, versions, changes["latest_version_id"]) if "latest_version_id" in changes else {}
    mime_type = named.get("mime_type", document.mime_type)
    if changes.get("mime_type", mime_type) != mime_type:
        raise invalid_body({"mimeType": "must be the type of the latest version; leave it out"})
    return {**changes, **named}


def _named_as_latest(document: StoredDocument, versions: StoredVersions, latest_id: str | None) -> dict[str, Any]:
    """Returns the changes of a document whose latest version a client names.

    The current value is always accepted. Otherwise raises 400 unless it is a version whose file has arrived; None is
    accepted if no file has.
    """
    if latest_id == document.latest_version_id:
        return {"latest_version_id": latest_id}
    ready = {version.id: version for version in versions.versions if version.status == "ready"}
    if latest_id is None and not ready:
        return as_latest(None)
    if latest_id not in ready:
        raise invalid_body({"latestVersionId": "must be the id of a version of this document that is ready"})
    return as_latest(ready[latest_id])


def disposition(version: StoredVersion, asked: Disposition) -> Disposition:
    """Returns how a browser is to treat a file: it shows only types that it never runs."""
    return asked if version.mime_type in SHOWN_INLINE else "attachment"


def to_resource(document_id: str, version: StoredVersion, upload: UploadForm | None = None) -> DocumentVersion:
    """Returns a version as clients see it, with the form of its upload if it has just been created."""
    made = {"size": version.size or None, "sha256": version.sha256 or None}
    return DocumentVersion.model_validate({**vars(version), **made, "document_id": document_id, "upload": upload})
