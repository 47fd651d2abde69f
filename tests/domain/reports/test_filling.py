"""What a sheet makes of a dashboard."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.reports.filling import filled
from governance.domain.reports.spreadsheet import Sheet, parse_sheet
from governance.limits import DASHBOARD_FIELDS, ORDER_MAGNITUDE
from governance.models.catalog.catalog import kpis
from governance.models.reports.dashboard import DashboardField, Uniform, Widget
from tests.domain import samples
from tests.domain.reports.test_spreadsheet import ARR, CASH, DATE
from tests.domain.samples import refusal


def field(field_id: str, rogue_id: str | None, *, value: Any = 0, **members: Any) -> DashboardField:
    return samples.field(value, rogue_id, field_id=field_id, label=field_id, **members)


def uniform(*fields: DashboardField) -> Uniform:
    return Uniform(narrative="N", review_status="ready_for_review", fields=fields)


def test_a_dashboard_takes_numbers_and_day_and_keeps_the_rest() -> None:
    before = uniform(
        field("a", ARR), field("b", None), field("c", CASH, value=7), field("d", ARR, is_stub=True, value=None)
    )
    after = filled(before, Sheet({ARR: 5}, DATE))
    assert [(shown.value, shown.is_stub, shown.label) for shown in after.fields] == [
        (5, False, "a"),
        (0, False, "b"),
        (7, False, "c"),
        (5, False, "d"),
    ]
    assert after == before.model_copy(update={"data_anchor_date": DATE, "fields": after.fields})


def test_a_kpi_without_a_field_gets_one_below_the_others_with_the_label_of_the_catalog() -> None:
    before = uniform(field("a", None, display_order=7.5), field("b", None))
    added = filled(before, Sheet({CASH: 1, ARR: 2}, DATE)).fields[2:]
    assert [(shown.field_id, shown.rogue_id, shown.label) for shown in added] == [
        (id_, id_, kpis()[id_].label) for id_ in (CASH, ARR)
    ]
    assert [(shown.display_order, shown.value) for shown in added] == [(8.5, 1), (9.5, 2)]
    first, *_ = filled(uniform(), Sheet({ARR: 2}, DATE)).fields
    assert (first.display_order, first.is_stub, first.widget and first.widget.type) == (1, False, "number")


def test_the_id_of_a_new_field_is_one_that_no_other_has() -> None:
    taken = [field(ARR, None), field(f"{ARR}.2", None)]
    assert filled(uniform(*taken), Sheet({ARR: 2}, DATE)).fields[-1].field_id == f"{ARR}.3"
    assert filled(uniform(*taken[:1]), Sheet({ARR: 2}, DATE)).fields[-1].field_id == f"{ARR}.2"


def test_a_new_field_is_ordered_within_the_limit() -> None:
    last = field("a", None, display_order=ORDER_MAGNITUDE)
    assert filled(uniform(last), Sheet({ARR: 2}, DATE)).fields[-1].display_order == ORDER_MAGNITUDE


@pytest.mark.parametrize(
    "members",
    [
        {"widget": {"type": "chart", "options": {}}},
        {"widget": {"type": "table", "options": {}}},
        {"value": [1]},
        {"value": {"labels": []}},
    ],
)
def test_charts_and_tables_of_a_kpi_stay_and_its_number_gets_a_field(members: dict[str, Any]) -> None:
    before = uniform(field("a", ARR, **members))
    after = filled(before, Sheet({ARR: 2}, DATE))
    assert after.fields[:1] == before.fields
    assert [shown.value for shown in after.fields[1:]] == [2]


def test_a_dashboard_holds_so_many_fields_and_no_more() -> None:
    most = [field(str(number), None) for number in range(DASHBOARD_FIELDS - 1)]
    assert len(filled(uniform(*most), Sheet({ARR: 2}, DATE)).fields) == DASHBOARD_FIELDS
    _, _, details = refusal(filled, uniform(*most), Sheet({ARR: 2, CASH: 1}, DATE))
    assert details == {"fields": {"csv": f"must not give the dashboard more than {DASHBOARD_FIELDS} fields"}}


def amounts(**cells: str) -> Sheet:
    ids = {"arr": ARR, "cash": CASH}
    return parse_sheet("\n".join(["KPI;value;date", *(f"{ids[name]};{cell};{DATE}" for name, cell in cells.items())]))


def in_euros(field_id: str, rogue_id: str | None) -> DashboardField:
    return field(field_id, rogue_id, widget=Widget(type="currency", options={"currency": "EUR", "digits": 2}))


@pytest.mark.parametrize("fields", [[("a", ARR)], [("a", CASH)], [("a", None)], [("a", CASH), ("b", ARR)]])
@pytest.mark.parametrize(
    ("cell", "fits"), [("€ 5", True), ("5", True), ("$ 5", False), ("CHF 5", False), ("5 USD", False)]
)
def test_an_amount_in_another_currency_than_the_dashboards_is_refused(fields: Any, cell: str, fits: bool) -> None:
    before = uniform(*(in_euros(*each) for each in fields))
    if fits:
        assert 5 in [shown.value for shown in filled(before, amounts(arr=cell)).fields]
    else:
        _, _, details = refusal(filled, before, amounts(arr=cell))
        assert details == {"fields": {"csv.2.value": "must be in the currency of the dashboard's figures: EUR"}}


def test_a_sign_of_several_currencies_fits_each_and_a_sheet_has_one_currency() -> None:
    canadian = field("a", ARR, widget=Widget(type="currency", options={"currency": "CAD"}))
    assert filled(uniform(canadian), amounts(arr="$5")).fields[0].widget == canadian.widget
    assert filled(uniform(field("a", ARR)), amounts(arr="$5", cash="3 USD")).fields[0].value == 5
    _, _, details = refusal(filled, uniform(field("a", ARR)), amounts(arr="£5", cash="3 €"))
    assert [*details["fields"]] == ["csv.3.value"]


def test_the_currency_that_a_sheet_names_is_that_of_a_figure_without_one() -> None:
    percent = Widget(type="number", options={"digits": 2})
    first, added = filled(uniform(field("a", ARR, widget=percent)), amounts(arr="5 CHF", cash="Fr. 3")).fields
    assert first.widget == Widget(type="currency", options={"digits": 2, "currency": "CHF"})
    assert added.widget == Widget(type="currency", options={"currency": "CHF"})
    unclear = filled(uniform(field("a", ARR)), amounts(arr="$5", cash="3")).fields
    assert [shown.widget and shown.widget.options for shown in unclear] == [None, {}]


def test_a_fundraising_history_is_not_filled() -> None:
    _, _, details = refusal(filled, None, Sheet({ARR: 2}, DATE))
    assert details == {"fields": {"csv": "must be for a dashboard of type `uniform`"}}


def test_filling_twice_changes_nothing_more() -> None:
    once = filled(uniform(field("a", ARR)), Sheet({ARR: 2, CASH: 1}, DATE))
    assert filled(once, Sheet({ARR: 2, CASH: 1}, DATE)) == once
