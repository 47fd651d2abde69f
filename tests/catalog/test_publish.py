"""Publishing: objects first, then the pointer; nothing is uploaded twice, and released bytes never change."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws

from infra.catalog import page, publish
from infra.catalog.pointer import BUCKET_KEY, BucketPointer
from infra.catalog.publish import IMMUTABLE, ROOT, PublishResult
from infra.catalog.releases import Release
from infra.catalog.source import CatalogError
from tests.harness.catalog import release, responses, stored_in, tree_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

BUCKET = "catalog"
OLD, NEW = release("1.0.0", "old"), release("1.1.0", "new")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator["S3Client"]:
    monkeypatch.setattr(publish, "_WORKERS", 1)  # the engine of this test serves one call at a time
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test")
        client.create_bucket(Bucket=BUCKET)
        yield client
        boto3.resource("s3", region_name="us-east-1").Bucket(BUCKET).objects.delete()


def publish_all(client: "S3Client", *releases: Release, current: str = "") -> PublishResult:
    pointer = BucketPointer(client, BUCKET)
    return publish.publish(client, BUCKET, pointer, list(releases), current or releases[0].version)


def stored(client: "S3Client", path: str) -> bytes:
    return client.get_object(Bucket=BUCKET, Key=ROOT + path)["Body"].read()


def etags(client: "S3Client") -> dict[str, str]:
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    return {item["Key"]: item["ETag"] for page in pages for item in page["Contents"]}


def read(client: "S3Client") -> dict[str, bytes]:
    """Returns the whole tree at the paths without a version, as a reader gets it now."""
    paths = list(tree_of(OLD))
    return dict(zip(paths, (answer.body for answer in responses(stored_in(client, BUCKET), paths)), strict=True))


def test_every_file_is_stored_plain_and_compressed_once_with_the_hash_of_its_bytes(client: "S3Client") -> None:
    publish_all(client, NEW, OLD)
    for path, text in OLD.tree.items():
        assert stored(client, f"v/1.0.0/{path}") == text
    for suffix, encoding in (("", None), (".gz", "gzip"), (".br", "br")):
        answer = client.get_object(Bucket=BUCKET, Key=f"{ROOT}v/1.0.0/finance.json{suffix}")
        assert answer.get("ContentEncoding") == encoding
        assert answer["ContentType"] == "application/json"
        assert answer["CacheControl"] == IMMUTABLE
    assert {key.removeprefix(ROOT).split("/")[0] for key in etags(client)} == {"v", "browse", "catalog"}
    assert read(client) == tree_of(NEW), "at the paths without a version"
    planned = {planned_object.key: planned_object.etag for planned_object in publish.objects([NEW, OLD])}
    assert {key: etag for key, etag in etags(client).items() if key != BUCKET_KEY} == planned


def test_the_page_is_published_with_its_types(client: "S3Client") -> None:
    publish_all(client, OLD)
    folder = f"{ROOT}browse/{page.build('1.0.0').digest}/"
    types = {name: client.get_object(Bucket=BUCKET, Key=f"{folder}{name}")["ContentType"] for name in page.FILES}
    assert types["index.html"] == "text/html; charset=utf-8"
    assert types["browse.js"] == "text/javascript; charset=utf-8"
    assert set(page.OWN) == {path.name for path in page.FOLDER.iterdir()}


def test_publishing_again_uploads_nothing_and_a_new_version_only_what_it_adds(client: "S3Client") -> None:
    first = publish_all(client, OLD)
    before = etags(client)
    again = publish_all(client, OLD)
    assert again == PublishResult([], len(first.uploaded), first.pointer)
    assert etags(client) == before
    uploaded = publish_all(client, NEW, OLD).uploaded
    assert not before.keys() & set(uploaded)
    assert all("/v/1.1.0/" in key or f"/browse/{page.build('1.1.0').digest}/" in key for key in uploaded)


class Killed(Exception):
    """The process was killed."""


@contextmanager
def killed_after(client: "S3Client", calls: int, *, is_answer_lost: bool) -> Iterator[None]:
    """Allows `calls` uploads, then kills the publication, or does so before the answer to the last one arrives."""
    made = 0

    def before(**_: Any) -> None:
        nonlocal made
        made += 1
        if made > calls:
            raise Killed

    def after(**_: Any) -> None:
        if is_answer_lost and made == calls:
            raise Killed

    hooks = {"before-call.s3.PutObject": before, "after-call.s3.PutObject": after}
    for event, hook in hooks.items():
        client.meta.events.register(event, hook)
    with suppress(Killed):
        yield
    for event, hook in hooks.items():
        client.meta.events.unregister(event, hook)


@pytest.mark.slow
@pytest.mark.parametrize("is_answer_lost", [False, True])
def test_a_reader_sees_one_whole_release_wherever_publishing_is_killed(
    client: "S3Client", *, is_answer_lost: bool
) -> None:
    """Each attempt gets one upload further; the last upload is the pointer."""
    publish_all(client, OLD)
    by_version = {"1.0.0": tree_of(OLD), "1.1.0": tree_of(NEW)}
    built, seen = page.build("1.1.0"), list[str]()
    for _ in range(len(publish.objects([NEW])) + 1):
        with killed_after(client, 1, is_answer_lost=is_answer_lost):
            publish_all(client, NEW, OLD)
        shown = read(client)
        seen += [version for version, tree in by_version.items() if tree == shown] or ["a mixture"]
        own = [f"v/1.1.0/{path}" for path in NEW.tree] + [f"browse/{built.digest}/{name}" for name in built.files]
        statuses = {answer.status for answer in responses(stored_in(client, BUCKET), own)}
        assert statuses == {200 if seen[-1] == "1.1.0" else 404}
    assert seen == ["1.0.0"] * (len(seen) - 1) + ["1.1.0"]
    assert publish_all(client, NEW, OLD).uploaded == []


def test_an_older_release_is_made_current_again(client: "S3Client") -> None:
    publish_all(client, NEW, OLD)
    assert publish_all(client, NEW, OLD, current="1.0.0").uploaded == []
    assert read(client) == tree_of(OLD)
    assert responses(stored_in(client, BUCKET), ["index.json"], "/v/1.1.0")[0].body == NEW.tree["index.json"]


def test_a_loaded_page_finds_its_files_after_another_was_published(
    client: "S3Client", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    publish_all(client, OLD)
    loaded = page.build("1.0.0")
    for name in page.OWN:
        (tmp_path / name).write_bytes((page.FOLDER / name).read_bytes() + b"\n")
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    publish_all(client, OLD)
    assert read(client)["browse/"] == page.build("1.0.0").files["index.html"] != loaded.files["index.html"]
    under = f"/browse/{loaded.digest}"
    answers = responses(stored_in(client, BUCKET), list(page.FILES), under)
    assert [answer.body for answer in answers] == list(loaded.files.values())


def test_a_released_sibling_stays_even_if_another_compressor_gives_other_bytes(client: "S3Client") -> None:
    publish_all(client, OLD)
    key = f"{ROOT}v/1.0.0/finance.json.gz"
    client.put_object(Bucket=BUCKET, Key=key, Body=b"packed otherwise")
    assert publish_all(client, OLD).uploaded == []
    assert stored(client, "v/1.0.0/finance.json.gz") == b"packed otherwise"


def test_other_bytes_under_a_released_version_are_refused_before_any_upload(client: "S3Client") -> None:
    publish_all(client, OLD)
    before = etags(client)
    with pytest.raises(CatalogError) as refused:
        publish_all(client, NEW, release("1.0.0", "forged"))
    assert f"{ROOT}v/1.0.0/finance.json" in {error.file for error in refused.value.errors}
    assert etags(client) == before
