"""Versions of documents and papers whose files have been sent, though there is no bucket."""

from __future__ import annotations

from http import HTTPStatus

from governance import instants
from governance.domain.documents import document_version as document_version_rules
from governance.ids import BoardId, UserId, new_id, time_ordered_id
from governance.instants import millis
from governance.models.documents.document_version import DocumentVersionCreate, SealedMinutes, StoredVersions
from governance.store.documents import document_versions, papers
from governance.store.transactions import transact
from tests.harness.client import Client
from tests.harness.sample_bodies import NEW_VERSION
from tests.harness.uploads import pretend_sent

TAKES_BACK_A_COPY = "POST /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/signed-file/{versionId}/complete"
"""The route that judges a file; a copy is judged for a second, so its samples are taken back by now."""


def ready_version(board_id: BoardId, document_id: str, creator: Client, **members: str) -> str:
    """Stores a version whose file has been sent, though there is no bucket; returns its id."""
    created = creator.post(f"/api/v1/boards/{board_id}/documents/{document_id}/versions", {**NEW_VERSION, **members})
    assert created.status == 201, created.text
    old = document_version_rules.existing(document_versions.of_document(board_id, document_id))
    transact(
        [
            document_versions.replace(
                old, document_version_rules.completed(old, document_version_rules.find(old, created.data["id"]))
            )
        ]
    )
    return str(created.data["id"])


def sealed_minutes(board_id: BoardId, meeting_id: str, creator: Client, *, is_copy: bool = False) -> str:
    """Stores a sealed file of a meeting's minutes, or a signed copy of it, that is ready; returns its version's id.

    Nothing is stored if the creator does not see the meeting.
    """
    body = {"title": "Minutes", "documentType": "minutes", "meetingIds": [meeting_id]}
    created = creator.post(f"/api/v1/boards/{board_id}/documents", body)
    if created.status != HTTPStatus.CREATED:
        return new_id()
    id_ = ready_version(board_id, created.data["id"], creator)
    old = document_version_rules.existing(document_versions.of_document(board_id, created.data["id"]))
    earlier = time_ordered_id(millis(instants.now()) - 1)  # than a copy of the same millisecond
    made = {"is_signed_copy": True} if is_copy else {"sealed_minutes": SealedMinutes(meeting_id=meeting_id, number=1)}
    version = document_version_rules.find(old, id_).model_copy(update={**made, "id": earlier})
    transact([document_versions.replace(old, old.model_copy(update={"versions": (version,), "version": 4}))])
    return earlier


def sent_version(board_id: BoardId, request_id: str, user_id: UserId) -> str:
    """Stores a version of a paper that was made for a request, whose file has been sent; returns its id."""
    declared = document_version_rules.declared(DocumentVersionCreate(**NEW_VERSION), user_id, instants.now())
    old = document_versions.of_paper(board_id, request_id)
    before = old.versions if old else ()
    new = StoredVersions(
        board_id=board_id,
        document_id=request_id,
        versions=(declared, *before),
        waits=True,
        version=old.version + 1 if old else 1,
    )
    transact([document_versions.replace(old, new)])
    form = papers.upload_form(papers.upload_key(board_id, request_id, declared.id), declared)
    pretend_sent(form.model_dump(), NEW_VERSION["size"])
    return declared.id
