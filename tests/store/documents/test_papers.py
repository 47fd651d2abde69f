"""The files of documents: what a form lets in, how a file is kept, and how its address gives it out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from botocore.awsrequest import AWSPreparedRequest

from governance.domain.documents.document_version import ReceivedFile
from governance.errors import ApiError, Code
from governance.instants import Instant, epoch
from governance.limits import DOWNLOAD_SECONDS
from governance.settings import settings
from governance.store.documents import papers
from tests.harness.fault_injection import access_denied, hooked
from tests.store.stored_items import VERSIONS

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY = "papers/1/2/3"
UNTIL = Instant("2098-03-01T09:02:00.999Z")
VERSION = VERSIONS.versions[0]
CONTENT = b"name,share\n" * 100


@pytest.mark.usefixtures("store")
def test_a_form_takes_one_file_of_this_size_and_checksum_for_an_hour() -> None:
    with time_machine.travel("2027-03-01T09:00:00Z", tick=False):
        form = papers.upload_form(KEY, VERSION.model_copy(update={"size": 7}))
    digest = base64.b64encode(bytes.fromhex(VERSION.sha256)).decode()
    expected = {
        "key": KEY,
        "Content-Type": "application/pdf",
        "x-amz-checksum-algorithm": "SHA256",
        "x-amz-checksum-sha256": digest,
    }
    assert form.fields.items() >= expected.items()
    policy = json.loads(base64.b64decode(form.fields["policy"]))
    assert policy["expiration"] == "2027-03-01T10:00:00Z"
    assert ["content-length-range", 7, 7] in policy["conditions"]


def test_a_file_of_the_service_is_kept_whole_with_its_type_and_checksum(bucket: S3Client, tmp_path: Path) -> None:
    file = tmp_path / "pack.csv"
    file.write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT)
    sent: dict[str, Any] = {}

    def record(request: AWSPreparedRequest, **_: Any) -> None:
        sent.update(request.headers)  # the engine of tests neither compares the size nor keeps the checksum

    with hooked("before-send.s3.PutObject", record, papers.client()):
        assert papers.put(KEY, file, "text/csv") == (len(CONTENT), digest.hexdigest())
    kept = bucket.get_object(Bucket=settings().papers_bucket, Key=KEY)
    assert (kept["Body"].read(), kept["ContentType"]) == (CONTENT, "text/csv")
    assert int(sent["Content-Length"]) == len(CONTENT)
    assert sent["x-amz-checksum-sha256"] == base64.b64encode(digest.digest())


def test_a_copy_is_kept_with_its_type_and_checksum_and_without_a_tag(bucket: S3Client) -> None:
    target: Any = {"Bucket": settings().papers_bucket, "Key": "uploads/1/2/3"}
    bucket.put_object(**target, Body=CONTENT, ContentType="text/csv", ChecksumAlgorithm="SHA256", Tagging="a=b")
    papers.keep("uploads/1/2/3", KEY)
    assert papers.received(KEY) == ReceivedFile(len(CONTENT), "text/csv", hashlib.sha256(CONTENT).hexdigest())
    assert bucket.get_object_tagging(Bucket=settings().papers_bucket, Key=KEY)["TagSet"] == []


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("ask", [papers.received, papers.sent_at, papers.read, papers.scan_result])
def test_a_file_that_may_not_be_read_is_not_taken_for_an_absent_one(ask: Callable[[str], object]) -> None:
    assert ask(KEY) is None
    with hooked("before-call.s3.*", access_denied, papers.client()), pytest.raises(ApiError) as refusal:
        ask(KEY)
    assert refusal.value.code is Code.SERVICE_UNAVAILABLE


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("mime_type", "kind", "ending"),
    [("text/csv", "text/csv; charset=utf-8", "csv"), ("application/pdf", "application/pdf", "pdf")],
)
def test_an_address_says_until_when_it_works_and_how_a_file_is_called_read_and_kept(
    mime_type: str, kind: str, ending: str
) -> None:
    version = VERSION.model_copy(update={"mime_type": mime_type, "file_name": f"Plan/Q1 ~ü.{ending}"})
    address = urlsplit(papers.signed_url(KEY, version, "inline", UNTIL))
    asked = parse_qs(address.query)
    assert (address.path, asked["Expires"]) == (f"/{KEY}", [str(epoch(UNTIL))])
    assert asked["response-content-type"] == [kind]
    assert asked["response-content-disposition"] == [f"inline; filename*=UTF-8''Plan%2FQ1%20~%C3%BC.{ending}"]
    assert asked["response-cache-control"] == [f"private, max-age={DOWNLOAD_SECONDS}, immutable"]
