"""Reads numbers as spreadsheet programs of all countries write them, without a guess (ADR figures).

`1.250` is one and a quarter or a thousand two hundred and fifty. The other numbers of the sheet show what a program
meant: a separator behind which there are not exactly three digits, or before which there are more than three or a zero,
is the decimal one; a separator that occurs twice is that of the thousands. The digits may have around them, once each,
a minus or parentheses, a currency, and a percent sign.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from governance.domain.reports.sheet_cells import Cell
from governance.domain.reports.sheet_currencies import CURRENCIES, Currencies
from governance.limits import CHECKED_NUMBER
from governance.models.numbers import number_of_text

Decimal = Literal[".", ","]
_DECIMALS: tuple[Decimal, ...] = (".", ",")
_SPACES = " \u00a0\u2007\u2009\u202f"
_MARKS = f"{_SPACES}'\u2019\u02bc"
_MINUS = {"-", "\u2212", "\u2013"}
_NO_CENTS = re.compile(r"([0-9])(?:[.,][-\u2013\u2014]{1,2}|/-)([^0-9]*)\Z")
"""How Swiss, Dutch and Indian amounts have no cents, so no decimals: `12.-`, `12,--`, `500/-`."""
_CURRENCY = "|".join(map(re.escape, sorted(CURRENCIES, key=len, reverse=True)))
_MOST_SIGNS = 8
_AROUND = re.compile(
    rf"(?P<before>(?:[-\u2212\u2013(]|{_CURRENCY}|[{_SPACES}]){{0,{_MOST_SIGNS}}})(?P<digits>[0-9].*?)"
    rf"(?P<behind>(?:[-\u2212\u2013)%]|{_CURRENCY}|[{_SPACES}]){{0,{_MOST_SIGNS}}})",
    re.IGNORECASE,
)
_SIGN = re.compile(rf"[-\u2212\u2013()%]|{_CURRENCY}", re.IGNORECASE)
_PARTS = {
    decimal: re.compile(
        rf"(?P<whole>0|[1-9][0-9]*|(?=[1-9][0-9]{{0,2}}(?P<mark>[{other}{_MARKS}]))"
        rf"(?:[1-9][0-9]{{0,2}}(?:(?P=mark)[0-9]{{3}})+|[1-9][0-9]?(?:(?P=mark)[0-9]{{2}})+(?P=mark)[0-9]{{3}}))"
        rf"(?:{re.escape(decimal)}(?P<fraction>[0-9]+))?(?P<exponent>[eE][-+]?[0-9]+)?"
    )
    for decimal, other in ((".", ","), (",", "."))
}
_NAMES = {".": "point", ",": "comma"}
_NO_NUMBER = f"must be a number such as 1250.50, of up to {CHECKED_NUMBER} characters"
_UNCLEAR = "must tell thousands from decimals; write it without a separator of thousands, or send `decimal`"


class Written(NamedTuple):
    """A number as it is written: its text as JSON by each decimal separator it may have, and what stands around."""

    by_decimal: Mapping[Decimal, str]
    is_percent: bool = False
    currencies: Currencies = Currencies()
    """The currencies that the sign or code at the number stands for; empty where it has none."""

    @property
    def is_ambiguous(self) -> bool:
        """Whether the number depends on the decimal separator."""
        return len(set(self.by_decimal.values())) > 1


def written(cell: Cell, between_columns: str) -> Written:
    """Returns the ways to read a cell; none if it is not a number."""
    text, without_cents = _NO_CENTS.subn(r"\1\2", cell.text)
    around = _AROUND.fullmatch(text) if len(cell.text) <= CHECKED_NUMBER else None
    before, behind = (_SIGN.findall(around[name]) if around else [] for name in ("before", "behind"))
    signs = [*before, *behind]
    currencies = [CURRENCIES[sign.casefold()] for sign in signs if sign.casefold() in CURRENCIES]
    negative = ["(" for sign in before if sign == "("] + [sign for sign in signs if sign in _MINUS]
    is_paired = before.count("(") == behind.count(")")
    if around is None or not is_paired or max(len(currencies), len(negative), signs.count("%")) > 1:
        return Written({})
    by_decimal = {
        decimal: number
        for decimal in _DECIMALS
        if not (decimal == "," and between_columns == "," and not cell.is_quoted and "." in around["digits"])
        and (number := _json(around["digits"], bool(negative), decimal)) is not None
        and not (without_cents and "." in number)
    }
    return Written(by_decimal, "%" in signs, currencies[0] if currencies else Currencies())


def _json(text: str, negative: bool, decimal: Decimal) -> str | None:
    match = _PARTS[decimal].fullmatch(text)
    if match is None or (match["mark"] and match["exponent"]):
        return None
    whole = re.sub("[^0-9]", "", match["whole"])
    fraction = f".{match['fraction']}" if match["fraction"] else ""
    number = f"{'-' if negative else ''}{whole}{fraction}{match['exponent'] or ''}"
    return None if number_of_text(number) is None else number


def numbers(cells: Mapping[int, Written], decimal: Decimal | None) -> tuple[dict[int, str], dict[int, str]]:
    """Returns the numbers of a sheet as JSON, and what is wrong with others, both by their lines.

    `decimal` is what the client says of the sheet; what the sheet shows must not contradict it.
    """
    errors = {line: _NO_NUMBER for line, cell in cells.items() if not cell.by_decimal}
    telling = {line: next(iter(cell.by_decimal)) for line, cell in cells.items() if len(cell.by_decimal) == 1}
    first = next(iter(telling), None)
    chosen = decimal or (telling[first] if first is not None else None)
    where = "`decimal` says" if decimal or first is None else f"line {first} has"
    for line, told in telling.items():
        if told != chosen:
            errors[line] = f"must have the decimal {_NAMES[chosen or told]} that {where}"
    if chosen is None:
        errors |= {line: _UNCLEAR for line, cell in cells.items() if cell.is_ambiguous}
    json_numbers = {line: cell.by_decimal[chosen or "."] for line, cell in cells.items() if line not in errors}
    return json_numbers, errors
