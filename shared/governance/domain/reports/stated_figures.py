"""A dashboard's figures of KPIs, reduced to what the checks of its report need (ADR figures)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from governance.limits import CHECKED_NUMBER
from governance.models.numbers import written_number
from governance.models.reports.check import StoredFigures
from governance.models.reports.dashboard import DashboardField, Uniform

STUB, NOTHING, NO_NUMBER = "stub", "null", "other"
"""Markers for a figure without a number: it is a stub, its value is null, or its value is not a number."""


class Figure(NamedTuple):
    """A figure of a KPI; `states` is a number as it was written, or a word for a figure without one."""

    dashboard_id: str
    field_id: str
    rogue_id: str
    states: str
    date: str | None


def figures_of(dashboard_id: str, uniform: Uniform | None) -> StoredFigures | None:
    """Returns the figures of a dashboard that name a KPI, as they are stored; None if there are none."""
    stated = [
        (field.field_id, field.rogue_id, _states(field))
        for field in (uniform.fields if uniform else ())
        if field.rogue_id
    ]
    if not stated or uniform is None:
        return None
    text = json.dumps(stated, ensure_ascii=False, separators=(",", ":"))
    return StoredFigures(dashboard_id=dashboard_id, data_anchor_date=uniform.data_anchor_date, figures=text)


def _states(field: DashboardField) -> str:
    if field.is_stub:
        return STUB
    if field.value is None:
        return NOTHING
    number = written_number(field.value)
    return number if number and len(number) <= CHECKED_NUMBER else NO_NUMBER


def to_figures(rows: Iterable[StoredFigures]) -> list[Figure]:
    """Returns the figures of these dashboards, in the order of the dashboards' ids and of their fields."""
    return [
        Figure(row.dashboard_id, field_id, rogue_id, states, row.data_anchor_date)
        for row in sorted(rows, key=lambda row: row.dashboard_id)
        for field_id, rogue_id, states in json.loads(row.figures)
    ]
