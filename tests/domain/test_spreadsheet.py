"""The rules of figures from a spreadsheet."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.reports.spreadsheet import Sheet, filled, parse_sheet
from governance.limits import CHECKED_NUMBER, DASHBOARD_FIELDS, ORDER_MAGNITUDE
from governance.models.catalog import labels
from governance.models.numbers import written_number
from governance.models.reports.dashboard import Uniform
from tests.domain.samples import refusal

ARR, CASH = "revenue.arr", "finance.cash-balance"
DATE = "2026-09-30"


def sheet(*lines: str, header: str = "rogueId,value,date") -> str:
    return "\n".join([header, *lines])


def line(rogue_id: str = ARR, value: object = 1, date: str = DATE) -> str:
    return f"{rogue_id},{value},{date}"


def errors(text: str) -> Any:
    status, _, details = refusal(parse_sheet, text)
    assert status == 400
    return details["fields"]


def numbers(text: str) -> dict[str, str | None]:
    return {rogue_id: written_number(value) for rogue_id, value in parse_sheet(text).values.items()}


def test_the_known_ids_of_these_tests_are_in_the_catalog() -> None:
    assert {ARR, CASH} <= labels().keys()


@pytest.mark.parametrize(
    "text",
    [
        f"rogueId,value,date\n{ARR},12.50,{DATE}\n{CASH},-3,{DATE}\n",
        f"\ufeffrogueId,value,date\r\n{ARR},12.50,{DATE}\r\n{CASH},-3,{DATE}\r\n",
        f"rogueId,value,date\r{ARR},12.50,{DATE}\r{CASH},-3,{DATE}\r",
        f"\n  \n  date ; rogueId;value\n{DATE};{ARR};12.50\n;;\n{DATE};{CASH}; -3 \n\n",
        f"rogueId\tvalue\tdate\n{ARR}\t12.50\t{DATE}\n{CASH}\t-3\t{DATE}",
        f'"rogueId","value","date"\n"{ARR}","12.50","{DATE}"\n{CASH},-3,{DATE}',
    ],
    ids=[
        "commas",
        "mark and line ends of a spreadsheet",
        "other line ends",
        "semicolons, blanks, another order",
        "tabs",
        "quotes",
    ],
)
def test_a_text_is_read_as_spreadsheets_write_it(text: str) -> None:
    assert parse_sheet(text).date == DATE
    assert numbers(text) == {ARR: "12.50", CASH: "-3"}


@pytest.mark.parametrize("value", ["0", "12.50", "1e3", "-0.10", "1.50E+3", "9" * CHECKED_NUMBER])
def test_a_number_is_kept_as_it_was_written(value: str) -> None:
    assert numbers(sheet(line(value=value))) == {ARR: value}


@pytest.mark.parametrize(
    "value",
    ["", "12,50".replace(",", " "), "+1", "01", ".5", "1.", "12%", "1e400", "NaN", "٣", "9" * (CHECKED_NUMBER + 1)],
)
def test_what_is_no_number_is_named_by_its_line(value: str) -> None:
    assert errors(sheet(line(CASH), line(value=value))) == {
        "csv.3.value": f"must be a number such as 1250.50, of up to {CHECKED_NUMBER} characters"
    }


def test_each_unknown_id_is_named_with_its_line() -> None:
    found = errors(sheet(line(), line("finance.nothing"), "", line(""), line("x" * 100)))
    assert found == {
        "csv.3.rogueId": "`finance.nothing` is not the id of a KPI of the released catalog",
        "csv.5.rogueId": "`` is not the id of a KPI of the released catalog",
        "csv.6.rogueId": f"`{'x' * 80}` is not the id of a KPI of the released catalog",
    }


def test_a_kpi_that_is_stated_twice_is_named_with_both_lines() -> None:
    assert errors(sheet(line(), line(CASH), line())) == {
        "csv.4.rogueId": f"must not be repeated: line 2 states `{ARR}` too"
    }


def test_all_lines_have_one_date_that_exists() -> None:
    assert errors(sheet(line(), line(CASH, date="2026-10-31"))) == {
        "csv.3.date": "must be the date of line 2: all figures of a dashboard have one"
    }
    assert [*errors(sheet(line(date="2026-02-30")))] == ["csv.2.date"]
    assert [*errors(sheet(line(date="31.12.2026"), line(CASH, date="31.12.2026")))] == ["csv.2.date"]


@pytest.mark.parametrize("header", ["rogueId,value", "rogueId,value,date,date", "rogueid,Value,date", "\n\n", "value"])
def test_the_header_names_each_column_once(header: str) -> None:
    assert len(errors(sheet(line(), header=header))) == 1


def test_the_header_alone_says_what_separates_the_cells() -> None:
    assert [*errors(sheet(line(value="1;2\t3")))] == ["csv.2.value"]
    assert [*errors(sheet(line(value="1;2\t3")).replace("\n", "\r"))] == ["csv.2.value"]
    assert [*errors(sheet("a~1~b", header="rogueId~value~date"))] == ["csv.1"]


def test_another_column_is_refused_and_not_repeated() -> None:
    error = "must name each of the columns rogueId, value, date once, and no other"
    assert errors(sheet(header="rogueId,value,date,note")) == {"csv.1": error}


def test_lines_have_as_many_cells_as_the_header() -> None:
    assert errors(sheet(line(value="12,50"), line(CASH))) == {"csv.2": "must have 3 cells"}


def test_a_text_without_figures_is_refused() -> None:
    assert [*errors(sheet())] == ["csv"]
    assert [*errors(" ")] == ["csv.1"]


def test_quotes_that_do_not_end_are_named_by_the_line_where_they_begin() -> None:
    assert [*errors(sheet(line(CASH), f'"{ARR},1,{DATE}', line()))] == ["csv.3"]
    assert [*errors(sheet(f'"a\nb",1,{DATE}', f'"{ARR}"x,1,{DATE}'))] == ["csv.4"]


# What a sheet makes of a dashboard


def field(field_id: str, rogue_id: str | None, **members: Any) -> dict[str, Any]:
    given = {
        "fieldId": field_id,
        "rogueId": rogue_id,
        "isStub": False,
        "label": field_id,
        "displayOrder": 1,
        "value": 0,
    }
    return {**given, **members}


def uniform(*fields: dict[str, Any]) -> Uniform:
    return Uniform.model_validate({"narrative": "N", "reviewStatus": "ready_for_review", "fields": fields})


def test_a_dashboard_takes_numbers_and_day_and_keeps_the_rest() -> None:
    before = uniform(
        field("a", ARR), field("b", None), field("c", CASH, value=7), field("d", ARR, isStub=True, value=None)
    )
    after = filled(before, Sheet({ARR: 5}, DATE))
    assert [(each.value, each.is_stub, each.label) for each in after.fields] == [
        (5, False, "a"),
        (0, False, "b"),
        (7, False, "c"),
        (5, False, "d"),
    ]
    changed = {"data_anchor_date": DATE, "fields": after.fields}
    assert after == before.model_copy(update=changed)


def test_a_kpi_without_a_field_gets_one_below_the_others_with_the_label_of_the_catalog() -> None:
    before = uniform(field("a", None, displayOrder=7.5), field("b", None))
    added = filled(before, Sheet({CASH: 1, ARR: 2}, DATE)).fields[2:]
    assert [(each.field_id, each.rogue_id, each.label) for each in added] == [
        (id_, id_, labels()[id_]) for id_ in (CASH, ARR)
    ]
    assert [(each.display_order, each.value) for each in added] == [(8.5, 1), (9.5, 2)]
    first, *_ = filled(uniform(), Sheet({ARR: 2}, DATE)).fields
    assert (first.display_order, first.is_stub, first.widget and first.widget.type) == (1, False, "number")


def test_the_id_of_a_new_field_is_one_that_no_other_has() -> None:
    taken = [field(ARR, None), field(f"{ARR}.2", None)]
    assert filled(uniform(*taken), Sheet({ARR: 2}, DATE)).fields[-1].field_id == f"{ARR}.3"
    assert filled(uniform(*taken[:1]), Sheet({ARR: 2}, DATE)).fields[-1].field_id == f"{ARR}.2"


def test_a_new_field_is_ordered_within_the_limit() -> None:
    last = field("a", None, displayOrder=ORDER_MAGNITUDE)
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
    assert [each.value for each in after.fields[1:]] == [2]


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
