"""The last step of `make deploy`: uploads what the CDN serves from the bucket and invalidates the CDN's copies.

Repeating it uploads the pages again, but no unchanged object of the catalog.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import boto3

from infra import avatars
from infra.catalog.formulas import publish_formulas
from infra.catalog.pointer import EdgePointer
from infra.catalog.publish import publish as publish_catalog
from infra.catalog.releases import load
from infra.deployment import stacks
from infra.openapi.site import File, installation_files, site
from infra.pages.app.site import CONFIG, app_site, cache_control, config

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

CACHED = (
    "/docs*",
    "/openapi.json",
    "/asyncapi.json",
    "/arazzo/*",
    "/invite/*",
    "/",
    "/app/*",
    "/boards*",
    "/guest/*",
    "/paper/*",
    "/unsubscribe/*",
)


def page_files(root_url: str, app: Mapping[str, File], oidc: Mapping[str, str] | None = None) -> dict[str, File]:
    """Returns the API reference and the pages, under the paths that the CDN's functions map requests to.

    The files that a page loads come before the page. `app` are the pages for members and guests, and `oidc` names the
    issuer and the client of their sign-in. The documents of the live channel and of the workflows name `root_url`.
    """
    return {**site(), **installation_files(root_url), CONFIG: config(oidc), **app}


def upload(client: S3Client, bucket: str, files: Mapping[str, File]) -> None:
    """Uploads files under their paths."""
    for path, file in files.items():
        client.put_object(
            Bucket=bucket,
            Key=path.removeprefix("/"),
            Body=file.body,
            ContentType=file.content_type,
            CacheControl=cache_control(path),
        )


def begin_log(stack_outputs: Mapping[str, str]) -> None:
    """Lets the sealer begin the log, so that its empty tree and its verifier key are there from the start."""
    client: Any = boto3.client("lambda")
    answer = client.invoke(FunctionName=stack_outputs["SealerFunctionName"], Qualifier="live", Payload=b"{}")
    if "FunctionError" in answer:
        raise SystemExit("The function that seals the log failed; its log says why (RUNBOOK, the log).")


def sign_in_client(stack_outputs: Mapping[str, str]) -> dict[str, str] | None:
    """Returns the issuer and the client of the pages' sign-in from a stack's outputs, or None if it has none."""
    issuer, client = stack_outputs.get("OidcIssuer", ""), stack_outputs.get("OidcClientId", "")
    return {"issuer": issuer, "clientId": client} if issuer and client else None


def invalidate(distribution: str) -> None:
    """Invalidates the CDN's copies of the pages.

    The catalog needs no invalidation: its objects never change, and its pointer is not cached.
    """
    client: Any = boto3.client("cloudfront")
    batch = {"Paths": {"Quantity": len(CACHED), "Items": list(CACHED)}, "CallerReference": str(time.time_ns())}
    client.create_invalidation(DistributionId=distribution, InvalidationBatch=batch)


def main(stack: str) -> None:
    """Publishes pages, the neutral avatar and the catalog to a stack's bucket."""
    cloudformation: Any = boto3.client("cloudformation")
    stack_outputs, client = stacks.outputs(cloudformation, stack), boto3.client("s3")
    bucket = stack_outputs["BucketName"]
    upload(client, bucket, page_files(stack_outputs["RootUrl"], app_site(), sign_in_client(stack_outputs)))
    avatars.publish(client, bucket)
    pointer = EdgePointer(boto3.client("cloudfront-keyvaluestore"), stack_outputs["CatalogPointer"])
    released = load()
    published = publish_catalog(client, bucket, pointer, released, released[0].version)
    publish_formulas(client, bucket, released[0])
    invalidate(stack_outputs["DistributionId"])
    begin_log(stack_outputs)
    print(f"{stack_outputs['RootUrl']}: pages published, {len(published.uploaded)} catalog objects uploaded")
