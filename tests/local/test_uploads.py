"""The local engine takes a form's file as S3 does: of the declared size, type and checksum (ADR documents)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
import urllib3
from botocore.config import Config

from governance import aws
from governance.models.documents.document_version import StoredVersion, UploadForm
from governance.settings import settings
from governance.store.documents import papers
from infra.local import engine, tables
from tests.harness.engine import ENVIRONMENT
from tests.store.stored_items import VERSIONS

pytestmark = pytest.mark.slow
CONTENT = b"%PDF-1.7 local"
VERSION = VERSIONS.versions[0].model_copy(
    update={"size": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest(), "file_name": "a.pdf"}
)
KEY, KEPT = "uploads/1/2/3", "papers/1/2/3"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    running = engine.start(engine.MINISTACK, Path(tmp_path_factory.mktemp("engine")), ["http://127.0.0.1:1"], "papers")
    yield running.environment
    running.stop()


@pytest.fixture
def bucket(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, value in {**ENVIRONMENT, "TABLE_NAME": "unused", **environment, "PAPERS_BUCKET": "papers"}.items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # another test's has its credentials
    patient = Config(connect_timeout=10, read_timeout=30)  # the engine shares the machine with the tests
    client = boto3.client("s3", config=aws.s3.__wrapped__().meta.config.merge(patient))
    monkeypatch.setattr(aws, "s3", lambda: client)
    monkeypatch.setattr(papers, "client", aws.s3)
    monkeypatch.setattr(papers, "copying_client", aws.s3)
    tables.create_bucket("papers")
    yield client
    client.delete_objects(Bucket="papers", Delete={"Objects": [{"Key": KEY}, {"Key": KEPT}]})
    settings.cache_clear()


def form(version: StoredVersion = VERSION) -> UploadForm:
    return papers.upload_form(KEY, version)


def post(upload: UploadForm, content: bytes = CONTENT, **headers: str) -> int:
    fields: dict[str, Any] = {**upload.fields, "file": ("a.pdf", content)}
    return urllib3.request("POST", upload.url, fields=fields, headers=headers).status


def test_the_declared_file_arrives_with_its_checksum(bucket: Any) -> None:
    del bucket
    assert papers.received(KEY) is None
    assert post(form(), Origin="http://127.0.0.1:1") == 204
    received = papers.received(KEY)
    assert received is not None
    assert (received.size, received.mime_type, received.sha256) == (len(CONTENT), "application/pdf", VERSION.sha256)
    papers.keep(KEY, KEPT)
    assert papers.received(KEPT) == received
    answer = urllib3.request("GET", papers.signed_url(KEPT, VERSION, "inline"))
    assert (answer.status, answer.data) == (200, CONTENT)
    assert answer.headers["content-disposition"] == "inline; filename*=UTF-8''a.pdf"
    papers.delete([KEY])
    assert papers.received(KEY) is None


def test_another_file_is_refused(bucket: Any) -> None:
    del bucket
    changed = form()
    assert post(changed, CONTENT[:-1] + b"X") == 400
    assert post(changed, CONTENT + b"X") == 400
    for name, value in {"key": "papers/other", "Content-Type": "text/html", "x-amz-checksum-sha256": "AAAA"}.items():
        other = UploadForm(url=changed.url, fields={**changed.fields, name: value})
        assert post(other) in {400, 403}
    assert post(form(), Origin="https://evil.example") == 403
    assert papers.received(KEY) is None
