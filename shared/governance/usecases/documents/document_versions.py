"""The versions of documents: declare a file, complete its upload, list, read and delete (an extension, ADR
documents)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from governance.domain.documents import document_version as document_version_rules
from governance.domain.documents.document import check_changeable, patched
from governance.domain.events import documents as events
from governance.instants import shift
from governance.limits import DOWNLOAD_SECONDS
from governance.models.base import Deleted
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import (
    ContentQuery,
    DocumentVersion,
    DocumentVersionCreate,
    Download,
    StoredVersion,
    StoredVersions,
)
from governance.models.page import Page, PageQuery
from governance.settings import Secret, settings
from governance.store.documents import document_versions, documents, file_bytes, papers
from governance.store.schema.entities import DOCUMENT, FILE_BYTES_COUNT, VERSIONS_OF_DOCUMENT, VERSIONS_OF_PAPER
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome
from governance.usecases.declarations import finds, loads, own_committees, renewed_by, uses_secret
from governance.usecases.documents.documents import (
    changeable_document,
    own_view,
    paper_made,
    readable_document,
    record_document_event,
    record_view,
    visible_document,
)

_ARRIVED = {"scanning", "ready", "rejected"}


@dataclass(frozen=True)
class Requested:
    """The version that a path names, with its document and the other versions."""

    document: StoredDocument
    versions: StoredVersions
    version: StoredVersion

    @property
    def file_key(self) -> str:
        """The object key of the version's file."""
        return papers.file_key(self.document.board_id, self.document.id, self.version.id)

    @property
    def upload_key(self) -> str:
        """The object key to which the version's form brings its file."""
        return papers.upload_key(self.document.board_id, self.document.id, self.version.id)

    @property
    def has_arrived(self) -> bool:
        """Whether the version's file has arrived before."""
        return self.version.status in _ARRIVED

    @property
    def resource(self) -> DocumentVersion:
        """The version as clients see it."""
        return document_version_rules.to_resource(self.document.id, self.version)


def _versions(context: Context) -> StoredVersions | None:
    return document_versions.from_item(context.item(VERSIONS_OF_DOCUMENT))


def _requested(context: Context) -> Requested:
    """Returns the version that the path names; raises 404 if it or its document is absent or hidden."""
    document, versions = context.find(visible_document), document_version_rules.existing(_versions(context))
    return Requested(document, versions, document_version_rules.find(versions, context.params["versionId"]))


def _readable(context: Context) -> Requested:
    """Returns the version that the path names, also of a paper that waits for its approval; raises 404 as above."""
    document = context.find(readable_document)
    versions = document_version_rules.existing(_readable_versions(context))
    return Requested(document, versions, document_version_rules.find(versions, context.params["versionId"]))


def _readable_versions(context: Context) -> StoredVersions | None:
    return _versions(context) or document_versions.from_item(context.item(VERSIONS_OF_PAPER))


def _changeable(context: Context) -> Requested:
    requested = context.find(_requested)
    check_changeable(requested.document, context.tier, context.principal)
    return requested


@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, paper_made, own_committees)
@finds(readable_document)
def list_document_versions(context: Context, document: StoredDocument, query: PageQuery) -> Page[DocumentVersion]:
    """Returns a page of the document's versions, newest first, including uploads in progress."""
    versions, after = _readable_versions(context), context.window(query).after
    behind = [version for version in (versions.versions if versions else ()) if after is None or version.id < after]
    shown = [document_version_rules.to_resource(document.id, version) for version in behind[: query.limit]]
    return Page(shown, shown[-1].id if len(behind) > query.limit else None)


def _with_form(context: Context, recorded: str) -> str:
    """Returns a recorded response with a newly signed form, while the file may be sent.

    Raises 404, or 403, if the caller can no longer see, or change, the document; 404 if the version was deleted.
    """
    context.find(changeable_document)
    return with_form(context, recorded, _versions(context))


def with_form(context: Context, recorded: str, read: StoredVersions | None) -> str:
    """Returns the recorded response of a new version with a newly signed form, while the file may be sent.

    Raises 404 if the version was deleted.
    """
    answer, versions = json.loads(recorded), document_version_rules.existing(read)
    version = document_version_rules.find(versions, answer["data"]["id"])
    if not document_version_rules.may_be_sent(version, context.now):
        return recorded
    form = papers.upload_form(papers.upload_key(versions.board_id, versions.document_id, version.id), version)
    answer["data"]["upload"] = form.model_dump()
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


@renewed_by(_with_form)
@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, FILE_BYTES_COUNT, own_committees)
@finds(changeable_document)
def create_document_version(
    context: Context, document: StoredDocument, body: DocumentVersionCreate
) -> Outcome[DocumentVersion]:
    """Declares a file, and returns the form by which it is sent to the bucket.

    Raises 409 `LIMIT_REACHED` if the document has as many versions, or the board as many bytes, as it may have.
    """
    old, declared = (
        _versions(context),
        document_version_rules.declared(body, context.principal.named_user_id, context.now),
    )
    new = document_version_rules.added(document, old, declared)
    writes = [documents.check_unchanged(document), *declare(context, old, new, declared)]
    return with_new_form(Requested(document, new, declared), writes)


def declare(context: Context, old: StoredVersions | None, new: StoredVersions, declared: StoredVersion) -> list[Write]:
    """Returns the writes of the versions with one whose file is still to come."""
    return [
        document_versions.replace(old, new),
        document_versions.forget_later(new, declared),
        file_bytes.declare(new.board_id, context.item(FILE_BYTES_COUNT), declared.size),
    ]


def with_new_form(created: Requested, writes: list[Write]) -> Outcome[DocumentVersion]:
    """Returns the outcome of a new version: a response with the form of its file, which no record keeps."""
    form = papers.upload_form(created.upload_key, created.version)
    return Outcome(created.resource.model_copy(update={"upload": form}), writes, replay=created.resource)


@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, paper_made, own_committees)
@finds(_readable)
def get_document_version(_context: Context, requested: Requested) -> DocumentVersion:
    """Returns one version of the document."""
    return requested.resource


@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, own_committees)
@finds(_changeable)
def complete_document_version(context: Context, requested: Requested) -> Outcome[DocumentVersion]:
    """Makes a version the document's latest, once the bucket has the declared file; repeated, it does nothing.

    Raises 409 `UPLOAD_INCOMPLETE` if the file is absent, or not the declared one; 404 for a signed copy of minutes,
    which its own route judges first.
    """
    if requested.has_arrived:
        return Outcome(requested.resource, [])
    document_version_rules.check_unjudged(requested.version)
    version = kept(context, requested)
    return Outcome(*arrived(context, requested.document, requested.versions, version))


def kept(context: Context, requested: Requested) -> StoredVersion:
    """Returns the version whose declared file has now arrived.

    Raises 409 `UPLOAD_INCOMPLETE` if the file is absent, or not the declared one, 503 if the bucket does not copy it.
    """
    _keep_file(requested)
    return requested.version.model_copy(update={"arrived_at": context.now})


def _keep_file(requested: Requested) -> None:
    """Copies the declared file to where it stays, unless it is there: by an attempt that ended early, or an old form.

    Raises as `kept`.
    """
    if document_version_rules.is_declared(requested.version, papers.received(requested.file_key)):
        return
    document_version_rules.check_arrived(requested.version, papers.received(requested.upload_key))
    papers.keep(requested.upload_key, requested.file_key)


def arrived(
    context: Context, document: StoredDocument, versions: StoredVersions, version: StoredVersion
) -> tuple[DocumentVersion, list[Write]]:
    """Returns a version whose file has arrived, with the writes that make it ready, or have it scanned first."""
    if not settings().malware_protection:
        return ready(context, document, versions, version)
    scanned, writes = scan(context, versions, version)
    return document_version_rules.to_resource(document.id, scanned), [documents.check_unchanged(document), *writes]


def scan(context: Context, versions: StoredVersions, version: StoredVersion) -> tuple[StoredVersion, list[Write]]:
    """Returns a version whose file is scanned, with the writes that begin the scan."""
    scanned = document_version_rules.scanning(version, context.now)
    new = document_version_rules.replaced(versions, scanned)
    writes = [
        document_versions.replace(versions, new),
        document_versions.scan_later(new, scanned),
        *file_bytes.changes(versions, new),
    ]
    return scanned, writes


def ready(
    context: Context, old: StoredDocument, read: StoredVersions, arrived: StoredVersion
) -> tuple[DocumentVersion, list[Write]]:
    """Returns a version that is ready to be read, with the writes that make it the latest of its document."""
    versions = document_version_rules.completed(read, arrived)
    version = document_version_rules.find(versions, arrived.id)
    document = patched(old, document_version_rules.as_latest(version), context.now)
    writes = [
        *documents.replace(old, document),
        document_versions.replace(read, versions),
        *file_bytes.changes(read, versions),
        *record_document_event(context, events.DOCUMENT_VERSION_ADDED, document, version.id),
    ]
    return document_version_rules.to_resource(document.id, version), writes


@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, paper_made, own_committees, own_view)
@finds(_readable)
@uses_secret(Secret.DOWNLOAD)
def get_document_version_content(context: Context, requested: Requested, query: ContentQuery) -> Outcome[Download]:
    """Returns the address of a version's file, for two minutes, and records that the caller viewed the document.

    Raises 409 for a file that is still uploaded or scanned, or was rejected.
    """
    document_version_rules.check_ready(requested.version)
    disposition = document_version_rules.disposition(requested.version, query.disposition)
    until = shift(context.now, seconds=DOWNLOAD_SECONDS)
    download = Download(
        url=papers.signed_url(requested.file_key, requested.version, disposition, until), expires_at=until
    )
    viewed = [] if requested.versions.waits else record_view(context, requested.document)
    return Outcome(download, viewed, only_records=True)


@loads(DOCUMENT, VERSIONS_OF_DOCUMENT, own_committees)
@finds(_changeable)
def delete_document_version(context: Context, requested: Requested) -> Outcome[Deleted]:
    """Deletes a version, whose file is deleted soon after; the newest remaining version replaces the latest."""
    old, versions = requested.document, document_version_rules.without(requested.versions, requested.version)
    is_latest = old.latest_version_id == requested.version.id
    changed = patched(old, document_version_rules.as_latest(document_version_rules.newest_ready(versions)), context.now)
    writes = [
        *(documents.replace(old, changed) if is_latest else [documents.check_unchanged(old)]),
        document_versions.replace(requested.versions, versions),
        *file_bytes.changes(requested.versions, versions),
        *record_document_event(context, events.DOCUMENT_VERSION_DELETED, old, requested.version.id),
    ]
    return Outcome(Deleted(), writes)
