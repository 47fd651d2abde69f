"""The versions of documents: their files' names, types, sizes, checksums and states (ADR documents)."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.limits import FILE_BYTES, FILE_NAME
from governance.models.base import ApiObject, Body, Query, Resource, Stored
from governance.models.text import NoControls, NotBlank, text

VersionStatus = Literal["uploading", "scanning", "ready", "rejected", "failed"]
Disposition = Literal["attachment", "inline"]
UploadFields = dict[str, str]
FileType = Literal[
    "application/msword",
    "application/pdf",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "image/webp",
    "text/csv",
    "text/plain",
]
EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "application/msword": (".doc",),
    "application/pdf": (".pdf",),
    "application/vnd.ms-excel": (".xls",),
    "application/vnd.ms-powerpoint": (".ppt",),
    "application/vnd.oasis.opendocument.presentation": (".odp",),
    "application/vnd.oasis.opendocument.spreadsheet": (".ods",),
    "application/vnd.oasis.opendocument.text": (".odt",),
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": (".pptx",),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": (".xlsx",),
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": (".docx",),
    "image/gif": (".gif",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/tiff": (".tif", ".tiff"),
    "image/webp": (".webp",),
    "text/csv": (".csv",),
    "text/plain": (".txt", ".text", ".md"),
}
"""The extensions of each media type. Types that a browser or a system would run must not be added."""
SHOWN_INLINE = frozenset({"application/pdf", "image/jpeg", "image/png", "image/webp", "text/plain"})
"""The types that a browser shows and never runs."""

_PATH = re.compile(r"[/\\]")
_SHA256 = re.compile("^[0-9a-f]{64}$")
BIDIRECTIONAL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def no_path(name: str) -> str:
    """Returns a file name. Raises `ValueError` for one with a path."""
    if _PATH.search(name):
        raise ValueError("must be a name without a path: no / and no \\")
    return name


def no_bidirectional(name: str) -> str:
    """Returns a file name. Raises `ValueError` for one that reads as another, such as `fdp.exe` as `exe.pdf`."""
    if BIDIRECTIONAL.search(name):
        raise ValueError("must not contain characters that change the direction of text")
    return name


FileName = Annotated[
    str, text(1, FILE_NAME), NotBlank, NoControls, AfterValidator(no_path), AfterValidator(no_bidirectional)
]


class VersionFields(Resource):
    """The fields of a version that clients see, besides the document."""

    id: str
    file_name: str
    mime_type: str
    size: int
    sha256: str
    status: VersionStatus
    reason: str | None = None
    created_by_user_id: UserId
    created_at: Instant


class StoredVersion(VersionFields, Stored):
    """A version as it is stored.

    A board pack's version names its meeting, a certificate's its resolution. Until the file is made, the size is 0 and
    the checksum empty; no other attempt to make it begins before `pack_leased_until`. `scanned_from` is when the scan
    of its file began, and `arrived_at` when its form came to an end, because the file was complete.
    """

    packed_meeting_id: str | None = None
    certified_resolution_id: str | None = None
    pack_attempts: int = 0
    pack_leased_until: Instant | None = None
    scanned_from: Instant | None = None
    arrived_at: Instant | None = None

    @property
    def is_made(self) -> bool:
        """Whether the service makes the file, which nobody may send."""
        return self.packed_meeting_id is not None or self.certified_resolution_id is not None


class StoredVersions(Stored):
    """All versions of a document, newest first."""

    board_id: BoardId
    document_id: str
    versions: tuple[StoredVersion, ...]
    version: int = 1


class LastPack(Stored):
    """The board pack of a meeting that was requested last: another one waits until it is made, failed or deleted."""

    document_id: str
    version_id: str


class UploadForm(Resource):
    """The form by which a file is sent straight to the bucket."""

    url: str
    fields: UploadFields


class DocumentVersion(VersionFields, ApiObject):
    """A version of a document; only the response that creates it has `upload`.

    The size and the checksum of a board pack are not known before it is made.
    """

    object: Literal["document_version"] = "document_version"
    document_id: str
    size: int | None  # type: ignore[assignment]
    sha256: str | None  # type: ignore[assignment]
    upload: UploadForm | None = None


class Download(ApiObject):
    """The address of a file, which works for two minutes."""

    object: Literal["download"] = "download"
    url: str
    expires_at: Instant


class DocumentVersionCreate(Body):
    """The file that a client is about to send."""

    file_name: FileName
    mime_type: FileType
    size: Annotated[int, Field(ge=1, le=FILE_BYTES)]
    sha256: Annotated[str, StringConstraints(pattern=_SHA256.pattern)]

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the errors of the file, in terms of files."""
        errors = {
            "fileName": _of_name(value),
            "size": _of_size(value.get("size")),
            "sha256": _of_digest(value.get("sha256")),
        }
        return {name: sentence for name, sentence in errors.items() if sentence}


def _of_name(value: Mapping[str, Any]) -> str:
    """Returns the error of a name whose extension does not match the type."""
    name, endings = value.get("fileName"), EXTENSIONS.get(str(value.get("mimeType")))
    if not isinstance(name, str) or not name.strip() or endings is None or name.lower().endswith(endings):
        return ""
    return f"must end in {' or '.join(endings)}, as its mimeType says"


def _of_size(size: object) -> str:
    """Returns the error of an empty or too large file."""
    if type(size) is int and size < 1:
        return "must be at least 1 byte; the file is empty"
    if type(size) is int and size > FILE_BYTES:
        return f"must be at most {FILE_BYTES} bytes ({FILE_BYTES >> 20} MB)"
    return ""


def _of_digest(digest: object) -> str:
    """Returns the error of a malformed checksum."""
    if not isinstance(digest, str) or _SHA256.fullmatch(digest):
        return ""
    return "must be the SHA-256 of the file: 64 hexadecimal digits, 0 to 9 and a to f"


class ContentQuery(Query):
    """How a browser treats the file: it saves it, or shows it if its type allows that."""

    disposition: Disposition = "attachment"
