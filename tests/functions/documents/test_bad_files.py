"""Files that cannot be versions: each is refused by a sentence that says what to change, and nothing of it is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.limits import FILE_BYTES
from tests.functions.documents.after_uploads import OTHER, a_day_later, deliver
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import PDF, DocumentScenario, Refused, declared, send, stored_files

pytestmark = pytest.mark.usefixtures("bucket")
NOT_ARRIVED = "The file has not arrived as it was declared; send it by the form, then repeat this."
NO_ENDING = "must end in .pdf, as its mimeType says"
NO_DIGEST = "must be the SHA-256 of the file: 64 hexadecimal digits, 0 to 9 and a to f"
TOO_LARGE = "must be at most 104857600 bytes (100 MB)"
EMPTY = "must be at least 1 byte; the file is empty"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("size", 0, EMPTY),
        ("size", -1, EMPTY),
        ("size", FILE_BYTES + 1, TOO_LARGE),
        ("size", "15", "must be an integer"),
        ("sha256", "ab", NO_DIGEST),
        ("sha256", "A" * 64, NO_DIGEST),
        ("fileName", "", "must have at least 1 character"),
        ("fileName", "😀" * 197 + ".pdf", "must have at most 200 characters"),
        ("fileName", "😀" * 200, NO_ENDING),
        ("fileName", "paper.exe", NO_ENDING),
        ("fileName", "../paper.pdf", "must be a name without a path: no / and no \\"),
        ("fileName", "x\u202efdp.pdf", "must not contain characters that change the direction of text"),
        ("fileName", "x\n.pdf", "must not contain control characters such as a newline or a tab"),
    ],
)
def test_what_is_wrong_with_a_declared_file_is_said_and_nothing_is_kept(
    document: DocumentScenario, field: str, value: Any, sentence: str, bucket: Any
) -> None:
    before = TableSnapshot().items
    answer = document.client.post(f"{document.path}/versions", {**declared(), field: value})
    assert answer.failure == (400, "INVALID_REQUEST_BODY")
    assert answer.fields == {field: sentence}
    assert TableSnapshot().items == before
    assert stored_files(bucket) == []


def message(answer: Response) -> str:
    return str(json.loads(answer.text)["error"]["message"])


@pytest.mark.parametrize("sent", [PDF[:5], PDF + b" ", PDF.lower(), b""])
def test_a_file_that_the_bucket_refused_is_not_complete_and_may_be_sent_again(
    document: DocumentScenario, sent: bytes, bucket: Any
) -> None:
    version = document.declare()
    before = TableSnapshot().items
    with pytest.raises(Refused):
        send(version["upload"], sent)
    completed = document.complete(version["id"])
    assert (completed.failure, message(completed)) == ((409, "CONFLICT"), NOT_ARRIVED)
    read = document.client.get(f"{document.path}/versions/{version['id']}/content")
    assert (read.failure, message(read)) == ((409, "CONFLICT"), NOT_ARRIVED)
    assert TableSnapshot().items == before
    assert stored_files(bucket) == []
    send(version["upload"], PDF)
    assert document.complete(version["id"]).data["status"] == "ready"


def test_an_upload_that_stops_half_way_is_forgotten_after_a_day(
    document: DocumentScenario, clock: Clock, bucket: Any
) -> None:
    kept = document.add(OTHER)
    before = document.document
    version = document.declare()
    with pytest.raises(Refused):
        send(version["upload"], PDF[: len(PDF) // 2])
    a_day_later(clock)
    assert_gone(version["id"])
    completed = document.complete(version["id"])
    assert (completed.failure, message(completed)) == ((404, "RESOURCE_NOT_FOUND"), "No such resource.")
    assert document.document == before
    assert [key.rpartition("/")[2] for key in stored_files(bucket)] == [kept["id"]]


@pytest.mark.parametrize("is_sent_late", [False, True])
def test_a_document_that_is_deleted_during_an_upload_has_nothing_to_complete(
    document: DocumentScenario, clock: Clock, bucket: Any, *, is_sent_late: bool
) -> None:
    version = document.declare()
    assert document.client.delete(document.path).status == 200
    deliver(document)
    if is_sent_late:
        send(version["upload"], PDF)
    before = TableSnapshot().items
    for answer in (
        document.complete(version["id"]),
        document.client.get(f"{document.path}/versions/{version['id']}/content"),
        document.client.delete(f"{document.path}/versions/{version['id']}"),
    ):
        assert (answer.failure, message(answer)) == ((404, "RESOURCE_NOT_FOUND"), "No such resource.")
    assert TableSnapshot().items == before
    a_day_later(clock)
    assert_gone(version["id"])
    assert stored_files(bucket) == []


def assert_gone(version_id: str) -> None:
    """Fails if a row names the version."""
    assert [
        key for key, item in TableSnapshot().items.items() if version_id in json.dumps([*key, item], default=str)
    ] == []
