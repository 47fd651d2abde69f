"""`boardctl recheck`: checks the figures of every report by a new release of the catalog (ADR figures)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from governance.domain.reports.kpi_formulas import KpiFormulas
from governance.models.reports.check import StoredChecks
from governance.settings import settings
from governance.store import table
from governance.store.attributes import marshal, unmarshal
from governance.store.reports import kpi_formulas
from governance.usecases.reports.rechecks import recheck as recheck_report
from infra.operator.command import InstallationCommand
from infra.operator.kinds import model_of

_PAGE = 500


@click.command(cls=InstallationCommand)
def recheck() -> None:
    """Check the figures of every report by the current release of the catalog, and notify members once per report.

    Run it some minutes after a release was published: until then functions may check by the one before. A report that
    is checked already is left as it is, so the command may be repeated.
    """
    formulas = kpi_formulas.current()
    if formulas is None:
        raise click.ClickException("The bucket has no formulas: publish the catalog first.")
    number = sum(recheck_report(checks.board_id, checks.report_id, formulas) for checks in _outdated(formulas))
    click.echo(f"Checked {number} report(s) by release {formulas.version}.")


def _outdated(formulas: KpiFormulas) -> Iterator[StoredChecks]:
    """Yields the checks of reports that were checked by another release, from the whole table."""
    request: dict[str, Any] = {
        "TableName": settings().table_name,
        "FilterExpression": "attribute_exists(dashboards) AND NOT catalogVersion = :current",
        "ExpressionAttributeValues": marshal({":current": formulas.version}),
        "Limit": _PAGE,
    }
    while True:
        page = table.scan_page(**request)
        rows = [unmarshal(item) for item in page["Items"]]
        yield from (StoredChecks.model_validate(row) for row in rows if model_of(row) is StoredChecks)
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
