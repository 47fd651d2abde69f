"""What the CDN serves from the bucket: the catalog; and beside it, on this machine, the API's own documentation."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.catalog.pointer import BucketPointer
from infra.catalog.publish import pointer_text, publish
from infra.catalog.releases import load
from infra.local import docs, invite_page, static
from infra.local.event import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class Pages:
    """The static paths, read from a bucket; the catalog is published beside the start, which need not wait for it."""

    def __init__(self, client: S3Client, bucket: str) -> None:
        self._client = client
        self._bucket = bucket
        self._published: Future[None] = Future()
        threading.Thread(target=self._publish, name="catalog", daemon=True).start()

    def _publish(self) -> None:
        try:
            self._bring_up_to_date()
        except Exception as error:  # noqa: BLE001 - whoever asks for the catalog is told
            self._published.set_exception(error)
        else:
            self._published.set_result(None)

    def _bring_up_to_date(self) -> None:
        """Publish the newest release with its page as the files are now, unless the pointer says that this was done."""
        released, pointer = load(), BucketPointer(self._client, self._bucket)
        current, stored = released[0].version, pointer.read()
        if stored != pointer_text(released, current, stored):
            publish(self._client, self._bucket, pointer, released, current)

    def read(self, key: str) -> static.StoredObject | None:
        """The object of a key once all is published; None where there is none."""
        self._published.result()
        return self._object(key)

    def _object(self, key: str) -> static.StoredObject | None:
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=key)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None
            raise
        return static.StoredObject(
            found["Body"].read(),
            found["ETag"],
            found["ContentType"],
            found.get("ContentEncoding", ""),
        )

    def answer(self, request: HttpRequest) -> HttpResponse | None:
        """The answer to a static path; None where the API has to say that there is no such thing."""
        if request.path == static.ROOT or request.path.startswith(f"{static.ROOT}/"):
            headers = {name.lower(): value for name, value in request.headers}
            made = static.serve(request.method, request.path, headers, self.read)
            return HttpResponse(made.status, list(made.headers.items()), made.body)
        return docs.page(request) or invite_page.page(request)
