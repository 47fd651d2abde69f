"""Which figures a report states of KPIs, and whether it still states one (ADR figures)."""

from __future__ import annotations

from governance.limits import ORDER_MAGNITUDE
from governance.models.numbers import written_number
from governance.models.reports.dashboard import DashboardField, StoredDashboard, Uniform
from governance.models.reports.figure import StoredFigure
from governance.models.reports.report import StoredReport

_LONGEST_NUMBER = 40
"""Most characters of a number that is compared with others; a longer one counts as text."""


def number_of(field: DashboardField) -> str | None:
    """Returns the number that a field states of a KPI, as a JSON text; None for a placeholder or any other value."""
    text = None if field.rogue_id is None or field.is_stub else written_number(field.value)
    if text is None or len(text) > _LONGEST_NUMBER or abs(float(text)) > ORDER_MAGNITUDE:
        return None
    return text


def stated_figures(report: StoredReport, dashboard: StoredDashboard, uniform: Uniform | None) -> list[StoredFigure]:
    """Returns the dashboard's first figure for each KPI; an empty list if the report is a draft."""
    if report.status == "draft" or report.published_at is None or uniform is None:
        return []
    first: dict[str, StoredFigure] = {}
    for field in sorted(uniform.fields, key=lambda field: field.display_order):
        number = number_of(field)
        if number is None or field.rogue_id is None or field.rogue_id in first:
            continue
        first[field.rogue_id] = StoredFigure(
            board_id=report.board_id,
            report_id=report.id,
            dashboard_id=dashboard.id,
            field_id=field.field_id,
            rogue_id=field.rogue_id,
            value=number,
            data_anchor_date=uniform.data_anchor_date,
            published_at=report.published_at,
            payload_version=dashboard.payload_version,
        )
    return list(first.values())


def is_current(figure: StoredFigure, report: StoredReport | None, dashboard: StoredDashboard | None) -> bool:
    """Returns whether the report is still published as it was then, and the dashboard still states this figure."""
    if report is None or dashboard is None or dashboard.uniform is None:
        return False
    as_published = report.status != "draft" and report.published_at == figure.published_at
    as_stated = (dashboard.payload_version, dashboard.uniform.data_anchor_date) == (
        figure.payload_version,
        figure.data_anchor_date,
    )
    return as_published and as_stated


def have_changed(before: Uniform | None, after: Uniform | None) -> bool:
    """Returns whether a change of a dashboard changes its figures, or the day to which they refer."""
    return _figures(before) != _figures(after)


def _figures(uniform: Uniform | None) -> object:
    return None if uniform is None or not uniform.fields else (uniform.data_anchor_date, uniform.fields)
