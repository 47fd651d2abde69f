"""The files of exports in the bucket: the pieces that were read, and the archive that is made of them (ADR exports).

Nothing but the id of an export is in the names of objects. Objects that are left over expire with the exports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from governance import aws
from governance.errors import ApiError
from governance.instants import Instant
from governance.settings import settings
from governance.store import downloads, objects

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import CompletedPartTypeDef

client = aws.s3
FOLDER = "exports/"


def archive_key(export_id: str) -> str:
    """Returns the object key of an export's archive."""
    return f"{FOLDER}{export_id}.zip"


def piece_key(export_id: str, name: str, number: int) -> str:
    """Returns the object key of a piece of one file of an export."""
    return f"{FOLDER}{export_id}/{name}/{number}"


def progress_key(export_id: str) -> str:
    """Returns the object key of the progress of an export's archive."""
    return f"{FOLDER}{export_id}/progress"


def signed_url(export_id: str, until: Instant) -> str:
    """Returns the signed address of an archive, which works until an instant, and which nothing keeps."""
    answer = {
        "response-cache-control": "private, no-store",
        "response-content-disposition": 'attachment; filename="export.zip"',
    }
    return downloads.signed_url(archive_key(export_id), answer, until)


def put(key: str, body: bytes) -> None:
    """Puts an object into the bucket. Raises 503 if it fails."""
    objects.ask(lambda: client().put_object(Bucket=settings().bucket_name, Key=key, Body=body))


def get(key: str) -> bytes | None:
    """Returns an object; None if there is none. Raises 503 if it cannot be read now."""
    answer = objects.find(lambda: client().get_object(Bucket=settings().bucket_name, Key=key))
    return None if answer is None else b"".join(objects.chunks(answer["Body"]))


def chunks(key: str) -> Iterator[bytes]:
    """Yields an object in parts that fit in memory. Raises 503 if it is absent or cannot be read now."""
    yield from objects.chunks(objects.ask(lambda: client().get_object(Bucket=settings().bucket_name, Key=key))["Body"])


def begin_upload(export_id: str) -> str:
    """Begins to upload an archive in parts. Returns the id of the upload."""
    call = client().create_multipart_upload
    answer = objects.ask(
        lambda: call(Bucket=settings().bucket_name, Key=archive_key(export_id), ContentType="application/zip")
    )
    return answer["UploadId"]


def upload_part(export_id: str, upload_id: str, number: int, body: bytes) -> str:
    """Uploads a part of an archive, the first with the number 1. Returns its tag."""
    call = client().upload_part
    answer = objects.ask(
        lambda: call(
            Bucket=settings().bucket_name,
            Key=archive_key(export_id),
            UploadId=upload_id,
            PartNumber=number,
            Body=body,
        )
    )
    return answer["ETag"]


def complete_upload(export_id: str, upload_id: str, tags: Sequence[str]) -> bool:
    """Makes the archive of the parts with these tags. Returns False if there is no such upload: it may be complete."""
    parts: list[CompletedPartTypeDef] = [{"PartNumber": number, "ETag": tag} for number, tag in enumerate(tags, 1)]
    answer = objects.find(
        lambda: client().complete_multipart_upload(
            Bucket=settings().bucket_name,
            Key=archive_key(export_id),
            UploadId=upload_id,
            MultipartUpload={"Parts": parts},
        )
    )
    return answer is not None


def archive_size(export_id: str) -> int | None:
    """Returns the size of an archive; None if there is none. Raises 503 if the bucket cannot be asked now."""
    call = client().head_object
    head = objects.find(lambda: call(Bucket=settings().bucket_name, Key=archive_key(export_id)))
    return head["ContentLength"] if head else None


def delete(keys: Sequence[str]) -> None:
    """Deletes objects. Objects that cannot be deleted now expire."""
    with suppress(ApiError):
        objects.delete(settings().bucket_name, keys)
