"""The bucket of `make run`: what `make deploy` publishes to it, and what the CDN reads from it."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.catalog.formulas import publish_formulas
from infra.catalog.pointer import BUCKET_KEY, BucketPointer
from infra.catalog.publish import ROOT, pointer_text, publish
from infra.catalog.releases import load
from infra.local.bucket_origin import StoredObject
from infra.openapi.site import File
from infra.pages.app.site import PAGE, MissingPackagesError, app_site
from infra.publish import page_files, upload

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_CATALOG = (ROOT, BUCKET_KEY)


class StaticSite:
    """The published objects. A thread publishes them, the pages first, so that the service starts at once."""

    def __init__(self, client: S3Client, bucket: str, root_url: str) -> None:
        self._client = client
        self._bucket = bucket
        self._root_url = root_url
        worker = ThreadPoolExecutor(1, "publishing")
        self._pages: Future[None] = worker.submit(self._publish_pages)
        self._catalog: Future[None] = worker.submit(self._publish_catalog_if_changed)
        worker.shutdown(wait=False)

    def _publish_pages(self) -> None:
        publish_formulas(self._client, self._bucket, load()[0])  # what the first request may need
        upload(self._client, self._bucket, page_files(self._root_url, local_app_files()))

    def _publish_catalog_if_changed(self) -> None:
        """Publishes the newest release with its page, unless the pointer shows that both are published already."""
        released, pointer = load(), BucketPointer(self._client, self._bucket)
        current, stored = released[0].version, pointer.read()
        if stored != pointer_text(released, current, stored):
            publish(self._client, self._bucket, pointer, released, current)

    def read(self, key: str) -> StoredObject | None:
        """Waits until the key's part is published, then returns its object, or None if there is none."""
        (self._catalog if key.startswith(_CATALOG) else self._pages).result()
        return read_object(self._client, self._bucket, key)


def local_app_files() -> dict[str, File]:
    """Returns the pages for members and guests, or one that says what they need."""
    try:
        return app_site()
    except MissingPackagesError as error:
        return {PAGE: File(f"{error}\n".encode(), "text/plain; charset=utf-8")}


def read_object(client: S3Client, bucket: str, key: str) -> StoredObject | None:
    """Returns an object of a bucket, or None if there is none."""
    try:
        response = client.get_object(Bucket=bucket, Key=key)
    except ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchKey":
            return None
        raise
    return StoredObject(
        response["Body"].read(),
        response["ETag"],
        response["ContentType"],
        response.get("ContentEncoding", ""),
        response.get("CacheControl", ""),
    )
