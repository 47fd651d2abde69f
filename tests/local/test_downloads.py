"""`make run` gives a file out by a signed address of the CDN, and refuses what CloudFront refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import urllib3

from governance.instants import Instant, now, shift
from governance.settings import settings
from governance.store import downloads
from infra.local import engine
from infra.stack import download_key
from tests.local.test_signatures import client

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.slow
PAPER, LATE = b"A paper", Instant("2098-01-01T00:00:00.000Z")
ANSWER = {
    "response-cache-control": "private, max-age=120, immutable",
    "response-content-disposition": "inline; filename*=UTF-8''B%C3%A4r.pdf",
    "response-content-type": "application/pdf",
}
FILES = {
    "TABLE_NAME": "of-the-settings",
    "BUCKET_NAME": "static",
    "PAPERS_BUCKET": "files",
    "DOWNLOAD_KEY": download_key.draw(),
    "DOWNLOAD_KEY_ID": "KLOCAL",
}


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    running = engine.start(engine.MINISTACK, Path(tmp_path_factory.mktemp("engine")), given=FILES)
    address = running.environment["AWS_ENDPOINT_URL"]
    s3: S3Client = client(address)
    for bucket, key in (("files", "papers/1"), ("files", "uploads/1"), ("static", "exports/1"), ("static", "log/1")):
        if key.endswith(("papers/1", "exports/1")):
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        s3.put_object(Bucket=bucket, Key=key, Body=PAPER)
    yield address
    running.stop()


@pytest.fixture(autouse=True)
def _signer(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in (FILES | {"DOWNLOADS_ORIGIN": endpoint}).items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    yield
    settings.cache_clear()


def link(key: str = "papers/1", until: Instant = LATE) -> str:
    return downloads.signed_url(key, ANSWER, until)


def status(url: str, method: str = "GET") -> int:
    return urllib3.request(method, url).status


def test_a_file_comes_as_its_address_says() -> None:
    answer = urllib3.request("GET", link())
    assert (answer.status, answer.data) == (200, PAPER)
    for name, value in ANSWER.items():
        assert answer.headers[name.removeprefix("response-")] == value


def test_a_part_of_a_file_is_read_by_its_range_and_its_size_by_head() -> None:
    part = urllib3.request("GET", link(), headers={"range": "bytes=2-4"})
    assert (part.status, part.data, part.headers["content-range"]) == (206, PAPER[2:5], f"bytes 2-4/{len(PAPER)}")
    assert urllib3.request("HEAD", link()).headers["content-length"] == str(len(PAPER))


def test_an_archive_of_an_export_comes_from_the_other_bucket() -> None:
    assert urllib3.request("GET", link("exports/1")).data == PAPER


@pytest.mark.parametrize(
    "changed",
    [
        ("papers/1", "papers/2"),
        ("application%2Fpdf", "text%2Fhtml"),
        ("&response-content-type=application%2Fpdf", ""),
        ("Expires=", "Expires=1"),
        ("&Hash-Algorithm=SHA256", ""),
        ("Key-Pair-Id=KLOCAL", "Key-Pair-Id=KOTHER"),
        ("Signature=", "Signature=A"),
        ("Signature=", "Signature=%C3%A4"),
        ("Signature=", "Unsigned="),
        ("Key-Pair-Id=KLOCAL&Hash-Algorithm=SHA256", ""),
    ],
)
def test_a_changed_address_is_refused(changed: tuple[str, str]) -> None:
    url = link()
    assert changed[0] in url
    assert status(url.replace(*changed)) == 403


def test_an_address_is_refused_when_it_has_expired_and_for_other_methods() -> None:
    assert status(link(until=shift(now(), seconds=-1))) == 403
    assert [status(link(), method) for method in ("PUT", "DELETE", "POST")] == [403] * 3


@pytest.mark.parametrize("key", ["uploads/1", "log/1", "files/papers/1", ""])
def test_a_signature_opens_no_other_folder(key: str) -> None:
    assert status(link(key)) == 403


def test_an_address_of_another_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOWNLOAD_KEY", download_key.draw())
    settings.cache_clear()
    assert status(link()) == 403
