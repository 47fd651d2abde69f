"""Papers and archives in the bucket: how long an address works, what a browser is told, and that no cache keeps it."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine

from governance.models.document_version import StoredVersion
from governance.settings import settings
from governance.store import export_files, papers
from tests.store.stored_items import ONE, VERSIONS

if TYPE_CHECKING:
    from pathlib import Path

    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.usefixtures("bucket")


def query(url: str) -> dict[str, str]:
    """Returns the parameters of an address that are not of its signature, with its seconds."""
    given = {name: value for name, [value] in parse_qs(urlsplit(url).query).items()}
    return {name: value for name, value in given.items() if name.startswith("response-") or name == "X-Amz-Expires"}


def version(**members: Any) -> StoredVersion:
    return VERSIONS.versions[0].model_copy(update=members)


@pytest.mark.parametrize(
    ("mime_type", "shown_as"),
    [("application/pdf", "application/pdf"), ("text/plain", "text/plain; charset=utf-8")],
)
def test_a_paper_is_read_for_two_minutes_under_its_name_as_its_type_and_kept_by_no_cache(
    mime_type: str, shown_as: str
) -> None:
    url = papers.signed_url("papers/x", version(file_name="a/b ü.pdf", mime_type=mime_type), "inline")
    assert query(url) == {
        "X-Amz-Expires": "120",
        "response-content-type": shown_as,
        "response-content-disposition": "inline; filename*=UTF-8''a%2Fb%20%C3%BC.pdf",
        "response-cache-control": "private, no-store",
    }


def test_a_form_takes_one_file_of_this_type_size_and_checksum_for_an_hour() -> None:
    with time_machine.travel("2027-03-01T09:00:00Z", tick=False):
        fields = papers.upload_form("papers/x", version(size=7)).fields
    assert (fields["x-amz-checksum-algorithm"], fields["Content-Type"]) == ("SHA256", "application/pdf")
    policy = json.loads(base64.b64decode(fields["policy"]))
    assert policy["expiration"] == "2027-03-01T10:00:00Z"
    assert ["content-length-range", 7, 7] in policy["conditions"]


def test_an_archive_is_downloaded_for_five_minutes_and_kept_by_no_cache() -> None:
    url = export_files.signed_url(ONE)
    assert urlsplit(url).path.endswith(f"/exports/{ONE}.zip")
    assert query(url) == {
        "X-Amz-Expires": "300",
        "response-content-disposition": 'attachment; filename="export.zip"',
        "response-cache-control": "private, no-store",
    }


def test_a_file_of_the_service_is_stored_whole_with_its_type(bucket: S3Client, tmp_path: Path) -> None:
    file = tmp_path / "pack.pdf"
    file.write_bytes(b"%PDF-1.7")
    assert papers.put("papers/x", file, "application/pdf") == (8, hashlib.sha256(b"%PDF-1.7").hexdigest())
    stored = bucket.get_object(Bucket=settings().papers_bucket, Key="papers/x")
    assert (stored["Body"].read(), stored["ContentType"]) == (b"%PDF-1.7", "application/pdf")
