"""A form is of no use once its version is completed or deleted: what comes by it is not kept (ADR documents)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from governance.settings import settings
from governance.store.documents import papers
from tests.functions.documents.conftest import a_day_later, deliver, reason
from tests.functions.documents.test_file_bytes import held
from tests.harness import logs
from tests.harness.clock import Clock
from tests.harness.crash_injection import ProcessKilled
from tests.harness.fault_injection import hooked
from tests.harness.meeting_scenario import stored_events
from tests.harness.privileges import acting_as
from tests.harness.uploads import PDF, DocumentScenario, kept_at, send, sent_files, stored_files

pytestmark = pytest.mark.usefixtures("bucket")


def held_back(client: Any) -> list[str]:
    """Returns the keys of all versions of objects that are kept as long as the backups, deleted ones too."""
    listed = client.list_object_versions(Bucket=settings().papers_bucket, Prefix=papers.FOLDER)
    return [version["Key"] for version in listed.get("Versions", [])]


def status_of(document: DocumentScenario, version: Any) -> Any:
    return document.client.get(f"{document.path}/versions/{version['id']}").data["status"]


def test_a_form_sent_again_after_completion_leaves_nothing_and_counts_nowhere(
    document: DocumentScenario, bucket: Any, clock: Clock
) -> None:
    version = document.upload()
    assert document.complete(version["id"]).status == 200
    for _ in range(3):
        send(version["upload"], PDF)
    assert document.complete(version["id"]).data["status"] == "ready"
    assert held_back(bucket) == [kept_at(version)]
    assert held(document.board) == len(PDF)
    a_day_later(clock)
    assert (stored_files(bucket), sent_files(bucket)) == ([kept_at(version)], [])
    assert len(stored_events(document.board, "document.version_added")) == 1


@pytest.mark.parametrize("was_complete", [False, True])
def test_a_form_sent_again_after_deletion_leaves_nothing(
    document: DocumentScenario, bucket: Any, clock: Clock, was_complete: bool
) -> None:
    version = document.upload()
    if was_complete:
        assert document.complete(version["id"]).status == 200
    assert document.client.delete(f"{document.path}/versions/{version['id']}").status == 200
    deliver(document)
    assert (stored_files(bucket), sent_files(bucket)) == ([], [])
    send(version["upload"], PDF)
    assert document.complete(version["id"]).status == 404
    assert len(held_back(bucket)) == was_complete
    assert held(document.board) == 0
    a_day_later(clock)
    assert sent_files(bucket) == []


@pytest.mark.parametrize(
    "event",
    [
        "before-call.s3.HeadObject",
        "before-call.s3.CopyObject",
        "after-call.s3.CopyObject",
        "before-call.dynamodb.TransactWriteItems",
    ],
)
def test_a_completion_that_is_killed_is_done_by_its_repeat(document: DocumentScenario, bucket: Any, event: str) -> None:
    version = document.upload()
    client = papers.copying_client() if "Copy" in event else papers.client() if "s3" in event else None
    with hooked(event, kill, client), pytest.raises(ProcessKilled):
        document.complete(version["id"])
    assert status_of(document, version) == "uploading"
    assert document.complete(version["id"]).data["status"] == "ready"
    assert held_back(bucket) == [kept_at(version)]


def test_a_copy_without_its_version_is_gone_after_a_day(document: DocumentScenario, bucket: Any, clock: Clock) -> None:
    version = document.upload()

    def delete(**_: Any) -> None:
        assert document.client.delete(f"{document.path}/versions/{version['id']}").status == 200
        with acting_as("deliveries"):
            papers.delete([kept_at(version), version["upload"]["fields"]["key"]])  # as the cleanup does
        send(version["upload"], PDF)

    with hooked("before-call.s3.CopyObject", delete, papers.copying_client()):
        assert document.complete(version["id"]).status == 404
    assert stored_files(bucket) == [kept_at(version)]
    a_day_later(clock)
    assert (stored_files(bucket), sent_files(bucket)) == ([], [])


def test_a_file_that_is_gone_when_it_is_copied_is_asked_for_again(document: DocumentScenario) -> None:
    version = document.upload()

    def forget(**_: Any) -> None:
        with acting_as("deliveries"):
            papers.delete([version["upload"]["fields"]["key"]])

    with hooked("before-call.s3.CopyObject", forget, papers.copying_client()):
        assert document.complete(version["id"]).status == 503
    assert reason(document.complete(version["id"])) == "UPLOAD_INCOMPLETE"


def test_a_file_that_a_form_of_the_release_before_brought_is_complete(document: DocumentScenario, bucket: Any) -> None:
    version = document.declare()
    bucket.put_object(
        Bucket=settings().papers_bucket,
        Key=kept_at(version),
        Body=PDF,
        ContentType="application/pdf",
        ChecksumAlgorithm="SHA256",
    )
    assert document.complete(version["id"]).data["status"] == "ready"
    assert held_back(bucket) == [kept_at(version)]


def kill(**_: Any) -> None:
    raise ProcessKilled


@pytest.fixture
def counted(clock: Clock, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Lets a day pass, and returns how many forms were counted as used after their end."""

    def count() -> int:
        monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
        capfd.readouterr()
        a_day_later(clock)
        written = logs.metrics(capfd.readouterr().out)
        return sum(metric["FormsReused"][0] for metric in written if "FormsReused" in metric)

    return count


def end(document: DocumentScenario, version: Any, ends: str) -> None:
    if ends == "by completion":
        assert document.complete(version["id"]).status == 200
    if ends == "by deletion":
        assert document.client.delete(f"{document.path}/versions/{version['id']}").status == 200
        deliver(document)


@pytest.mark.parametrize("ends", ["by completion", "by deletion"])
def test_a_form_that_is_used_after_its_end_is_counted_a_day_later(
    document: DocumentScenario, counted: Callable[[], int], ends: str
) -> None:
    version = document.upload()
    end(document, version, ends)
    send(version["upload"], PDF)

    def an_hour_later(parsed: Any, **_: Any) -> None:
        parsed["LastModified"] += timedelta(hours=1)

    with hooked("after-call.s3.HeadObject", an_hour_later, papers.client()):
        assert counted() == 1


@pytest.mark.parametrize("ends", ["by completion", "by deletion", "of itself"])
def test_a_form_that_is_used_before_its_end_is_not_counted(
    document: DocumentScenario, counted: Callable[[], int], ends: str
) -> None:
    version = document.upload()
    send(version["upload"], PDF)
    end(document, version, ends)
    assert counted() == 0
