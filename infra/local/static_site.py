"""Serves what the CDN serves in the cloud: the catalog, the documentation and the pages."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.catalog.pointer import BucketPointer
from infra.catalog.publish import pointer_text, publish
from infra.catalog.releases import load
from infra.local import app_pages, catalog_responses, docs, invite_page
from infra.local.catalog_limit import CatalogLimit
from infra.local.event import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class StaticSite:
    """The static paths. A thread publishes the catalog, so that the start of the service does not wait for it."""

    def __init__(self, client: S3Client, bucket: str, limit: CatalogLimit) -> None:
        self._client = client
        self._bucket = bucket
        self._limit = limit
        self._published: Future[None] = Future()
        threading.Thread(target=self._publish, name="catalog", daemon=True).start()

    def _publish(self) -> None:
        try:
            self._publish_if_changed()
        except Exception as error:  # noqa: BLE001 - raised again by the next read
            self._published.set_exception(error)
        else:
            self._published.set_result(None)

    def _publish_if_changed(self) -> None:
        """Publishes the newest release with its page, unless the pointer shows that both are published already."""
        released, pointer = load(), BucketPointer(self._client, self._bucket)
        current, stored = released[0].version, pointer.read()
        if stored != pointer_text(released, current, stored):
            publish(self._client, self._bucket, pointer, released, current)

    def read(self, key: str) -> catalog_responses.StoredObject | None:
        """Waits until the catalog is published, then returns the object of a key, or None if there is none."""
        self._published.result()
        return self._object(key)

    def _object(self, key: str) -> catalog_responses.StoredObject | None:
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=key)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None
            raise
        return catalog_responses.StoredObject(
            found["Body"].read(),
            found["ETag"],
            found["ContentType"],
            found.get("ContentEncoding", ""),
        )

    def _catalog_response(self, request: HttpRequest) -> catalog_responses.StaticResponse:
        if seconds := self._limit.seconds_to_wait(request.address):
            return catalog_responses.too_many(seconds)
        headers = {name.lower(): value for name, value in request.headers}
        return catalog_responses.serve(request.method, request.path, headers, self.read)

    def respond(self, request: HttpRequest) -> HttpResponse | None:
        """Returns the response to a static path, or None if the API has to answer that it does not exist."""
        if request.path == catalog_responses.ROOT or request.path.startswith(f"{catalog_responses.ROOT}/"):
            response = self._catalog_response(request)
            return HttpResponse(response.status, list(response.headers.items()), response.body)
        return docs.page(request) or invite_page.page(request) or app_pages.page(request)
