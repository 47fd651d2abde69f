"""What a sheet makes of a dashboard."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.reports.filling import filled
from governance.domain.reports.spreadsheet import Sheet
from governance.limits import DASHBOARD_FIELDS, ORDER_MAGNITUDE
from governance.models.catalog import kpis
from governance.models.reports.dashboard import DashboardField, Uniform
from tests.domain import samples
from tests.domain.samples import refusal
from tests.domain.test_spreadsheet import ARR, CASH, DATE


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


def test_a_fundraising_history_is_not_filled() -> None:
    _, _, details = refusal(filled, None, Sheet({ARR: 2}, DATE))
    assert details == {"fields": {"csv": "must be for a dashboard of type `uniform`"}}


def test_filling_twice_changes_nothing_more() -> None:
    once = filled(uniform(field("a", ARR)), Sheet({ARR: 2, CASH: 1}, DATE))
    assert filled(once, Sheet({ARR: 2, CASH: 1}, DATE)) == once
