"""Publishing: new bytes first, pointers last, nothing twice, and never other bytes under a released version."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws

from infra.catalog import publish
from infra.catalog.publish import IMMUTABLE, POINTER, ROOT
from infra.catalog.releases import Release
from infra.catalog.source import CatalogError
from infra.catalog.tree import canonical

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

BUCKET = "catalog"


def release(version: str, text: str) -> Release:
    """A small tree: one record, one domain, one list and the index, all of which say `text`."""
    index = canonical({"version": version, "kpis": [{"rogueId": "finance.revenue"}]})
    body = canonical({"version": version, "text": text * 400})
    return Release(
        version, {"index.json": index, "search.json": body, "finance.json": body, "finance/revenue.json": body}
    )


OLD, NEW = release("1.0.0", "old"), release("1.1.0", "new")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator["S3Client"]:
    monkeypatch.setattr(publish, "_WORKERS", 1)  # the engine of this test serves one call at a time
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test")
        client.create_bucket(Bucket=BUCKET)
        yield client
        boto3.resource("s3", region_name="us-east-1").Bucket(BUCKET).objects.delete()


def body(client: "S3Client", path: str) -> bytes:
    return client.get_object(Bucket=BUCKET, Key=ROOT + path)["Body"].read()


def etags(client: "S3Client") -> dict[str, str]:
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    return {item["Key"]: item["ETag"] for page in pages for item in page["Contents"]}


def test_every_file_stands_plain_and_compressed(client: "S3Client") -> None:
    publish.publish(client, BUCKET, [OLD])
    for path, text in OLD.tree.items():
        assert body(client, path) == body(client, f"v/1.0.0/{path}") == text
    for suffix, encoding in (("", None), (".gz", "gzip"), (".br", "br")):
        stored = client.get_object(Bucket=BUCKET, Key=f"{ROOT}finance.json{suffix}")
        assert stored.get("ContentEncoding") == encoding
        assert stored["ContentType"] == "application/json"
        assert stored["CacheControl"] == POINTER
    versioned = client.get_object(Bucket=BUCKET, Key=f"{ROOT}v/1.0.0/finance.json")
    assert versioned["CacheControl"] == IMMUTABLE


def test_the_page_is_published_with_its_types(client: "S3Client") -> None:
    publish.publish(client, BUCKET, [OLD])
    types = {
        name: client.get_object(Bucket=BUCKET, Key=f"{ROOT}browse/{name}")["ContentType"] for name in publish.PAGE_FILES
    }
    assert types["index.html"] == "text/html; charset=utf-8"
    assert types["browse.js"] == "text/javascript; charset=utf-8"
    assert set(publish.PAGE_FILES) == {path.name for path in publish.PAGE.iterdir()}


def test_publishing_again_uploads_nothing_and_keeps_every_etag(client: "S3Client") -> None:
    first = publish.publish(client, BUCKET, [OLD])
    before = etags(client)
    again = publish.publish(client, BUCKET, [OLD])
    assert again == publish.Published([], len(first.uploaded))
    assert etags(client) == before


def test_an_etag_is_the_hash_of_the_bytes(client: "S3Client") -> None:
    publish.publish(client, BUCKET, [OLD])
    planned = {each.key: each.etag for step in publish.steps([OLD]) for each in step}
    assert etags(client) == planned


def test_a_new_version_uploads_only_what_it_changes(client: "S3Client") -> None:
    publish.publish(client, BUCKET, [OLD])
    done = publish.publish(client, BUCKET, [NEW, OLD])
    assert not [key for key in done.uploaded if "/v/1.0.0/" in key or "/browse/" in key]
    assert body(client, "v/1.0.0/finance.json") == OLD.tree["finance.json"]
    assert body(client, "finance.json") == NEW.tree["finance.json"]


def test_versions_come_first_and_the_index_last(client: "S3Client") -> None:
    uploaded = publish.publish(client, BUCKET, [NEW, OLD]).uploaded
    versioned = ["/v/" in key for key in uploaded]
    assert versioned == sorted(versioned, reverse=True)
    assert uploaded[-3:] == [f"{ROOT}index.json{suffix}" for suffix in (".br", ".gz", "")]
    assert uploaded.index(f"{ROOT}finance/revenue.json") < uploaded.index(f"{ROOT}finance.json.br")


@pytest.mark.parametrize("uploads", range(0, 24, 3))
def test_whatever_the_index_names_is_there_when_publishing_breaks_off(client: "S3Client", uploads: int) -> None:
    publish.publish(client, BUCKET, [OLD])
    left = uploads

    def stop(**_: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise ConnectionError

    client.meta.events.register("before-call.s3.PutObject", stop)
    with pytest.raises(ConnectionError):
        publish.publish(client, BUCKET, [NEW, OLD])
    client.meta.events.unregister("before-call.s3.PutObject", stop)
    assert body(client, "index.json") == OLD.tree["index.json"]
    if uploads < 12:
        assert all(body(client, path) == text for path, text in OLD.tree.items())
    publish.publish(client, BUCKET, [NEW, OLD])
    assert all(body(client, path) == text for path, text in NEW.tree.items())


def test_a_released_sibling_stays_even_if_another_compressor_would_pack_it_otherwise(client: "S3Client") -> None:
    publish.publish(client, BUCKET, [OLD])
    key = f"{ROOT}v/1.0.0/finance.json.gz"
    client.put_object(Bucket=BUCKET, Key=key, Body=b"packed otherwise")
    assert publish.publish(client, BUCKET, [OLD]).uploaded == []
    assert body(client, "v/1.0.0/finance.json.gz") == b"packed otherwise"


def test_other_bytes_under_a_released_version_are_refused_before_any_upload(client: "S3Client") -> None:
    publish.publish(client, BUCKET, [OLD])
    before = etags(client)
    with pytest.raises(CatalogError) as refused:
        publish.publish(client, BUCKET, [release("1.0.0", "forged")])
    assert f"{ROOT}v/1.0.0/finance.json" in {fault.file for fault in refused.value.faults}
    assert etags(client) == before
