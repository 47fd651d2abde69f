"""Pictures in the bucket: what a browser gets, for how long, and what remains when the bucket fails."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from botocore.exceptions import EndpointConnectionError

from governance import aws
from governance.settings import settings
from governance.store.account import avatars
from tests.harness.fault_injection import hooked

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def test_a_picture_is_an_svg_that_browsers_keep_for_an_hour(bucket: S3Client) -> None:
    assert avatars.put("ann", "<svg>ann</svg>")
    stored = bucket.get_object(Bucket=settings().bucket_name, Key=avatars.object_key("ann"))
    assert stored["Body"].read() == b"<svg>ann</svg>"
    assert (stored["ContentType"], stored["CacheControl"]) == ("image/svg+xml", "public, max-age=3600")


def test_the_address_of_a_picture_is_valid_for_an_hour() -> None:
    assert parse_qs(urlsplit(avatars.signed_url("ann")).query)["X-Amz-Expires"] == ["3600"]


@pytest.mark.usefixtures("bucket")
def test_a_picture_that_the_bucket_cannot_be_reached_for_is_not_there_until_it_is_put_again() -> None:
    def fail(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="https://s3.test")

    with hooked("before-call.s3.PutObject", fail, aws.s3()):
        assert not avatars.put("ben", "<svg>ben</svg>")
    assert avatars.put("ben", "<svg>ben</svg>")
