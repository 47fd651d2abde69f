"""How the figures of a spreadsheet fill a dashboard (ADR figures)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count

from governance.domain.reports.spreadsheet import Sheet
from governance.errors import invalid_body
from governance.limits import DASHBOARD_FIELDS, ORDER_MAGNITUDE
from governance.models.catalog import kpis
from governance.models.reports.dashboard import DashboardField, Uniform, Widget


def filled(before: Uniform | None, sheet: Sheet) -> Uniform:
    """Returns the payload of a dashboard with the figures of the sheet; the rest of it stays.

    Fields of a KPI that the sheet states get its number, unless they show a chart or a table. A KPI without such a
    field gets one, at the end. Raises 400 for a dashboard without payload and for more fields than a dashboard holds.
    """
    if before is None:
        raise invalid_body({"csv": "must be for a dashboard of type `uniform`"})
    kept = tuple(_restated(field, sheet) for field in before.fields)
    known = {field.rogue_id for field in before.fields if _holds_number(field)}
    fields = (*kept, *_added(kept, [(id_, value) for id_, value in sheet.values.items() if id_ not in known]))
    if len(fields) > DASHBOARD_FIELDS:
        raise invalid_body({"csv": f"must not give the dashboard more than {DASHBOARD_FIELDS} fields"})
    return before.model_copy(update={"fields": fields, "data_anchor_date": sheet.date})


def _holds_number(field: DashboardField) -> bool:
    shows_many = field.widget is not None and field.widget.type in {"chart", "table"}
    return not shows_many and not isinstance(field.value, list | dict)


def _restated(field: DashboardField, sheet: Sheet) -> DashboardField:
    value = sheet.values.get(str(field.rogue_id))
    if value is None or not _holds_number(field):
        return field
    return field.model_copy(update={"value": value, "is_stub": False})


def _added(
    kept: Iterable[DashboardField], figures: Iterable[tuple[str, int | float | str]]
) -> Iterator[DashboardField]:
    """Yields a field for each of these KPIs, below the others and in their order."""
    fields = [*kept]
    ids, last = {field.field_id for field in fields}, max((field.display_order for field in fields), default=0)
    for place, (rogue_id, value) in enumerate(figures, start=1):
        yield DashboardField(
            field_id=_free_id(rogue_id, ids),
            rogue_id=rogue_id,
            is_stub=False,
            label=kpis()[rogue_id].label,
            display_order=min(last + place, ORDER_MAGNITUDE),
            value=value,
            widget=Widget(type="number", options={}),
        )


def _free_id(rogue_id: str, taken: Collection[str]) -> str:
    """Returns the id of the KPI as the id of its field, with a number behind it if another field has that.

    No KPI has such an id with a number, so that two new fields have different ones.
    """
    numbered = (f"{rogue_id}.{number}" for number in count(2))
    return next(field_id for field_id in chain([rogue_id], numbered) if field_id not in taken)
