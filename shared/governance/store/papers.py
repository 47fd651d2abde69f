"""The files of documents in their bucket: signed forms and addresses, and deletion (ADR 0161).

Nothing but ids is in the names of objects. A form binds what was declared of a file: the bucket refuses any other.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from urllib.parse import quote

from botocore.exceptions import BotoCoreError, ClientError

from governance import aws
from governance.domain.document_version import ReceivedFile
from governance.errors import unavailable
from governance.ids import BoardId
from governance.limits import DOWNLOAD_SECONDS, UPLOAD_SECONDS
from governance.models.document_version import Disposition, StoredVersion, UploadForm
from governance.settings import settings
from governance.telemetry import log_error

client = aws.s3
FOLDER = "papers/"
_DELETED_TOGETHER = 1000
"""Objects that the bucket deletes in one call."""
_ABSENT = {HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN}
"""The bucket calls an absent object forbidden, because the functions may not list it."""


def file_key(board_id: BoardId, document_id: str, version_id: str) -> str:
    """Returns the object key of a version's file."""
    return f"{FOLDER}{board_id}/{document_id}/{version_id}"


def upload_form(key: str, version: StoredVersion) -> UploadForm:
    """Returns the form that sends a file of exactly this size, type and checksum, for an hour; takes no call."""
    digest = base64.b64encode(bytes.fromhex(version.sha256)).decode()
    fields = {
        "Content-Type": version.mime_type,
        "x-amz-checksum-algorithm": "SHA256",
        "x-amz-checksum-sha256": digest,
    }
    conditions = [*({name: value} for name, value in fields.items()), ["content-length-range", *2 * [version.size]]]
    form = client().generate_presigned_post(
        settings().papers_bucket, key, Fields=fields, Conditions=conditions, ExpiresIn=UPLOAD_SECONDS
    )
    return UploadForm(url=form["url"], fields=form["fields"])


def received(key: str) -> ReceivedFile | None:
    """Returns what the bucket says of a file; None if there is none. Raises 503 if it cannot be asked now."""
    try:
        head = client().head_object(Bucket=settings().papers_bucket, Key=key, ChecksumMode="ENABLED")
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] in _ABSENT:
            return None
        log_error("bucket failure", error)
        raise unavailable() from None
    except BotoCoreError as error:
        log_error("bucket failure", error)
        raise unavailable() from None
    digest = head.get("ChecksumSHA256")
    return ReceivedFile(head["ContentLength"], head["ContentType"], base64.b64decode(digest).hex() if digest else None)


def signed_url(key: str, version: StoredVersion, disposition: Disposition) -> str:
    """Returns the signed address of a file, which works for two minutes; signing takes no call."""
    kind = version.mime_type + ("; charset=utf-8" if version.mime_type.startswith("text/") else "")
    target = {
        "Bucket": settings().papers_bucket,
        "Key": key,
        "ResponseContentType": kind,
        "ResponseContentDisposition": f"{disposition}; filename*=UTF-8''{quote(version.file_name, safe='')}",
        "ResponseCacheControl": "private, no-store",
    }
    return client().generate_presigned_url("get_object", Params=target, ExpiresIn=DOWNLOAD_SECONDS)


def delete(keys: Sequence[str]) -> None:
    """Deletes files, also absent ones. Raises 503 if one of them may still be there."""
    for some in _batches(keys):
        try:
            answer = client().delete_objects(
                Bucket=settings().papers_bucket, Delete={"Objects": [{"Key": key} for key in some], "Quiet": True}
            )
        except (BotoCoreError, ClientError) as error:
            log_error("files not deleted", error)
            raise unavailable() from None
        if answer.get("Errors"):
            raise unavailable()


def _batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), _DELETED_TOGETHER):
        yield keys[start : start + _DELETED_TOGETHER]
