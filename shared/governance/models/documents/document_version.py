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
"""Status of a version: the file has not arrived (`uploading`), is being scanned (`scanning`), can be read (`ready`),
was deleted after the scan (`rejected`), or could not be made by the service (`failed`).
"""
Disposition = Literal["attachment", "inline"]
"""Whether a browser saves a file (`attachment`) or shows it (`inline`)."""
UploadFields = dict[str, str]
"""The fields of a form by name, such as `key` and `policy`."""
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
"""A media type that documents can have. Browsers run files of none of these types."""
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
    "image/jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "image/png": (".png",),
    "image/tiff": (".tif", ".tiff"),
    "image/webp": (".webp",),
    "text/csv": (".csv",),
    "text/plain": (".txt", ".text", ".md", ".log", ".tsv"),
}
"""The extensions of each media type. Types that a browser or a system would run must not be added."""
ENDING = r"\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{2,}$"
"""What systems take for the ending of a name, as a regular expression: not the day of `Minutes 3.12`."""
SHOWN_INLINE = frozenset({"application/pdf", "image/jpeg", "image/png", "image/webp", "text/plain"})
"""The types that a browser shows and never runs."""

_UNSURE = re.compile(rf"{ENDING}|[.\s]$")
"""Names that have an ending, or have one for systems that drop dots and blanks at the end."""
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
    """Name of the file, without a path."""
    mime_type: str
    """Media type of the file."""
    size: int
    """Size of the file in bytes; null until a file that the service makes is ready."""
    sha256: str
    """SHA-256 of the file, in hexadecimal digits; null until a file that the service makes is ready."""
    status: VersionStatus
    """`uploading` until the file is uploaded or made by the service, `scanning` during the scan for malware, `ready`
    when the file can be read, `rejected` if the file did not pass the scan and was deleted, `failed` if the service
    could not make it.
    """
    reason: str | None = None
    """Why the file was rejected or could not be made, and what helps, in the language of the user who added the
    version; otherwise null.
    """
    created_by_user_id: UserId
    """Identifier of the user who added the version; for a board token, the admin who created the token."""
    created_at: Instant
    published_at: Instant | None = None
    """When it was published as the board pack of a meeting, which notifies its readers; otherwise null."""

    @property
    def saved_as(self) -> str:
        """The name that a download gets: with an ending, so that its reader's system knows what opens it."""
        endings = EXTENSIONS.get(self.mime_type, ())
        is_named = not endings or self.file_name.lower().endswith(endings)
        return self.file_name if is_named else f"{self.file_name}{endings[0]}"


class SealedMinutes(Stored):
    """The minutes of which a version is the sealed file: of a meeting, in one of their versions."""

    meeting_id: str
    number: int


class StoredVersion(VersionFields, Stored):
    """A version as it is stored.

    A board pack's version names its meeting, a certificate's its resolution, that of sealed minutes their version, a
    minute book's its year; a copy of sealed minutes that was signed elsewhere is judged before it is complete.
    `packed_approved_only` leaves out papers that were requested and not approved. Until the file is made, the size is 0
    and the checksum empty; no other attempt to make it begins before `pack_leased_until`. `scanned_from` is when the
    scan of its file began, and `arrived_at` when its form came to an end, because the file was complete.
    """

    packed_meeting_id: str | None = None
    packed_approved_only: bool = False
    certified_resolution_id: str | None = None
    sealed_minutes: SealedMinutes | None = None
    sealed_book_year: str | None = None
    is_signed_copy: bool = False
    pack_attempts: int = 0
    pack_leased_until: Instant | None = None
    scanned_from: Instant | None = None
    arrived_at: Instant | None = None

    @property
    def is_made(self) -> bool:
        """Whether the service makes the file, which nobody may send."""
        return self.is_sealed or bool(self.packed_meeting_id or self.certified_resolution_id)

    @property
    def is_sealed(self) -> bool:
        """Whether the service makes the file and seals it."""
        return self.sealed_minutes is not None or self.sealed_book_year is not None


class StoredVersions(Stored):
    """All versions of a document, newest first; the document `waits` while it was made for a paper and not approved."""

    board_id: BoardId
    document_id: str
    versions: tuple[StoredVersion, ...]
    waits: bool = False
    version: int = 1


class LastPack(Stored):
    """The board pack of a meeting that was requested last: another one waits until it is made, failed or deleted."""

    document_id: str
    version_id: str


class PackBody(Body):
    """How to make a board pack. The body is optional."""

    optional = True

    approved_only: bool = False
    """Whether to leave out papers that were delivered for a paper request of the meeting and are not approved."""


class UploadForm(Resource):
    """A form to upload one file with.

    It works for $UPLOAD_SECONDS_IN_WORDS. Anybody who has the form can upload this file, but no other.
    """

    url: str
    """Address to post the form to, as `multipart/form-data`."""
    fields: UploadFields
    """The fields of the form. Send all of them before the file."""


class DocumentVersion(VersionFields, ApiObject):
    """A file of a document."""

    object: Literal["document_version"] = "document_version"
    document_id: str
    """Identifier of the document."""
    size: int | None  # type: ignore[assignment]
    sha256: str | None  # type: ignore[assignment]
    upload: UploadForm | None = None
    """The form to upload the file with. Only in the response that creates the version; otherwise null."""


class Download(ApiObject):
    """An address of a file."""

    object: Literal["download"] = "download"
    url: str
    """The address, a secret that works for $DOWNLOAD_SECONDS_IN_WORDS."""
    expires_at: Instant
    """When the address stops working."""


class DocumentVersionCreate(Body):
    """The file to add."""

    file_name: FileName
    """Name of the file, without a path, control characters or characters that change the direction of text. An
    extension must match the media type, such as `.pdf`; a download of a file without one gets one.
    """
    mime_type: FileType
    """Media type of the file. Files that a browser would run, such as HTML and SVG, are refused."""
    size: Annotated[int, Field(ge=1, le=FILE_BYTES)]
    """Size of the file in bytes."""
    sha256: Annotated[str, StringConstraints(pattern=_SHA256.pattern)]
    """SHA-256 of the file, as 64 hexadecimal digits in lower case."""

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
    """Returns the error of a name whose extension is not one of the type."""
    name, endings = value.get("fileName"), EXTENSIONS.get(str(value.get("mimeType")))
    if not isinstance(name, str) or not name.strip() or endings is None or name.lower().endswith(endings):
        return ""
    if not _UNSURE.search(name):
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
    """Whether a browser saves the file (`attachment`) or shows it (`inline`). Only PDF, PNG, JPEG, WebP and plain text
    can be shown; files of other types are always saved.
    """
