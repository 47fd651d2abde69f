"""Files as they are declared: name, type, size, checksum, and the form that binds them (ADR documents)."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from governance.ids import membership_id
from governance.limits import FILE_BYTES, UPLOAD_HOURS, UPLOAD_SECONDS
from governance.models.documents.document_version import EXTENSIONS
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Response
from tests.harness.clock import Clock
from tests.harness.uploads import PDF, DocumentScenario, Refused, declared, new_document, send, stored_files

pytestmark = pytest.mark.usefixtures("bucket")


def refused(document: DocumentScenario, **members: Any) -> dict[str, str]:
    """Returns what is wrong with a declaration, of which nothing is left."""
    before = document.client.get(f"{document.path}/versions").data
    answer = document.client.post(f"{document.path}/versions", {**declared(), **members})
    assert answer.failure == (400, "INVALID_REQUEST_BODY"), answer.text
    assert document.client.get(f"{document.path}/versions").data == before
    return answer.fields


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
    form = document.declare()["upload"]
    with pytest.raises(Refused, match=said):
        send({**form, "fields": {**form["fields"], **{n.replace("_", "-"): v for n, v in changed.items()}}}, PDF)
    assert stored_files(bucket) == []


@pytest.mark.parametrize("content", [PDF[:5], PDF + b" ", PDF.lower()])
def test_the_policy_of_a_form_binds_size_and_checksum(document: DocumentScenario, content: bytes, bucket: Any) -> None:
    with pytest.raises(Refused, match="BadDigest" if len(content) == len(PDF) else "size"):
        send(document.declare()["upload"], content)
    assert stored_files(bucket) == []


def test_a_form_works_for_an_hour(document: DocumentScenario, clock: Clock) -> None:
    version = document.declare()
    clock.move(UPLOAD_SECONDS - 5)
    send(version["upload"], PDF)
    clock.move(10)
    with pytest.raises(Refused, match="expired"):
        send(version["upload"], PDF)
    assert document.complete(version["id"]).status == 200


@pytest.mark.parametrize("size", [0, -1, FILE_BYTES + 1, 1.5, "15", None])
def test_a_size_is_from_1_byte_to_100_megabytes(document: DocumentScenario, size: Any) -> None:
    assert set(refused(document, size=size)) == {"size"}


def test_the_largest_file_is_100_megabytes(document: DocumentScenario) -> None:
    assert document.declare(size=104_857_600)["size"] == 104_857_600


@pytest.mark.parametrize("digest", ["", "ab", "x" * 64, hashlib.sha256(b"").hexdigest().upper(), "0" * 65, None, 1])
def test_a_checksum_is_64_hexadecimal_digits(document: DocumentScenario, digest: Any) -> None:
    assert set(refused(document, sha256=digest)) == {"sha256"}


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "a" * 197 + ".pdf", "😀" * 200, "😀" * 197 + ".pdf", "../x.pdf", "a/b.pdf", "a\\b.pdf", "x\n.pdf"),
        *(
            "x\u202efdp.pdf",
            "\u200fx.pdf",
            "x\u2066.pdf",
            "x\x00.pdf",
            "x\x85.pdf",
            "paper",
            "paper.exe",
            "paper.pdf.exe",
        ),
        *("paper.html", "paper.svg", "paper.pdf ", "paper.pdf.", None, 5),
    ],
)
def test_a_name_has_no_path_no_hidden_characters_and_the_ending_of_its_type(
    document: DocumentScenario, name: Any
) -> None:
    assert set(refused(document, fileName=name)) == {"fileName"}


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


@pytest.mark.parametrize(
    "kind",
    ["text/html", "image/svg+xml", "application/octet-stream", "application/xhtml+xml", "PDF", "", None, "text/xml"],
)
def test_pages_pictures_that_run_and_programs_are_no_papers(document: DocumentScenario, kind: Any) -> None:
    assert set(refused(document, mimeType=kind, fileName="x.txt")) == {"mimeType"}


@pytest.mark.parametrize("kind", sorted(EXTENSIONS))
def test_a_name_fits_its_type_and_no_other(document: DocumentScenario, kind: str) -> None:
    for ending in EXTENSIONS[kind]:
        assert document.declare(name=f"Paper{ending}", mimeType=kind)["mimeType"] == kind
    assert "must end in" in refused(document, mimeType=kind, fileName="Paper.js")["fileName"]


def test_all_that_is_wrong_is_named_at_once(document: DocumentScenario) -> None:
    assert set(refused(document, size=0, sha256="", fileName="a/b.exe", mimeType="x")) == {
        *("size", "sha256", "fileName", "mimeType"),
    }


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
    seats = [membership_id(scenario.board_id, scenario.owner.id)]
    created = scenario.owner.client.post(f"{scenario.path}/committees", {"name": "Audit", "memberIds": seats})
    moved = scenario.owner.client.patch(document.path, {"committeeId": created.data["id"]})
    assert moved.status == 200, moved.text
    assert declare_again(document).failure == (404, "RESOURCE_NOT_FOUND")
    scenario.owner.client.patch(document.path, {"committeeId": None})
    assert declare_once(document)["upload"] is not None
    scenario.owner.client.patch(
        f"{scenario.path}/members/{membership_id(scenario.board_id, mia.id)}", {"accessType": "guest"}
    )
    assert declare_again(document).status == 403


def declare_again(document: DocumentScenario) -> Response:
    """Declares the same file with the same key as before."""
    return document.client.call(
        "POST", f"{document.path}/versions", declared(), headers={"Idempotency-Key": "the same"}
    )


def declare_once(document: DocumentScenario) -> Any:
    answer = declare_again(document)
    assert answer.status == 201, answer.text
    return answer.data
