"""Checks the figures of a report: each one with a formula against the inputs of that formula (ADR figures)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from governance.domain.reports.intervals import Interval, NoValueError, intersection, stated_interval
from governance.domain.reports.kpi_formulas import SAME_PERIOD, FormulaInput, KpiFormula, KpiFormulas
from governance.domain.reports.stated_figures import NO_NUMBER, NOTHING, STUB, Figure
from governance.models.reports.check import Bounds, CheckInput, CheckReason, FigureCheck

_SHOWN_DIGITS = 20
_PLAIN_EXPONENT = 30
"""Bounds of larger and smaller numbers are shown with an exponent."""
_BELOW, _ABOVE = Context(_SHOWN_DIGITS, ROUND_FLOOR), Context(_SHOWN_DIGITS, ROUND_CEILING)
_WORDS = (STUB, NOTHING, NO_NUMBER)


class _Statement(NamedTuple):
    """The interval that the figures of one KPI and one date state together, or the reason why there is none.

    `figure` is the first of those that count.
    """

    figure: Figure | None = None
    interval: Interval | None = None
    reason: CheckReason | None = None


class _Input(NamedTuple):
    """An input of a formula, and what states it."""

    of: FormulaInput
    by: _Statement

    def to_resource(self) -> CheckInput:
        """Returns the input as clients see it."""
        figure, bounds = self.by.figure, to_bounds(self.by.interval)
        return CheckInput(
            name=self.of.name,
            rogue_id=self.of.rogue_id,
            dashboard_id=figure.dashboard_id if figure else None,
            field_id=figure.field_id if figure else None,
            low=bounds.low if bounds else None,
            high=bounds.high if bounds else None,
        )


@dataclass(frozen=True)
class _Computed:
    """What a formula gives for the figures of one date: an interval, or the reason why there is none."""

    inputs: tuple[_Input, ...]
    interval: Interval | None = None
    reason: CheckReason | None = None

    @cached_property
    def values(self) -> str:
        """The inputs with their intervals, as the ids of flags name them."""
        return "".join(f"{operand.of.name}={operand.by.interval}\0" for operand in self.inputs)


class Contradiction(NamedTuple):
    """A figure that contradicts the inputs of its formula; `flag_id` is the same for the same values."""

    flag_id: str
    dashboard_id: str
    field_id: str
    rogue_id: str


class CheckedFigures:
    """The figures of a report, checked by the formulas of one release of the catalog.

    The result of a formula depends only on its KPI and a date, so it is computed once for all figures that share them.
    """

    def __init__(self, formulas: KpiFormulas, figures: Iterable[Figure]) -> None:
        self._formulas = formulas
        self._figures = list(figures)
        self._by_id: dict[str, dict[str | None, list[Figure]]] = {}
        for figure in self._figures:
            self._by_id.setdefault(figure.rogue_id, {}).setdefault(figure.date, []).append(figure)
        self._computed: dict[tuple[str, str | None], _Computed] = {}
        self._statements: dict[tuple[str, str | None], _Statement] = {}

    def contradictions(self) -> Iterator[Contradiction]:
        """Yields every contradiction of the report, in the order of its figures."""
        for rogue_id, formula in self._formulas.by_id.items():
            if not formula.is_checkable:
                continue
            for figure in chain.from_iterable(self._by_id.get(rogue_id, {}).values()):
                if contradiction := self._contradiction(figure, formula):
                    yield contradiction

    def checks(self, dashboard_id: str, flag_ids: Iterable[str]) -> Iterator[FigureCheck]:
        """Yields the checks of a dashboard's figures that have a formula; `flag_ids` are those of its flags."""
        known = set(flag_ids)
        for figure in self._figures:
            formula = self._formulas.by_id.get(figure.rogue_id)
            if figure.dashboard_id == dashboard_id and formula is not None:
                yield self._check(figure, formula, known)

    def _check(self, figure: Figure, formula: KpiFormula, flag_ids: set[str]) -> FigureCheck:
        own, own_reason = _stated_by(figure)
        computed = self._of(figure, formula)
        reason = own_reason or computed.reason
        contradiction = None if reason else self._contradiction(figure, formula)
        return FigureCheck(
            field_id=figure.field_id,
            rogue_id=figure.rogue_id,
            status="not_checkable" if reason else "contradicts" if contradiction else "agrees",
            reason=reason,
            stated=to_bounds(own),
            computed=to_bounds(computed.interval),
            inputs=tuple(operand.to_resource() for operand in computed.inputs),
            flag_id=contradiction.flag_id if contradiction and contradiction.flag_id in flag_ids else None,
        )

    def _contradiction(self, figure: Figure, formula: KpiFormula) -> Contradiction | None:
        if figure.states in _WORDS:
            return None
        computed = self._of(figure, formula)
        if computed.interval is None:
            return None
        own, _ = _stated_by(figure)
        if own is None or own.meets(computed.interval):
            return None
        id_ = _flag_id(self._formulas.version, figure, computed)
        return Contradiction(id_, figure.dashboard_id, figure.field_id, figure.rogue_id)

    def _of(self, figure: Figure, formula: KpiFormula) -> _Computed:
        key = figure.rogue_id, figure.date
        if key not in self._computed:
            self._computed[key] = self._compute(formula, figure.date)
        return self._computed[key]

    def _compute(self, formula: KpiFormula, date: str | None) -> _Computed:
        """Returns the result of a formula.

        An input that no report can state takes precedence over one that this report lacks, as the reason for no result.
        """
        inputs = tuple(self._input(formula_input, date) for formula_input in formula.inputs)
        reasons = [operand.by.reason for operand in sorted(inputs, key=_is_statable) if operand.by.reason]
        if reasons:
            return _Computed(inputs, reason=reasons[0])
        try:
            stated_inputs = {operand.of.name: operand.by.interval for operand in inputs if operand.by.interval}
            return _Computed(inputs, formula.program(stated_inputs))
        except NoValueError as error:
            return _Computed(inputs, reason=error.reason)

    def _input(self, of: FormulaInput, date: str | None) -> _Input:
        if of.rogue_id is None:
            return _Input(of, _Statement(reason="missing_input"))
        if of.period != SAME_PERIOD:
            return _Input(of, _Statement(reason="other_period"))
        key = of.rogue_id, date
        if key not in self._statements:
            self._statements[key] = self._statement(*key)
        return _Input(of, self._statements[key])

    def _statement(self, rogue_id: str, date: str | None) -> _Statement:
        """Returns what a KPI's figures of a date state. Figures of other dates only explain why there is nothing."""
        by_date = self._by_id.get(rogue_id, {})
        if date in by_date:
            return _common_statement(by_date[date])
        return _Statement(reason="other_date" if by_date else "missing_input")


def _is_statable(operand: _Input) -> bool:
    return operand.of.rogue_id is not None and operand.of.period == SAME_PERIOD


def _common_statement(figures: list[Figure]) -> _Statement:
    """Returns what these figures of one KPI have in common; those without a number say why if none has one."""
    known = [(figure, interval) for figure in figures if (interval := _stated_by(figure)[0])]
    if not known:
        return _Statement(figures[0], reason=_why_nothing(figures))
    common = intersection([interval for _, interval in known])
    return _Statement(known[0][0], common, None if common else "contradictory_inputs")


def _why_nothing(figures: list[Figure]) -> CheckReason:
    words = {figure.states for figure in figures}
    if words == {NOTHING}:
        return "missing_input"
    return "stub" if STUB in words else "not_a_number"


def _stated_by(figure: Figure) -> tuple[Interval | None, CheckReason | None]:
    """Returns the interval that a figure states, or the reason why it states none."""
    if figure.states in _WORDS:
        return None, "stub" if figure.states == STUB else "not_a_number"
    try:
        return stated_interval(figure.states), None
    except NoValueError as error:
        return None, error.reason


def _flag_id(version: str, figure: Figure, computed: _Computed) -> str:
    """Returns the id of a contradiction's flag, in the form of all ids; the same values give the same id."""
    named = (version, figure.dashboard_id, figure.field_id, figure.rogue_id, figure.states, computed.values)
    return hashlib.sha256("\0".join(named).encode()).hexdigest()[:24]


def to_bounds(interval: Interval | None) -> Bounds | None:
    """Returns the bounds of an interval as clients see them: rounded outward to twenty digits."""
    if interval is None:
        return None
    return Bounds(low=_text(_BELOW.plus(interval.low)), high=_text(_ABOVE.plus(interval.high)))


def _text(number: Decimal) -> str:
    """Returns a decimal without needless zeros: with an exponent only where it has many."""
    plain = number.normalize(_BELOW if number < 0 else _ABOVE)
    return f"{plain:f}" if abs(plain.adjusted()) < _PLAIN_EXPONENT else str(plain)


def formulas_among(formulas: KpiFormulas, figures: Iterable[Figure]) -> int:
    """Returns how many of these figures have a formula."""
    return sum(figure.rogue_id in formulas.by_id for figure in figures)
