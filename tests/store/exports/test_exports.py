"""Exports: the marker of the one that runs, how long they are listed, and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from governance.domain.exports.export import ended, requested, running
from governance.errors import ApiError
from governance.ids import new_id, time_ordered_id
from governance.instants import Instant, epoch, millis, shift
from governance.limits import EXPORT_DAYS, EXPORT_HOURS
from governance.models.exports.export import StoredExport
from governance.settings import settings
from governance.store.exports import export_files, exports
from governance.store.schema.jobs import EXPORT_RUNNING
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import StaleRead
from tests.store.stored_items import BOARD, NOW, USER

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.usefixtures("store")
UNTIL = Instant("2098-03-01T09:05:00.999Z")
LATE = shift(NOW, hours=EXPORT_HOURS)


def begin(at: Instant = NOW) -> StoredExport:
    export = requested(USER, BOARD, at)
    transact(exports.create(export))
    return export


def end(export: StoredExport) -> None:
    transact(exports.end(export, ended(export, 1)))


def test_an_export_that_ends_lets_the_next_one_begin() -> None:
    first = begin()
    item = read_one(EXPORT_RUNNING.key_for(exportedId=BOARD))
    assert exports.running_from_item(item) == running(first)
    assert exports.running_from_item(None) is None
    with pytest.raises(ApiError):
        begin()
    end(first)
    begin()


def test_an_export_that_ends_late_does_not_end_the_next_one() -> None:
    first = begin()
    second = begin(LATE)
    end(first)
    assert exports.running_from_item(read_one(EXPORT_RUNNING.key_for(exportedId=BOARD))) == running(second)
    with pytest.raises(ApiError):
        begin(LATE)


def test_an_export_whose_marker_became_that_of_another_meanwhile_is_not_ended() -> None:
    first = begin()
    writes = exports.end(first, ended(first, 1))
    begin(LATE)
    with pytest.raises(StaleRead):
        transact(writes)


def test_an_export_without_its_marker_ends() -> None:
    first = begin()
    transact(exports.end(first, first)[1:])
    end(first)
    export = exports.get(BOARD, USER, first.id)
    assert export is not None
    assert export.status == "ready"
    assert exports.get(BOARD, USER, new_id()) is None


def test_exports_are_listed_until_they_are_a_week_old() -> None:
    bound, gone = exports.oldest_kept(NOW), millis(shift(NOW, days=-EXPORT_DAYS))
    assert time_ordered_id(gone) < bound <= time_ordered_id(gone + 1, "0" * 12)


ID = "1" * 24


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


def test_the_address_of_an_archive_gives_its_file_until_an_instant_and_no_cache_keeps_it() -> None:
    address = urlsplit(export_files.signed_url(ID, UNTIL))
    asked = parse_qs(address.query)
    assert (address.path, asked["Expires"]) == (f"/{export_files.archive_key(ID)}", [str(epoch(UNTIL))])
    assert asked["response-content-disposition"] == ['attachment; filename="export.zip"']
    assert asked["response-cache-control"] == ["private, no-store"]
