"""The catalog behind the local port: published at the start if it has changed, and consistent while it is published."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest

from infra.catalog import page
from infra.catalog.pointer import BUCKET_KEY
from infra.catalog.releases import Release
from infra.local import engine, static_site
from infra.local.event import HttpRequest
from infra.local.static_site import StaticSite
from tests.harness.catalog import catalog_site, release

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.slow

BUCKET = "catalog"
OLD, NEW = release("1.0.0", "old"), release("1.1.0", "new")


@pytest.fixture
def client(tmp_path: Path) -> Iterator["S3Client"]:
    running = engine.start(engine.MINISTACK, tmp_path)
    client = boto3.client(
        "s3",
        endpoint_url=running.environment["AWS_ENDPOINT_URL"],
        region_name=engine.REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    yield client
    running.stop()


def started(client: "S3Client", monkeypatch: pytest.MonkeyPatch, *releases: Release) -> StaticSite:
    """Returns the site of a started service, once it has published the catalog."""
    monkeypatch.setattr(static_site, "load", lambda: list(releases))
    site = StaticSite(client, BUCKET, "http://127.0.0.1:8080")
    assert site.read(BUCKET_KEY) is not None
    return site


def text(site: StaticSite, path: str) -> bytes:
    answer = catalog_site(site.read)(HttpRequest("GET", f"/api/ontology/{path}", []))
    assert answer.status == 200
    return answer.body


def test_a_start_publishes_what_has_changed(
    client: "S3Client", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder, names in (("FOLDER", page.OWN), ("MODULES", page.SEARCH)):
        for name in names:
            (tmp_path / name).write_bytes((getattr(page, folder) / name).read_bytes())
        monkeypatch.setattr(page, folder, tmp_path)
    started(client, monkeypatch, OLD)
    for name in page.FILES:
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
        site = started(client, monkeypatch, OLD)
        assert text(site, "browse/") == page.build("1.0.0").files["index.html"]
    assert text(started(client, monkeypatch, NEW, OLD), "index.json") == NEW.tree["index.json"]
