"""Bugs in the checks of figures: what is checked that cannot be, flags that are wrong, and who is told of them."""

from __future__ import annotations

from governance.deliveries import announcements
from governance.domain.reports import checks, flags, intervals, kpi_formulas, report_checks, stated_figures
from governance.models import numbers
from governance.store.reports import checks as store
from governance.usecases.reports import checks as usecases
from governance.usecases.reports import flags as routes
from tests.seeded_bugs.bug import Bug

_RULES = "tests/domain/test_checks.py"
_REASONS = f"{_RULES}::test_why_a_figure_cannot_be_checked"
_INTERVALS = "tests/domain/test_intervals.py"
_ROUTES = "tests/functions/dashboards/test_checks.py"
_TOLD = "tests/deliveries/test_flags.py"

BUGS = (
    Bug(
        "an input that is a placeholder states its value",
        stated_figures._states,
        "    if field.is_stub:\n        return STUB\n",
        "",
        _ROUTES,
    ),
    Bug(
        "a missing input is taken for one of another date",
        checks.CheckedFigures._statement,
        'reason="other_date" if by_date else "missing_input"',
        'reason="other_date"',
        _REASONS,
    ),
    Bug(
        "an input of another date is used",
        checks.CheckedFigures._statement,
        "        if date in by_date:\n            return _common_statement(by_date[date])\n",
        "        if by_date:\n            return _common_statement(next(iter(by_date.values())))\n",
        _REASONS,
    ),
    Bug(
        "an input of another period is used",
        checks.CheckedFigures._input,
        '        if of.period != SAME_PERIOD:\n            return _Input(of, _Statement(reason="other_period"))\n',
        "",
        _REASONS,
    ),
    Bug(
        "an input of an unknown period counts as one of the same",
        kpi_formulas.KpiFormula,
        "each.period == SAME_PERIOD",
        "each.period in (SAME_PERIOD, None)",
        "tests/domain/test_kpi_formulas.py",
    ),
    Bug(
        "of inputs that contradict each other the first is used",
        checks._common_statement,
        'return _Statement(known[0][0], common, None if common else "contradictory_inputs")',
        "return _Statement(known[0][0], common or known[0][1], None)",
        _REASONS,
    ),
    Bug(
        "a divisor that may be zero is divided by",
        intervals._divide,
        "if right.low <= 0 <= right.high:",
        "if right.low == 0 == right.high:",
        f"{_INTERVALS} {_RULES}",
    ),
    Bug(
        "the root of what may be negative is taken",
        intervals._power,
        '    if base.low < 0:\n        raise NoValueError("not_real")\n',
        "",
        _INTERVALS,
    ),
    Bug(
        "a boolean is a number",
        numbers.written_number,
        "return None if isinstance(value, bool) or not isinstance(value, int | float) else repr(value)",
        "return None if not isinstance(value, int | float) else repr(int(value))",
        "tests/domain/test_stated_figures.py",
    ),
    Bug(
        "a number forgets the zeros that were written",
        numbers.parse_float,
        "    if repr(number) == text:\n        return number\n",
        "    if repr(number) != 'x':\n        return number\n",
        f"{_ROUTES} tests/domain/test_stated_figures.py",
    ),
    Bug(
        "touching is not meeting",
        intervals.Interval.meets,
        "self.low <= other.high and other.low <= self.high",
        "self.low < other.high and other.low < self.high",
        f"{_INTERVALS}::test_intervals_that_touch_meet",
    ),
    Bug(
        "bounds are rounded to the nearest",
        intervals._divide,
        "return Interval(_DOWN.divide(left.low, right.high), _UP.divide(left.high, right.low))",
        "return Interval(_UP.divide(left.low, right.high), _DOWN.divide(left.high, right.low))",
        _INTERVALS,
    ),
    Bug(
        "of two changes at once each checks without the other",
        store.renew,
        "equals(version=old.version) if old.version else ABSENT",
        "None",
        "tests/interleavings/test_resource_pairs.py::test_concurrent_writes_to_related_resources_have_the_effect_of_one_after_the_other[change_input_change_figure]",
    ),
    Bug(
        "a flag of other values is the same flag",
        checks._flag_id,
        "figure.states, computed.values",
        '"", ""',
        f"{_RULES}::test_a_flag_has_the_same_id_for_the_same_values_only",
    ),
    Bug(
        "a contradiction that returns is told again",
        flags.raised_between,
        "if flag.id not in known",
        'if flag.id not in known or flag.status == "open"',
        f"tests/domain/test_flags.py {_TOLD}",
    ),
    Bug(
        "a dismissed flag is opened by the next change",
        flags._renewed,
        '"dismissed" if flag.status == "dismissed" else "open" if stands else "corrected"',
        '"open" if stands else "corrected"',
        "tests/domain/test_flags.py",
    ),
    Bug(
        "a deleted input leaves its flags open",
        usecases.check_deletion,
        "return _renew(",
        "return [] and _renew(",
        _ROUTES,
    ),
    Bug(
        "a new release checks nothing",
        report_checks.needs_check,
        "if _counted_by(checks, formulas) else bool(others)",
        "",
        f"tests/domain/test_report_checks.py {_ROUTES}",
    ),
    Bug(
        "flags of a finalized report are dismissed",
        routes.put_dismissal,
        "    check_open(report)\n",
        "",
        "tests/functions/dashboards/test_flags.py::test_the_flags_of_a_finalized_report_stay_as_they_are",
    ),
    Bug(
        "a person is told for each of their dashboards",
        announcements._flags_raised,
        "if shown is dashboard",
        "if shown is not None",
        _TOLD,
    ),
)
