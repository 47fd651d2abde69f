"""`python -m infra.publish <stack>`: what the CDN serves from the bucket, and the CDN told to forget what it held.

The last step of `make deploy`; doing it again uploads what has changed and nothing else of the catalog.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import boto3

from infra import avatars
from infra.catalog.pointer import EdgePointer
from infra.catalog.publish import publish as publish_catalog
from infra.catalog.releases import load
from infra.openapi.site import site
from infra.pages.site import invite_page

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

CACHED = ("/docs*", "/openapi.json", "/invite/*")
_CACHE_CONTROL = "no-cache"  # browsers ask again each time; the CDN answers them


def publish_pages(client: S3Client, bucket: str) -> None:
    """The documentation and the page behind an invite's link, under the keys that the CDN's function asks for."""
    for path, file in (site() | invite_page()).items():
        client.put_object(
            Bucket=bucket,
            Key=path.removeprefix("/"),
            Body=file.body,
            ContentType=file.content_type,
            CacheControl=_CACHE_CONTROL,
        )


def outputs(stack: str) -> dict[str, str]:
    """What a deployed stack says about itself."""
    client: Any = boto3.client("cloudformation")
    (found,) = client.describe_stacks(StackName=stack)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in found["Outputs"]}


def invalidate(distribution: str) -> None:
    """Have the CDN ask the bucket anew for pages; the catalog's objects never change, and its pointer has no cache."""
    client: Any = boto3.client("cloudfront")
    batch = {"Paths": {"Quantity": len(CACHED), "Items": list(CACHED)}, "CallerReference": str(time.time_ns())}
    client.create_invalidation(DistributionId=distribution, InvalidationBatch=batch)


def main(stack: str) -> None:
    """Publish everything to a stack's bucket."""
    found, client = outputs(stack), boto3.client("s3")
    bucket = found["BucketName"]
    publish_pages(client, bucket)
    avatars.publish(client, bucket)
    pointer = EdgePointer(boto3.client("cloudfront-keyvaluestore"), found["CatalogPointer"])
    released = load()
    done = publish_catalog(client, bucket, pointer, released, released[0].version)
    invalidate(found["DistributionId"])
    print(f"{found['RootUrl']}: pages published, {len(done.uploaded)} objects of the catalog uploaded")


if __name__ == "__main__":
    main(sys.argv[1])
