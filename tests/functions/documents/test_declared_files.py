"""Files as they are declared: name, type, size, checksum, and the form that binds them (ADR documents)."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from governance.limits import FILE_BYTES, UPLOAD_HOURS
from governance.models.documents.document_version import EXTENSIONS
from tests.functions.documents.conftest import reason
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.table_snapshot import TableSnapshot
from tests.harness.uploads import PDF, DocumentScenario, Refused, declared, new_document, send, stored_files

pytestmark = pytest.mark.usefixtures("bucket")


NOT_ARRIVED = "The file has not arrived as it was declared; send it by the form, then repeat this."
NO_ENDING = "must end in .pdf, as its mimeType says"
NO_DIGEST = "must be the SHA-256 of the file: 64 hexadecimal digits, 0 to 9 and a to f"
NO_PATH = "must be a name without a path: no / and no \\"
DIRECTION = "must not contain characters that change the direction of text"
CONTROLS = "must not contain control characters such as a newline or a tab"
NO_KIND = "must be 'application/msword', "


@pytest.mark.parametrize(
    ("field", "values", "sentence"),
    [
        ("size", [0, -1], "must be at least 1 byte; the file is empty"),
        ("size", [FILE_BYTES + 1], "must be at most 104857600 bytes (100 MB)"),
        ("size", ["15", 1.5], "must be an integer"),
        ("sha256", ["", "ab", "A" * 64, "0" * 65], NO_DIGEST),
        ("fileName", [""], "must have at least 1 character"),
        ("fileName", ["😀" * 197 + ".pdf"], "must have at most 200 characters"),
        (
            "fileName",
            [
                *("paper.exe", "paper.pdf.exe", "paper.svg", "paper.html", "paper.ps1", "paper.7z", "paper.EXE"),
                *("paper.pdf ", "paper.pdf.", "paper.exe.", "paper.exe ", "paper.", "paper.final", "paper.jpg"),
            ],
            NO_ENDING,
        ),
        ("fileName", ["../x.pdf", "a/b.pdf", "a\\b.pdf"], NO_PATH),
        ("fileName", ["x\u202efdp.pdf", "\u200fx.pdf", "x\u2066.pdf"], DIRECTION),
        ("fileName", ["x\n.pdf", "x\x85.pdf"], CONTROLS),
        ("mimeType", ["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "PDF", ""], NO_KIND),
    ],
)
def test_what_is_wrong_with_a_declared_file_is_said_and_nothing_is_kept(
    document: DocumentScenario, field: str, values: list[Any], sentence: str, bucket: Any
) -> None:
    before = TableSnapshot().items
    for value in values:
        answer = document.client.post(f"{document.path}/versions", {**declared(), field: value})
        assert answer.failure == (400, "INVALID_REQUEST_BODY")
        assert answer.fields.keys() == {field}
        assert answer.fields[field].startswith(sentence)
    assert TableSnapshot().items == before
    assert stored_files(bucket) == []


@pytest.mark.parametrize("sent", [PDF[:5], PDF + b" ", PDF.lower(), b""])
def test_a_file_that_the_bucket_refused_is_not_complete_and_may_be_sent_again(
    document: DocumentScenario, sent: bytes, bucket: Any
) -> None:
    version = document.declare()
    before = TableSnapshot().items
    with pytest.raises(Refused, match="BadDigest" if len(sent) == len(PDF) else "size"):
        send(version["upload"], sent)
    content = document.client.get(f"{document.path}/versions/{version['id']}/content")
    for answer in (document.complete(version["id"]), content):
        assert (reason(answer), answer.json["error"]["message"]) == ("UPLOAD_INCOMPLETE", NOT_ARRIVED)
    assert TableSnapshot().items == before
    assert stored_files(bucket) == []
    send(version["upload"], PDF)
    assert document.complete(version["id"]).data["status"] == "ready"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"key": "papers/other"}, "key"),
        ({"Content_Type": "text/html"}, "Content-Type"),
        ({"x_amz_checksum_sha256": "AAAA"}, "x-amz-checksum-sha256"),
        ({"x_amz_tagging": "a=b"}, "a field that the policy does not name"),
    ],
)
def test_the_policy_of_a_form_binds_every_field(
    document: DocumentScenario, changed: dict[str, str], said: str, bucket: Any
) -> None:
    with pytest.raises(Refused, match=said):
        send(document.declare()["upload"], PDF, **changed)
    assert stored_files(bucket) == []


@pytest.mark.parametrize(
    "name", ["a" * 196 + ".pdf", "😀" * 196 + ".PDF", "Protokoll März (2).pdf", 'a"b;c%.pdf', ".pdf"]
)
def test_a_name_comes_back_with_the_download(document: DocumentScenario, name: str) -> None:
    version = document.add(name=name)
    url = document.client.get(f"{document.path}/versions/{version['id']}/content").data["url"]
    (given,) = parse_qs(urlsplit(url).query)["response-content-disposition"]
    assert given.isascii()
    kind, _, encoded = given.partition("; filename*=UTF-8''")
    assert (kind, parse_qs(f"n={encoded}")["n"]) == ("attachment", [name])
    assert len(url) < 6000


@pytest.mark.parametrize("kind", sorted(EXTENSIONS))
def test_a_name_has_an_ending_of_its_type(document: DocumentScenario, kind: str) -> None:
    for ending in EXTENSIONS[kind]:
        assert document.declare(name=f"Paper{ending}", mimeType=kind)["mimeType"] == kind
    wrong = document.client.post(f"{document.path}/versions", declared(name="Paper.js", mimeType=kind))
    assert "must end in" in wrong.fields["fileName"]


@pytest.mark.parametrize(
    "name", ["Paper", "Minutes 3.12", "Statutes of Acme e.V", "v1.2 of the plan", "Größe", "a.b c"]
)
@pytest.mark.parametrize("kind", ["application/pdf", "image/jpeg", "text/csv"])
def test_a_name_without_an_ending_is_taken_and_a_download_has_one(
    document: DocumentScenario, kind: str, name: str
) -> None:
    version = document.add(name=name, mimeType=kind)
    assert version["fileName"] == name
    url = document.client.get(f"{document.path}/versions/{version['id']}/content").data["url"]
    (given,) = parse_qs(urlsplit(url).query)["response-content-disposition"]
    assert parse_qs(f"n={given.partition(chr(39) * 2)[2]}")["n"] == [name + EXTENSIONS[kind][0]]


def test_a_repeat_with_the_same_key_gets_a_form_that_is_signed_anew(document: DocumentScenario, bucket: Any) -> None:
    first, again = declare_once(document), declare_once(document)
    assert again["id"] == first["id"]
    assert {**again, "upload": None} == {**first, "upload": None}
    send(again["upload"], PDF)
    assert document.complete(first["id"]).data["status"] == "ready"
    assert declare_once(document)["upload"] is None, "nothing is to be sent any more"
    assert len(stored_files(bucket)) == len(document.client.get(f"{document.path}/versions").data) == 1


def test_no_form_outlives_the_upload(document: DocumentScenario, clock: Clock) -> None:
    declare_once(document)
    clock.move((UPLOAD_HOURS - 1) * 3600 - 10)
    assert declare_once(document)["upload"] is not None
    clock.move(20)
    assert declare_once(document)["upload"] is None


def test_a_repeat_is_not_found_once_its_caller_does_not_see_the_document(scenario: BoardScenario) -> None:
    mia = scenario.member("mia")
    document = new_document(scenario, mia.client)
    assert declare_once(document)["upload"] is not None
    moved = scenario.owner.client.patch(document.path, {"committeeId": scenario.committee(scenario.owner)})
    assert moved.status == 200, moved.text
    assert declare_again(document).failure == (404, "RESOURCE_NOT_FOUND")
    scenario.owner.client.patch(document.path, {"committeeId": None})
    assert declare_once(document)["upload"] is not None
    scenario.owner.client.patch(scenario.member_path(mia), {"accessType": "guest"})
    assert declare_again(document).status == 403


def declare_again(document: DocumentScenario) -> Response:
    return document.client.call(
        "POST", f"{document.path}/versions", declared(), headers={"Idempotency-Key": "the same"}
    )


def declare_once(document: DocumentScenario) -> Any:
    answer = declare_again(document)
    assert answer.status == 201, answer.text
    return answer.data
