"""The formulas of the newest release of the catalog, in the bucket where the functions read them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from governance.domain.reports import kpi_formulas as kpi_formulas_rules
from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.settings import settings
from governance.store.reports import kpi_formulas
from infra.catalog import releases
from infra.catalog.formulas import formulas_text

if TYPE_CHECKING:
    import pytest
    from mypy_boto3_s3 import S3Client


@cache
def released_text() -> str:
    """Returns the formulas of the newest release as they are published."""
    return formulas_text(releases.load()[0])


@cache
def released() -> KpiFormulas:
    """Returns the formulas of the newest release."""
    return kpi_formulas_rules.from_text(released_text())


def publish(client: S3Client, text: str) -> None:
    """Puts formulas into the bucket of the catalog."""
    client.put_object(Bucket=settings().bucket_name, Key=kpi_formulas.OBJECT_KEY, Body=text.encode())


class KnownFormulas(kpi_formulas.CurrentFormulas):
    """The formulas of the newest release, for tests that are not about reading them."""

    def get(self) -> KpiFormulas:
        return released()


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes this process one that has read no formulas yet."""
    monkeypatch.setattr(kpi_formulas, "_current", kpi_formulas.CurrentFormulas())
