"""The rules of figures from a spreadsheet."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.reports import sheet_kpis
from governance.domain.reports.spreadsheet import Sheet, parse_sheet
from governance.errors import ApiError
from governance.limits import CHECKED_NUMBER
from governance.models.numbers import written_number
from tests.domain.samples import refusal

ARR, CASH, REVENUE, MARGIN = "revenue.arr", "finance.cash-balance", "finance.revenue", "finance.gross-margin"
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
    [
        *("", "12 50", "+1", "01", ".5", "1.", "1.250.000", "1e400", "NaN", "٣", "(1", "--1", "(-1)"),
        "9" * (CHECKED_NUMBER + 1),
    ],
)
def test_what_is_no_number_is_named_by_its_line(value: str) -> None:
    assert errors(sheet(line(CASH), line(value=value))) == {
        "csv.3.value": f"must be a number such as 1250.50, of up to {CHECKED_NUMBER} characters"
    }


def test_each_unknown_name_is_named_with_its_line_and_with_similar_ones() -> None:
    named = errors(sheet(line(), line("finance.revenu"), "", line(""), line("x" * 100)))
    unknown = "is neither the id nor a name of a KPI of the released catalog"
    assert named["csv.3.rogueId"].startswith(f"`finance.revenu` {unknown}; similar ones: `finance.revenue`")
    assert named["csv.3.rogueId"].count("`") <= 8
    assert (named["csv.5.rogueId"], named["csv.6.rogueId"]) == (f"`` {unknown}", f"`{'x' * 80}` {unknown}")


@pytest.mark.parametrize("name", ["FINANCE.Revenue", "revenue", " Revenue ", "total  income", "TURNOVER", '"Turnover"'])
def test_a_kpi_is_named_by_its_id_its_slug_its_label_or_an_alias_in_any_case(name: str) -> None:
    assert numbers(sheet(line(name), header="KPI,Value,DATE")) == {REVENUE: "1"}
    assert [*errors(sheet(line(name), line(REVENUE)))] == ["csv.3.rogueId"]


def test_a_name_of_several_kpis_is_refused_with_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = {"shared": frozenset({ARR, CASH})}
    monkeypatch.setattr(sheet_kpis, "_ids_by_name", lambda: ids)
    error = errors(sheet(line("Shared")))["csv.2.rogueId"]
    assert f"`{CASH}`, `{ARR}`" in error


def test_a_kpi_that_is_stated_twice_is_named_with_both_lines() -> None:
    assert errors(sheet(line(), line(CASH), line())) == {
        "csv.4.rogueId": f"must not be repeated: line 2 states `{ARR}` too"
    }


def test_all_lines_have_one_date_that_exists() -> None:
    assert errors(sheet(line(), line(CASH, date="2026-10-31"))) == {
        "csv.3.date": "must be the date of line 2: all figures of a dashboard have one"
    }
    assert [*errors(sheet(line(date="2026-02-30")))] == ["csv.2.date"]


@pytest.mark.parametrize(
    "header", ["rogueId,value", "rogueId,value,date,date", "rogueId,value,date,note", "rogueId,KPI,value,date", "value"]
)
def test_the_header_names_each_column_once_and_no_other(header: str) -> None:
    error = "must name each of the columns rogueId (or KPI), value, date once, and no other"
    assert errors(sheet(line(), header=header)) == {"csv.1": error}


def test_the_header_alone_says_what_separates_the_cells() -> None:
    assert [*errors(sheet(line(value="1;2\t3")))] == ["csv.2.value"]
    assert [*errors(sheet(line(value="1;2\t3")).replace("\n", "\r"))] == ["csv.2.value"]
    assert [*errors(sheet("a~1~b", header="rogueId~value~date"))] == ["csv.1"]


def test_lines_have_as_many_cells_as_the_header() -> None:
    assert errors(sheet(line(value="12,50"), line(CASH))) == {
        "csv.2": "must have 3 cells, and none in a column without a name"
    }
    assert [*errors(sheet(f"{line()},", f"{line(CASH)},x", f"{ARR},1", header="rogueId,value,date,,"))] == [
        "csv.3",
        "csv.4",
    ]
    assert numbers(sheet(f"{line()},", line(CASH), header="rogueId,value,date,,")) == {ARR: "1", CASH: "1"}


def test_a_text_without_figures_is_refused() -> None:
    assert [*errors(sheet())] == ["csv"]
    assert [*errors(" ")] == ["csv.1"]


def test_quotes_that_do_not_end_are_named_by_the_line_where_they_begin() -> None:
    assert [*errors(sheet(line(CASH), f'"{ARR},1,{DATE}', line()))] == ["csv.3"]
    assert [*errors(sheet(f'"a\nb",1,{DATE}', f'"{ARR}"x,1,{DATE}'))] == ["csv.4"]


@pytest.mark.parametrize("stated", ["sep=;", '"SEP=;"', "\ufeffsep=;;;", "\r\nsep=;"])
def test_a_line_with_the_separator_is_counted_and_no_line_of_the_sheet(stated: str) -> None:
    text = f"{stated}\r\nrogueId;value;date\r\n{ARR};1;{DATE}\r\nx;1;{DATE}"
    assert [*errors(text)] == [f"csv.{4 + stated.count(chr(10))}.rogueId"]
    assert numbers(text.rpartition("\r\n")[0]) == {ARR: "1"}


# How numbers and dates are written


def parsed(*rows: str, separator: str = ";", **said: Any) -> Sheet | list[str]:
    """Returns a sheet with these numbers and dates, of as many KPIs of the catalog, or the errors by line."""
    ids = [ARR, CASH, REVENUE, MARGIN]
    lines = [separator.join((ids[at], row)) for at, row in enumerate(rows)]
    try:
        return parse_sheet("\n".join([separator.join(("KPI", "value", "date")), *lines]), **said)
    except ApiError as error:
        return sorted((error.details or {})["fields"])


def values(*cells: str, separator: str = ";", **said: Any) -> Any:
    read_sheet = parsed(*(f"{cell}{separator}{DATE}" for cell in cells), separator=separator, **said)
    if isinstance(read_sheet, Sheet):
        return [written_number(value) for value in read_sheet.values.values()]
    return read_sheet


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (("12,50",), ["12.50"]),
        (("12.50", "1,250"), ["12.50", "1250"]),
        (("12,50", "1.250"), ["12.50", "1250"]),
        (("1.250.000", "1,250"), ["1250000", "1.250"]),
        (("1.250,00",), ["1250.00"]),
        (("1,250.00", "1.250"), ["1250.00", "1.250"]),
        (("0,250", "1,250"), ["0.250", "1.250"]),
        (("1234,567", "1,250"), ["1234.567", "1.250"]),
        (("1 250,5", "1\u00a0250", "1\u202f250\u202f000"), ["1250.5", "1250", "1250000"]),
        (("1'250.5", "1\u2019250"), ["1250.5", "1250"]),
        (("(1250,5)", "\u2212 3", "-0,5"), ["-1250.5", "-3", "-0.5"]),
        (("1,5E+03",), ["1.5E+03"]),
        (("1250", "0"), ["1250", "0"]),
    ],
)
def test_the_whole_sheet_tells_how_its_numbers_are_written(cells: tuple[str, ...], read: list[str]) -> None:
    assert values(*cells) == read


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (("1.250,50-", "3\u2212", "12,5 -"), ["-1250.50", "-3", "-12.5"]),
        (("12,34,567", "1,00,000.50", "1,250"), ["1234567", "100000.50", "1250"]),
        (("12.34.567,5",), ["1234567.5"]),
        (("1\u02bc250", "1\u2007250", "1\u2009250,5"), ["1250", "1250", "1250.5"]),
        (("€ 1.250,50", "980,50 €", "EUR 3"), ["1250.50", "980.50", "3"]),
        (("1,5 eur", "+2"), ["csv.3.value"]),
        (("-$1,250.50", "$-3", "($4)"), ["-1250.50", "-3", "-4"]),
        (("$(5)", "6.50-$", "$7.5-"), ["-5", "-6.50", "-7.5"]),
        (("US$ 3.50", "2,500.75 USD"), ["3.50", "2500.75"]),
        (("Rs. 12,34,567", "₹1,00,000"), ["1234567", "100000"]),
        (("1'250.50 Fr.", "CHF 3"), ["1250.50", "3"]),
        (("kr 1 250,50", "3 kr."), ["1250.50", "3"]),
        (("CHF 1'234'567.\u2013", "Fr. 5.\u2014", "12.-"), ["1234567", "5", "12"]),
        (("INR 12,34,567/-", "Rs. 500/-"), ["1234567", "500"]),
        (("\u20131.250,50", "€ 3,-", "1.250,00-"), ["-1250.50", "3", "-1250.00"]),
        (("1.250,- €", "500,-- €", "12,--", "3.\u2014\u2014"), ["1250", "500", "12", "3"]),
        (("1.250/-", "-2.500,--"), ["1250", "-2500"]),
        (("\u200f1,250.50 \u200f₪", "\u200e-\u200e3", "\u2066(4)\u2069"), ["1250.50", "-3", "-4"]),
    ],
)
def test_an_amount_has_one_sign_and_one_currency_on_either_side(cells: tuple[str, ...], read: list[str]) -> None:
    assert values(*cells) == read


@pytest.mark.parametrize(
    "cell",
    [
        "-3-",
        "(3)-",
        "-(3)",
        "€3€",
        "€ 3 EUR",
        "3 XYZ",
        "€",
        "3 )",
        "€ € 3",
        "3 % €",
        "1,2,345",
        "1,23,45",
        "123,45,678",
    ],
)
def test_signs_and_currencies_stand_once_and_are_known(cell: str) -> None:
    assert values("1.5", cell) == ["csv.3.value"]


def test_a_currency_is_for_amounts() -> None:
    assert values("1", "1", "1", "€ 12.5") == ["csv.5.value"]
    assert values("1.250 €", "3 €") == ["csv.2.value"]


@pytest.mark.parametrize(
    "header", ["KPI\tWert\tDatum", "Kennzahl\tBetrag\tStichtag", "kpi\tVALUE\tdatum", "Kennzahl\tvalue\tDate"]
)
def test_columns_are_called_as_in_the_languages_of_the_pages(header: str) -> None:
    text = f"{header}\r\nRevenue\t1.250\t31.03.2027\r\nOperating expenses\t980,50\t31.03.2027\r\n"
    assert numbers(text) == {REVENUE: "1250", "finance.operating-expenses": "980.50"}
    assert [*errors(text.replace("980,50", "980"))] == ["csv.2.value"]


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("cell", ["1.250", "1,250", "-1.250", "(999,999)", "12.345"])
def test_what_may_be_thousands_or_decimals_is_refused_unless_the_body_says_it(cell: str, separator: str) -> None:
    assert values(cell, "1250", "1 250", separator=separator) == ["csv.2.value"]
    assert values("0", cell, separator=separator) == ["csv.3.value"]
    read = {decimal: values(cell, separator=separator, decimal=decimal) for decimal in (".", ",")}
    assert len({*map(tuple, read.values())}) == 2


def test_where_commas_part_the_columns_the_point_of_a_number_without_quotes_is_the_decimal_one() -> None:
    assert values("1.250", separator=",") == ["1.250"]
    assert values("1.250", '"1,250"', separator=",") == ["1.250", "1250"]
    for cell in ('"1.250"', '"1,250"'):
        assert values(cell, separator=",") == ["csv.2.value"]
    assert values('"12,5"', separator=",") == ["12.5"]


def test_what_the_body_says_must_not_contradict_the_sheet() -> None:
    assert values("12,5", "7", decimal=".") == ["csv.2.value"]
    assert values("1.250", separator=",", decimal=",") == ["csv.2.value"]
    assert values("12,5", "12.5") == ["csv.3.value"]
    assert values("12,5", "1.250", decimal=",") == ["12.5", "1250"]


@pytest.mark.parametrize("cell", ["1.2.3", "1.250,5,5", "12 34", "1'250,5.0", "1.250 000", "01.250", "1.25e3,5"])
def test_groups_are_of_three_with_one_separator(cell: str) -> None:
    assert values(cell, "1.5") == ["csv.2.value"]


def test_a_percent_sign_is_for_what_is_stated_in_percent() -> None:
    for cell, read in (("12,5%", "12.5"), ("12.5 %", "12.5"), ("(12.5%)", "-12.5"), ("(12.5)\u00a0%", "-12.5")):
        assert values("1", "1", "1", cell) == ["1", "1", "1", read]
    assert values("12.5%") == ["csv.2.value"]
    assert values("1", "1", "1", "%12.5") == values("1", "1", "1", "1%%") == ["csv.5.value"]


LOCALES = {
    "en": (",", "."),
    "de": (".", ","),
    "fr": ("\u202f", ","),
    "sv": ("\u00a0", ","),
    "ch": ("\u2019", "."),
    "iso": ("", "."),
}


@given(
    st.lists(
        st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=3),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(sorted(LOCALES)),
    st.integers(0, 3),
    st.sampled_from([";", "\t"]),
)
def test_what_a_spreadsheet_program_shows_is_what_is_stored_or_it_is_refused(
    amounts: list[Decimal], locale: str, places: int, separator: str
) -> None:
    thousands, point = LOCALES[locale]
    rounded = [round(amount, places) if places else amount.to_integral_value() for amount in amounts]
    shown = [f"{amount:,f}".replace(",", "T").replace(".", point).replace("T", thousands) for amount in rounded]
    read = values(*shown, separator=separator)
    if not all(str(number).startswith("csv.") for number in read):
        assert [Decimal(number) for number in read] == rounded
    assert [Decimal(number) for number in values(*shown, separator=separator, decimal=point)] == rounded


def dates(*cells: str, **said: Any) -> Any:
    read_sheet = parsed(*(f"1;{cell}" for cell in cells), **said)
    return read_sheet.date if isinstance(read_sheet, Sheet) else read_sheet


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (("31.03.2027", "2027-03-31", "2027/3/31"), "2027-03-31"),
        (("31/03/2027", "31.3.2027"), "2027-03-31"),
        (("3/31/2027",), "2027-03-31"),
        (("04/04/2027",), "2027-04-04"),
        (("03/04/2027", "2027-04-03"), "2027-04-03"),
        (("03/04/2027", "04.03.2027"), "2027-03-04"),
        (("03/04/2027", "2027-03-04"), "2027-03-04"),
        (("2027-03-31", "1.4.2027"), ["csv.3.date"]),
        (("31/03/2027", "03/31/2027"), ["csv.3.date"]),
        (("03/04/2027",), ["csv.2.date"]),
        (("31.03.27",), ["csv.2.date"]),
        (("30.02.2027",), ["csv.2.date"]),
        (("31-03-2027",), ["csv.2.date"]),
    ],
)
def test_a_date_is_read_where_the_sheet_tells_the_day_from_the_month(cells: tuple[str, ...], read: Any) -> None:
    assert dates(*cells) == read


def test_the_body_says_the_order_of_a_date_and_must_not_contradict_the_sheet() -> None:
    assert dates("03/04/2027", order="dmy") == "2027-04-03"
    assert dates("03/04/2027", order="mdy") == "2027-03-04"
    assert dates("31/03/2027", order="mdy") == ["csv.2.date"]
    assert dates("2027-03-31", order="mdy") == "2027-03-31"
