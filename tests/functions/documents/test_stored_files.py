"""The file of a version: only the declared one is accepted, how it is read, and when it is deleted (ADR documents)."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from governance.instants import epoch, now, shift
from governance.limits import DOWNLOAD_SECONDS, UPLOAD_HOURS
from governance.settings import settings
from governance.store.documents import papers
from tests.functions.documents.conftest import a_day_later, deliver, pass_time, reason
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import stored_events
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import PDF, DocumentScenario, kept_at, new_document, send, sent_files, stored_files

pytestmark = pytest.mark.usefixtures("bucket")


def readers_views(document: DocumentScenario) -> list[Any]:
    views = stored_events(document.board, "document.viewed")
    return [event for event in views if event.actor_user_id != document.board.owner.id]


@pytest.mark.parametrize(
    ("content", "kind", "algorithm"),
    [
        (PDF[:-1], "application/pdf", "SHA256"),
        (PDF[:-1] + b"x", "application/pdf", "SHA256"),
        (b"", "application/pdf", "SHA256"),
        (PDF, "text/html", "SHA256"),
        (PDF, "application/pdf", "CRC32"),
    ],
    ids=["shorter", "another content", "empty", "another type", "without the checksum"],
)
def test_a_file_that_is_not_the_declared_one_is_not_complete(
    document: DocumentScenario, content: bytes, kind: str, algorithm: Any
) -> None:
    """The bucket refuses it by its form; should it be there anyway, it is seen again."""
    version = document.declare()
    papers.client().put_object(
        Bucket=settings().papers_bucket,
        Key=version["upload"]["fields"]["key"],
        Body=content,
        ContentType=kind,
        ChecksumAlgorithm=algorithm,
    )
    assert reason(document.complete(version["id"])) == "UPLOAD_INCOMPLETE"
    assert document.document["latestVersionId"] is None


def test_a_download_is_signed_for_two_minutes_and_counts_as_a_view(document: DocumentScenario, clock: Clock) -> None:
    version = document.add()
    reader = document.board.member("rita", access_type="guest").client
    clock.stop()
    answer = reader.get(f"{document.path}/versions/{version['id']}/content").data
    assert set(answer) == {"object", "url", "expiresAt"}
    assert answer["expiresAt"] == shift(now(), seconds=DOWNLOAD_SECONDS)
    url = urlsplit(answer["url"])
    assert parse_qs(url.query)["Expires"] == [str(epoch(answer["expiresAt"]))]
    assert DOWNLOAD_SECONDS == 120
    assert answer["url"].startswith(f"{settings().downloads_origin}/papers/")
    (viewed,) = readers_views(document)
    assert viewed.refs["documentId"] == document.path.rpartition("/")[2]
    assert reader.get(document.path).status == 200
    assert len(readers_views(document)) == 1
    clock.move(3601)
    assert reader.get(f"{document.path}/versions/{version['id']}/content").status == 200
    assert len(readers_views(document)) == 2


def test_the_names_of_objects_say_nothing(document: DocumentScenario) -> None:
    version = document.declare(name="Dismissal of the CEO.pdf")
    ids = [document.board.board_id, document.document["id"], version["id"]]
    assert version["upload"]["fields"]["key"] == "/".join(["uploads", *ids])
    assert papers.file_key(*ids) == kept_at(version) == "/".join(["papers", *ids])


def test_what_was_never_completed_is_gone_after_a_day(document: DocumentScenario, clock: Clock, bucket: Any) -> None:
    document.declare()
    document.upload()
    ready = document.add()
    pass_time(clock, (UPLOAD_HOURS - 1) * 3600)
    assert len(document.client.get(f"{document.path}/versions").data) == 3
    pass_time(clock, 3660)
    assert [version["id"] for version in document.client.get(f"{document.path}/versions").data] == [ready["id"]]
    assert [key.rpartition("/")[2] for key in stored_files(bucket)] == [ready["id"]]
    assert sent_files(bucket) == []
    assert document.document["latestVersionId"] == ready["id"]


def test_a_document_that_is_deleted_during_an_upload_leaves_nothing(
    document: DocumentScenario, clock: Clock, bucket: Any
) -> None:
    document.add()
    version = document.declare()
    path = f"{document.path}/versions/{version['id']}"
    assert document.client.delete(document.path).status == 200
    deliver(document)
    send(version["upload"], PDF)  # the form works for the rest of its hour
    before = TableSnapshot().items
    for answer in (
        document.complete(version["id"]),
        document.client.get(f"{path}/content"),
        document.client.delete(path),
    ):
        assert answer.failure == (404, "RESOURCE_NOT_FOUND")
    assert TableSnapshot().items == before
    a_day_later(clock)
    assert (stored_files(bucket), sent_files(bucket)) == ([], [])
    assert not [sk for _, sk in TableSnapshot().items if version["id"] in sk or "#VERSIONS" in sk]


def test_a_deleted_board_leaves_no_files(document: DocumentScenario, clock: Clock, bucket: Any) -> None:
    document.add()
    document.add()
    late = document.declare()
    other = new_document(document.board)
    other.add()
    assert document.client.delete(document.board.path).status == 200
    deliver(document)
    assert (stored_files(bucket), sent_files(bucket)) == ([], [])
    send(late["upload"], PDF)
    a_day_later(clock)
    assert (stored_files(bucket), sent_files(bucket)) == ([], [])
