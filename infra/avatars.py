"""The neutral pictures of users who have none of their own: an initial on a disc, published once for all users.

`python -m infra.avatars <bucket>` publishes them after a deployment; `make run` does so for a new bucket (ADR 0064).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import boto3

from governance.domain.notifications import INITIALS, NEUTRAL
from governance.store.pictures import AVATARS

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_HUES = 360
_PERSON = '<circle cx="32" cy="25" r="11" fill="#fff"/><path d="M12 58a20 20 0 0 1 40 0z" fill="#fff"/>'
_LETTER = '<text x="32" y="43" font-family="sans-serif" font-size="32" text-anchor="middle" fill="#fff">{}</text>'


def picture(name: str) -> str:
    """The picture of an initial, or of nobody in particular."""
    hue = 220 if name == NEUTRAL else (ord(name) * 47) % _HUES
    figure = _PERSON if name == NEUTRAL else _LETTER.format(name.upper())
    disc = f'<circle cx="32" cy="32" r="32" fill="hsl({hue} 40% 45%)"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{disc}{figure}</svg>'


def publish(client: S3Client, bucket: str) -> None:
    """Put all of them into the bucket; doing so again changes nothing."""
    for name in sorted({*INITIALS, NEUTRAL}):
        client.put_object(
            Bucket=bucket,
            Key=f"{AVATARS}{name}.svg",
            Body=picture(name).encode(),
            ContentType="image/svg+xml",
            CacheControl="public, max-age=86400",
        )


if __name__ == "__main__":
    publish(boto3.client("s3"), sys.argv[1])
