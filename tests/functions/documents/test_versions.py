"""Versions of documents: declaring, completing, listing and deleting them, and which is the latest (ADR documents)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from governance.limits import DOCUMENT_VERSIONS
from tests.functions.documents.after_uploads import OTHER, deliver, reason
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client
from tests.harness.clock import Clock
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import audit_entries, stored_events
from tests.harness.store_calls import InlinePool, count_store_calls
from tests.harness.uploads import PDF, DocumentScenario, declared, new_document, stored_files

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
    }
    assert document.client.get(f"{document.path}/versions/{created['id']}").data == {**created, "upload": None}


def test_a_completed_version_is_the_latest_of_its_document(document: DocumentScenario) -> None:
    assert document.document["latestVersionId"] is None
    ready = document.add()
    assert (ready["status"], ready["upload"]) == ("ready", None)
    found = document.document
    assert (found["latestVersionId"], found["mimeType"]) == (ready["id"], "application/pdf")
    newer = document.add(b"a,b", "Figures.CSV", mimeType="text/csv")
    assert (document.document["latestVersionId"], document.document["mimeType"]) == (newer["id"], "text/csv")
    assert len(stored_events(document.board, "document.version_added")) == 2
    assert stored_events(document.board, "document.version_deleted") == []


def test_completing_again_changes_nothing(document: DocumentScenario) -> None:
    first = document.add()
    second = document.add(OTHER)
    before = document.document
    assert document.complete(first["id"]).data == first
    assert document.document == before
    assert document.document["latestVersionId"] == second["id"]


def test_a_document_has_50_versions(document: DocumentScenario) -> None:
    created = [document.declare()["id"] for _ in range(DOCUMENT_VERSIONS)]
    assert reason(document.client.post(f"{document.path}/versions", declared())) == "LIMIT_REACHED"
    assert document.client.delete(f"{document.path}/versions/{created[0]}").status == 200
    assert document.declare()["status"] == "uploading"


def test_versions_are_listed_newest_first_page_by_page(document: DocumentScenario, clock: Clock) -> None:
    created = []
    for _ in range(5):
        created.append(document.declare()["id"])
        clock.move(1)
    whole = document.client.get(f"{document.path}/versions")
    assert [each["id"] for each in whole.data] == created[::-1]
    assert {each["upload"] for each in whole.data} == {None}
    pages = [[each["id"] for each in page] for page in document.client.pages(f"{document.path}/versions", limit=3)]
    assert pages == [created[:1:-1], created[1::-1]]
    assert document.client.call("GET", f"{document.path}/versions", query="limit=5").json["meta"]["hasMore"] is False


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


def test_an_older_version_can_be_made_the_latest_again(document: DocumentScenario) -> None:
    text = document.add(b"text", "a.txt", mimeType="text/plain")
    document.add()
    changed = document.client.patch(document.path, {"latestVersionId": text["id"]})
    assert (changed.data["latestVersionId"], changed.data["mimeType"]) == (text["id"], "text/plain")
    assert stored_events(document.board, "document.version_deleted") == []


def test_a_document_with_versions_names_no_other_as_its_latest(document: DocumentScenario) -> None:
    assert document.client.patch(document.path, {"latestVersionId": "v7 in our archive"}).status == 200
    uploading = document.declare()["id"]
    for wrong in (uploading, "0" * 24, "v8"):
        assert document.client.patch(document.path, {"latestVersionId": wrong}).status == 400
    kept = {"latestVersionId": "v7 in our archive", "title": "T"}
    assert document.client.patch(document.path, kept).data["latestVersionId"] == "v7 in our archive"
    ready = document.add()["id"]
    assert stored_events(document.board, "document.version_deleted") == []
    for wrong in (None, uploading, "v7 in our archive", new_document(document.board).document["id"]):
        assert document.client.patch(document.path, {"latestVersionId": wrong}).status == 400
    assert document.client.patch(document.path, {"title": "New"}).data["latestVersionId"] == ready


@pytest.mark.parametrize("had_versions", [False, True])
def test_of_a_document_without_versions_the_latest_is_free_text_whose_change_is_recorded(
    document: DocumentScenario, had_versions: bool
) -> None:
    if had_versions:
        assert document.client.delete(f"{document.path}/versions/{document.declare()['id']}").status == 200
    recorded = len(stored_events(document.board, "document.version_deleted"))
    assert document.client.patch(document.path, {"latestVersionId": "v7"}).status == 200
    assert document.client.patch(document.path, {"latestVersionId": None}).status == 200
    assert len(stored_events(document.board, "document.version_deleted")) == recorded + 1
    deliver(document)


def test_a_version_that_is_deleted_meanwhile_does_not_become_the_latest(document: DocumentScenario) -> None:
    old, latest = (document.add(content)["id"] for content in (PDF, OTHER))
    with meanwhile(lambda: document.client.delete(f"{document.path}/versions/{old}")):
        assert document.client.patch(document.path, {"latestVersionId": old}).status == 400
    assert document.document["latestVersionId"] == latest


def test_versions_of_a_committee_are_its_members_alone(scenario: BoardScenario) -> None:
    inside = scenario.member("ines")
    outside = scenario.member("otto", admin_role="admin").client
    seats = {"name": "C", "memberIds": [membership_id(scenario.board_id, inside.id)]}
    committee = scenario.owner.client.post(f"{scenario.path}/committees", seats).data["id"]
    document = new_document(scenario, inside.client, committeeId=committee)
    version = document.add()
    for client in (outside, scenario.owner.client, scenario.token()):
        for path in ("versions", f"versions/{version['id']}", f"versions/{version['id']}/content"):
            assert client.get(f"{document.path}/{path}").status == 404
        assert client.post(f"{document.path}/versions", declared()).status == 404
        assert client.post(f"{document.path}/versions/{version['id']}/complete").status == 404
        assert client.delete(f"{document.path}/versions/{version['id']}").status == 404
    (event,) = stored_events(scenario, "document.version_added")
    assert (event.details, event.committee_id) == ({}, committee)


def test_versions_are_changed_by_the_creator_of_the_document_and_managers(scenario: BoardScenario) -> None:
    document = new_document(scenario, scenario.member("carl").client)
    other, guest = scenario.member("cora").client, scenario.member("gus", access_type="guest").client
    version = document.add()
    for client in (other, guest):
        assert client.post(f"{document.path}/versions", declared()).status == 403
        assert client.post(f"{document.path}/versions/{version['id']}/complete").status == 403
        assert client.delete(f"{document.path}/versions/{version['id']}").status == 403
        assert client.get(f"{document.path}/versions/{version['id']}/content").status == 200
    assert other.delete(f"{document.path}/versions/{'0' * 24}").status == 404
    token = DocumentScenario(scenario, document.path, scenario.token())
    assert token.add()["createdByUserId"] == scenario.owner.id
    assert scenario.token("read_only").post(f"{document.path}/versions", declared()).status == 403


def test_a_page_of_documents_costs_no_more_with_files_than_without(scenario: BoardScenario, pool: InlinePool) -> None:
    documents = [new_document(scenario) for _ in range(3)]
    without = calls_of_list(scenario.owner.client, f"{scenario.path}/documents", pool)
    for document in documents:
        for number in range(4):
            document.add(PDF + bytes([number]))
    assert calls_of_list(scenario.owner.client, f"{scenario.path}/documents", pool) == without


def calls_of_list(client: Client, path: str, pool: InlinePool) -> tuple[list[str], list[str]]:
    with count_store_calls(pool) as calls:
        assert len(client.get(path).data) == 3
    return calls.sequential, calls.concurrent
