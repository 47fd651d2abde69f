"""The bucket of received mails: read one, note why it was refused, and delete it. No other module calls it."""

from __future__ import annotations

from typing import NamedTuple

from governance import aws, telemetry
from governance.errors import unavailable
from governance.instants import Instant, format_instant
from governance.limits import MAIL_BYTES
from governance.mail.received import MailRefused, Refusal

client = aws.s3
REFUSED = "refused/"


class StoredMail(NamedTuple):
    """A mail as the mail service stored it, and when."""

    raw: bytes
    received_at: Instant


def fetch(bucket: str, key: str) -> StoredMail | None:
    """Returns a mail; None if it was handled, and deleted, before.

    Raises `MailRefused` for one that is too large, and 503 if it cannot be read now.
    """
    try:
        response = client().get_object(Bucket=bucket, Key=key)
        if response["ContentLength"] > MAIL_BYTES:
            raise MailRefused(Refusal.TOO_LARGE)
        return StoredMail(response["Body"].read(), format_instant(response["LastModified"]))
    except client().exceptions.NoSuchKey:
        return None
    except aws.errors():
        raise unavailable() from None


def set_aside(bucket: str, key: str, reason: Refusal) -> None:
    """Notes that a mail was refused, and why, in an object that expires. Raises 503 if it fails."""
    name = key.rpartition("/")[2]
    try:
        client().put_object(Bucket=bucket, Key=f"{REFUSED}{name}", Body=f"{reason.value}\n".encode())
    except aws.errors():
        raise unavailable() from None


def delete(bucket: str, key: str) -> None:
    """Deletes a mail that was handled. One that cannot be deleted now expires."""
    try:
        client().delete_object(Bucket=bucket, Key=key)
    except aws.errors() as error:
        telemetry.log_error("received mail not deleted", error)
