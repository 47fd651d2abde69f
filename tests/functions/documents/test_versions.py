"""Versions of documents: declaring, completing, listing and deleting them, and which is the latest (ADR documents)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.documents.conftest import OTHER, deliver
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import audit_entries, stored_events
from tests.harness.uploads import PDF, DocumentScenario, declared, stored_files

pytestmark = pytest.mark.usefixtures("bucket")


def test_a_declared_file_has_an_upload_form_once(document: DocumentScenario) -> None:
    created = document.declare()
    upload = created.pop("upload")
    assert set(upload) == {"url", "fields"}
    assert created == {
        "object": "document_version",
        "id": created["id"],
        "documentId": document.document["id"],
        **declared(),
        "status": "uploading",
        "reason": None,
        "createdByUserId": document.board.owner.id,
        "createdAt": created["createdAt"],
        "publishedAt": None,
    }
    assert document.client.get(f"{document.path}/versions/{created['id']}").data == {**created, "upload": None}


def test_a_completed_version_is_the_latest_of_its_document_until_an_older_one_is_chosen(
    document: DocumentScenario,
) -> None:
    assert document.document["latestVersionId"] is None
    ready = document.add()
    assert (ready["status"], ready["upload"]) == ("ready", None)
    newer = document.add(b"a,b", "Figures.CSV", mimeType="text/csv")
    for _ in range(2):
        shown = document.document
        assert (shown["latestVersionId"], shown["mimeType"]) == (newer["id"], "text/csv")
        assert document.complete(ready["id"]).data == ready  # completing it again changes nothing
    changed = document.client.patch(document.path, {"latestVersionId": ready["id"]})
    assert (changed.data["latestVersionId"], changed.data["mimeType"]) == (ready["id"], "application/pdf")
    assert len(stored_events(document.board, "document.version_added")) == 2
    assert stored_events(document.board, "document.version_deleted") == []


def test_a_deleted_version_gives_its_place_to_the_newest_that_remains(document: DocumentScenario, bucket: Any) -> None:
    first, second, third = (document.add(PDF + bytes([n])) for n in range(3))
    document.declare()
    for version, latest in ((third, second["id"]), (first, second["id"]), (second, None)):
        assert document.client.delete(f"{document.path}/versions/{version['id']}").data == {"deleted": True}
        assert document.document["latestVersionId"] == latest
        assert document.client.get(f"{document.path}/versions/{version['id']}").status == 404
    assert document.document["mimeType"] is None
    deleted = stored_events(document.board, "document.version_deleted")
    assert [event.refs["versionId"] for event in deleted] == [third["id"], first["id"], second["id"]]
    assert len(audit_entries(document.board, "documentVersionDelete")) == 3
    assert len(stored_files(bucket)) == 3
    deliver(document)
    assert stored_files(bucket) == []


def test_a_version_that_is_deleted_meanwhile_does_not_become_the_latest(document: DocumentScenario) -> None:
    old, latest = (document.add(content)["id"] for content in (PDF, OTHER))
    with meanwhile(lambda: document.client.delete(f"{document.path}/versions/{old}")):
        assert document.client.patch(document.path, {"latestVersionId": old}).status == 400
    assert document.document["latestVersionId"] == latest
