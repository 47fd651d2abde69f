"""The files of documents in their bucket: signed forms and addresses, and deletion (ADR documents).

Nothing but ids is in the names of objects. A form is bound to the declared size, type and checksum of a file: the
bucket refuses any other file. It brings a file to a folder where nothing stays; what is complete is copied from there.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from governance import aws
from governance.domain.documents.document_version import ReceivedFile
from governance.ids import BoardId
from governance.instants import Instant, format_instant
from governance.limits import DOWNLOAD_SECONDS, UPLOAD_SECONDS
from governance.models.documents.document_version import Disposition, StoredVersion, UploadForm
from governance.settings import settings
from governance.store import downloads, objects

client = aws.s3
copying_client = aws.s3_for_copies
FOLDER = "papers/"
_UPLOADS = "uploads/"
"""The folder of what forms bring, which the bucket deletes after some days."""
_SCAN_TAG = "GuardDutyMalwareScanStatus"
"""The tag that Malware Protection for S3 writes; no form of an upload lets anybody else write one."""


def file_key(board_id: BoardId, document_id: str, version_id: str) -> str:
    """Returns the object key of a version's file."""
    return f"{FOLDER}{board_id}/{document_id}/{version_id}"


def upload_key(board_id: BoardId, document_id: str, version_id: str) -> str:
    """Returns the object key to which the form of a version brings its file."""
    return f"{_UPLOADS}{board_id}/{document_id}/{version_id}"


def keys(board_id: BoardId, document_id: str, version_id: str) -> list[str]:
    """Returns all object keys at which a file of a version may be."""
    return [file_key(board_id, document_id, version_id), upload_key(board_id, document_id, version_id)]


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
    """Returns a file as the bucket reports it; None if there is none. Raises 503 if the bucket cannot be asked now."""
    head = objects.find(lambda: client().head_object(Bucket=settings().papers_bucket, Key=key, ChecksumMode="ENABLED"))
    if head is None:
        return None
    digest = head.get("ChecksumSHA256")
    return ReceivedFile(head["ContentLength"], head["ContentType"], base64.b64decode(digest).hex() if digest else None)


def sent_at(uploaded: str) -> Instant | None:
    """Returns when a form brought a file last; None if there is none. Raises 503 if the bucket cannot be asked now."""
    head = objects.find(lambda: client().head_object(Bucket=settings().papers_bucket, Key=uploaded))
    return None if head is None else format_instant(head["LastModified"])


def keep(uploaded: str, key: str) -> None:
    """Copies a file from where its form brought it to where it stays; the bucket calculates its checksum anew.

    Raises 503 if it fails, also if the file is gone.
    """
    bucket = settings().papers_bucket
    objects.ask(
        lambda: copying_client().copy_object(
            Bucket=bucket,
            Key=key,
            CopySource={"Bucket": bucket, "Key": uploaded},
            ChecksumAlgorithm="SHA256",
            TaggingDirective="REPLACE",  # by no tag: what the scanner says of a copy is about the copy
        )
    )


def read(key: str) -> Iterator[bytes] | None:
    """Returns a file in parts that fit in memory; None if there is none. Raises 503 if it cannot be read now."""
    answer = objects.find(lambda: client().get_object(Bucket=settings().papers_bucket, Key=key))
    return None if answer is None else objects.chunks(answer["Body"])


def put(key: str, file: Path, mime_type: str) -> tuple[int, str]:
    """Puts a file of this service into the bucket, which checks and keeps its checksum. Returns its size and SHA-256.

    Raises 503 if it fails.
    """
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256")
        size = content.seek(0, os.SEEK_END)
        content.seek(0)
        objects.ask(
            lambda: client().put_object(
                Bucket=settings().papers_bucket,
                Key=key,
                Body=content,
                ContentType=mime_type,
                ChecksumSHA256=base64.b64encode(digest.digest()).decode(),
            )
        )
    return size, digest.hexdigest()


def scan_result(key: str) -> str | None:
    """Returns the result of a file's scan; None if there is none yet, or the file is absent.

    Raises 503 if the bucket cannot be asked now.
    """
    call = client().get_object_tagging
    answer = objects.find(lambda: call(Bucket=settings().papers_bucket, Key=key))
    tags = {tag["Key"]: tag["Value"] for tag in answer["TagSet"]} if answer else {}
    return tags.get(_SCAN_TAG)


def signed_url(key: str, version: StoredVersion, disposition: Disposition, until: Instant) -> str:
    """Returns the signed address of a file, which works until an instant; its reader's browser keeps it as long."""
    kind = version.mime_type + ("; charset=utf-8" if version.mime_type.startswith("text/") else "")
    answer = {
        "response-cache-control": f"private, max-age={DOWNLOAD_SECONDS}, immutable",
        "response-content-disposition": f"{disposition}; filename*=UTF-8''{quote(version.saved_as, safe='')}",
        "response-content-type": kind,
    }
    return downloads.signed_url(key, answer, until)


def delete(keys: Sequence[str]) -> None:
    """Deletes files, also absent ones. Raises 503 if one of them may still be there."""
    objects.delete(settings().papers_bucket, keys)
