"""The formulas of the current release, as the functions read them to check dashboards (ADR figures)."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from governance.domain.reports import kpi_formulas
from governance.store.reports.kpi_formulas import OBJECT_KEY
from infra.catalog.reading import read
from infra.catalog.releases import Release
from infra.catalog.source import period

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


def formulas_text(release: Release) -> str:
    """Returns the formulas of a release with the periods of their inputs, which the source says and no record does."""
    return kpi_formulas.to_text(release.version, release.kpis, _periods())


@cache
def _periods() -> dict[tuple[str, str], str]:
    formulas = {key: entry.record.formula for key, entry in read().entries.items()}
    return {
        (key, name): period(value)
        for key, formula in formulas.items()
        if formula
        for name, value in formula.inputs.items()
    }


def publish_formulas(client: S3Client, bucket: str, current: Release) -> bool:
    """Replaces the formulas in the bucket by those of the current release; returns False if they are these already.

    The functions take them some minutes later.
    """
    body = formulas_text(current).encode()
    with suppress(ClientError):
        etag = hashlib.md5(body, usedforsecurity=False).hexdigest()
        if client.head_object(Bucket=bucket, Key=OBJECT_KEY)["ETag"] == f'"{etag}"':
            return False
    client.put_object(Bucket=bucket, Key=OBJECT_KEY, Body=body, ContentType="application/json")
    return True
