"""How the figures of a spreadsheet fill a dashboard (ADR figures)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count

from governance.domain.reports.sheet_currencies import Currencies, known
from governance.domain.reports.spreadsheet import Sheet, StatedCurrency
from governance.errors import invalid_body
from governance.limits import DASHBOARD_FIELDS, ORDER_MAGNITUDE
from governance.models.catalog.catalog import kpis
from governance.models.reports.dashboard import DashboardField, Uniform, Widget


def filled(before: Uniform | None, sheet: Sheet) -> Uniform:
    """Returns the payload of a dashboard with the figures of the sheet; the rest of it stays.

    Fields of a KPI that the sheet states get its number, unless they show a chart or a table. A KPI without such a
    field gets one, at the end. A currency that the sheet names becomes that of a figure without one. Raises 400 for a
    dashboard without payload, for more fields than a dashboard holds, and for amounts in another currency than its own.
    """
    if before is None:
        raise invalid_body({"csv": "must be for a dashboard of type `uniform`"})
    _check_currencies(before, sheet)
    kept = tuple(_restated(field, sheet) for field in before.fields)
    stated = {field.rogue_id for field in before.fields if _holds_number(field)}
    fields = (*kept, *_added(kept, sheet, [rogue_id for rogue_id in sheet.values if rogue_id not in stated]))
    if len(fields) > DASHBOARD_FIELDS:
        raise invalid_body({"csv": f"must not give the dashboard more than {DASHBOARD_FIELDS} fields"})
    return before.model_copy(update={"fields": fields, "data_anchor_date": sheet.date})


def _check_currencies(before: Uniform, sheet: Sheet) -> None:
    """Raises 400 that names amounts in another currency than the figure that they fill or else than all the others."""
    errors: dict[str, str] = {}
    of_sheet = Currencies()
    for rogue_id, stated in sheet.currencies.items():
        own = known(_currency(field) for field in before.fields if field.rogue_id == rogue_id)
        expected = own or known(map(_currency, before.fields)) or of_sheet or stated.codes
        if not expected & stated.codes:
            errors[stated.cell] = f"must be in the currency of the dashboard's figures: {', '.join(sorted(expected))}"
        of_sheet = (of_sheet & stated.codes) or of_sheet or stated.codes
    if errors:
        raise invalid_body(errors)


def _currency(field: DashboardField) -> object:
    return field.widget.options.get("currency") if field.widget else None


def _widget(widget: Widget | None, stated: StatedCurrency | None) -> Widget | None:
    """Returns a widget with the currency of an amount that has none yet, where the sheet names just one."""
    options = widget.options if widget else {}
    if stated is None or len(stated.codes) != 1 or options.get("currency"):
        return widget
    return Widget(type="currency", options={**options, "currency": next(iter(stated.codes))})


def _holds_number(field: DashboardField) -> bool:
    shows_many = field.widget is not None and field.widget.type in {"chart", "table"}
    return not shows_many and not isinstance(field.value, list | dict)


def _restated(field: DashboardField, sheet: Sheet) -> DashboardField:
    value = sheet.values.get(str(field.rogue_id))
    if value is None or not _holds_number(field):
        return field
    widget = _widget(field.widget, sheet.currencies.get(str(field.rogue_id)))
    return field.model_copy(update={"value": value, "is_stub": False, "widget": widget})


def _added(kept: Iterable[DashboardField], sheet: Sheet, rogue_ids: Iterable[str]) -> Iterator[DashboardField]:
    """Yields a field for each of these KPIs, below the others and in their order."""
    fields = [*kept]
    ids, last = {field.field_id for field in fields}, max((field.display_order for field in fields), default=0)
    for place, rogue_id in enumerate(rogue_ids, start=1):
        yield DashboardField(
            field_id=_free_id(rogue_id, ids),
            rogue_id=rogue_id,
            is_stub=False,
            label=kpis()[rogue_id].label,
            display_order=min(last + place, ORDER_MAGNITUDE),
            value=sheet.values[rogue_id],
            widget=_widget(Widget(type="number", options={}), sheet.currencies.get(rogue_id)),
        )


def _free_id(rogue_id: str, taken: Collection[str]) -> str:
    """Returns the id of the KPI as the id of its field, with a number behind it if another field has that.

    No KPI has such an id with a number, so that two new fields have different ones.
    """
    numbered = (f"{rogue_id}.{number}" for number in count(2))
    return next(field_id for field_id in chain([rogue_id], numbered) if field_id not in taken)
