"""The files of exports: the keys under which a release finds what an earlier one left, and how an archive is given."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from governance.settings import settings
from governance.store.exports import export_files

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

ID = "1" * 24


def test_the_files_of_an_export_are_stored_under_these_keys() -> None:
    assert export_files.archive_key(ID) == f"exports/{ID}.zip"
    assert export_files.piece_key(ID, "meetings", 2) == f"exports/{ID}/meetings/2"
    assert export_files.progress_key(ID) == f"exports/{ID}/progress"


def test_an_archive_is_made_of_its_parts_as_a_zip_file(bucket: S3Client) -> None:
    upload = export_files.begin_upload(ID)
    tags = [export_files.upload_part(ID, upload, number, part) for number, part in ((1, b"a" * (5 << 20)), (2, b"b"))]
    export_files.complete_upload(ID, upload, tags)
    archive = bucket.get_object(Bucket=settings().bucket_name, Key=export_files.archive_key(ID))
    assert archive["ContentType"] == "application/zip"
    assert archive["Body"].read() == b"a" * (5 << 20) + b"b"


@pytest.mark.usefixtures("bucket")
def test_an_object_of_many_chunks_is_read_whole() -> None:
    body = bytes(range(256)) * 3000
    export_files.put("exports/x", body)
    assert export_files.get("exports/x") == body
    assert export_files.get("exports/y") is None


@pytest.mark.usefixtures("store")
def test_the_address_of_an_archive_gives_its_file_for_five_minutes_and_no_cache_keeps_it() -> None:
    address = urlsplit(export_files.signed_url(ID))
    asked = parse_qs(address.query)
    assert address.path.endswith(f"/{export_files.archive_key(ID)}")
    assert asked["X-Amz-Expires"] == ["300"]
    assert asked["response-content-disposition"] == ['attachment; filename="export.zip"']
    assert asked["response-cache-control"] == ["private, no-store"]
