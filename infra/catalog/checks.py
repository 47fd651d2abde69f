"""Checks the rules between records: references, cycles, units, worked examples."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from governance.domain.reports.formula import ExpressionError, Node, names, parse
from governance.domain.reports.intervals import evaluate, exactly
from governance.limits import FORMULA_INPUTS
from infra.catalog.records import Example
from infra.catalog.source import Entry, RawInput, Source, SourceError, SourceFormula, reference
from infra.catalog.units import RATIO, TIMES, Unit, UnitError, infer, parse_unit, words, write_unit

_MAX_DECIMALS = 6


def errors(source: Source) -> list[SourceError]:
    """Returns every error of the records, in order of file and record."""
    source_errors = [*_cycles(source), *_duplicate_labels(source)]
    for entry in source.entries.values():
        for check in (_references, _status, _units, _time_base, _formula):
            source_errors.extend(check(source, entry))
    return sorted(source_errors)


# References


def _references(source: Source, entry: Entry) -> Iterator[SourceError]:
    for field, target in _named_records(entry):
        if target not in source.entries:
            yield entry.error(field, f"names a record that does not exist: '{target}'")
        elif target == entry.rogue_id:
            yield entry.error(field, "must not name the record itself")
    if len(set(entry.record.related)) < len(entry.record.related):
        yield entry.error("related", "names a record twice")


def _named_records(entry: Entry) -> Iterator[tuple[str, str]]:
    record = entry.record
    for name, value in record.formula.inputs.items() if record.formula else ():
        if target := reference(value):
            yield f"formula.inputs.{name}", target
    yield from (("related", target) for target in record.related)
    if record.superseded_by:
        yield "supersededBy", record.superseded_by


def _status(_: Source, entry: Entry) -> Iterator[SourceError]:
    if entry.record.superseded_by and entry.record.status == "active":
        yield entry.error("supersededBy", "only a deprecated record may have this field")


def _cycles(source: Source) -> Iterator[SourceError]:
    for field in ("formula.inputs", "supersededBy"):
        graph = {
            key: [target for name, target in _named_records(entry) if name.startswith(field) and target != key]
            for key, entry in source.entries.items()
        }
        for key, entry in source.entries.items():
            if cycle := _shortest_cycle(graph, key):
                yield entry.error(field, "forms a cycle: " + " -> ".join(cycle))


def _shortest_cycle(graph: dict[str, list[str]], start: str) -> list[str]:
    """Returns the shortest path from `start` back to itself, or an empty list."""
    paths, seen = [[start]], {start}
    for path in paths:
        for target in graph.get(path[-1], ()):
            if target == start:
                return [*path, start]
            if target not in seen:
                seen.add(target)
                paths.append([*path, target])
    return []


def _duplicate_labels(source: Source) -> Iterator[SourceError]:
    labels: dict[str, str] = {}
    for key, entry in source.entries.items():
        other = labels.setdefault(entry.record.label.casefold(), key)
        if other != key:
            yield entry.error("label", f"is also the label of '{other}'")


# Units and periods


def _units(source: Source, entry: Entry) -> Iterator[SourceError]:
    record = entry.record
    unknown = [word for word in words(record.unit) if word not in source.units]
    if unknown:
        yield entry.error("unit", f"'{unknown[0]}' is not a unit word")
    elif record.value_type != (kind := _value_type(record.unit)):
        yield entry.error("unit", f"'{record.unit}' is the unit of a {kind}, not of a {record.value_type}")


def _value_type(unit: str) -> str:
    """Returns the value type of a unit: the counted word decides, not the words after `/`."""
    counted = unit.split("/", maxsplit=1)[0]
    if unit == RATIO:
        return "ratio"
    if counted in ("currency", "percent"):
        return counted
    return "duration" if counted in TIMES else "number"


def _time_base(_: Source, entry: Entry) -> Iterator[SourceError]:
    if entry.record.period_type == "instant" and entry.record.aggregation == "sum":
        yield entry.error("aggregation", "must not be `sum` for figures of an instant")


# Formulas and their worked examples


def _formula(source: Source, entry: Entry) -> Iterator[SourceError]:
    formula, example = entry.record.formula, entry.record.example
    if formula is None or example is None:
        if formula or example:
            yield entry.error("example", "a formula needs an example, and an example a formula")
        return
    try:
        node = parse(formula.expression)
    except ExpressionError as error:
        yield entry.error("formula.expression", str(error))
        return
    if len(formula.inputs) > FORMULA_INPUTS:
        yield entry.error("formula.inputs", f"are more than {FORMULA_INPUTS}")
        return
    if unnamed := set(names(node)) ^ set(formula.inputs):
        yield entry.error("formula.inputs", f"{_list(unnamed)} must be both in the expression and in the inputs")
        return
    yield from _unit_agreement(source, entry, formula, node)
    yield from _worked_example(entry, example, node)


def _list(inputs: set[str]) -> str:
    return ", ".join(sorted(inputs))


def _unit_agreement(source: Source, entry: Entry, formula: SourceFormula, node: Node) -> Iterator[SourceError]:
    """Checks that the unit of the formula's value is the unit of the record."""
    units: dict[str, Unit] = {}
    for name, value in formula.inputs.items():
        if not isinstance(value, RawInput):
            target = reference(value)
            if target not in source.entries:
                return
            units[name] = parse_unit(source.entries[target].record.unit)
        elif unknown := [word for word in words(value.raw) if word not in source.units]:
            yield entry.error(f"formula.inputs.{name}", f"'{unknown[0]}' is not a unit word")
            return
        else:
            units[name] = parse_unit(value.raw)
    try:
        unit = infer(node, units)
    except UnitError as error:
        yield entry.error("formula.expression", str(error))
        return
    if unit != parse_unit(entry.record.unit):
        yield entry.error("unit", f"is {entry.record.unit}, but the formula gives {write_unit(unit)}")


def _worked_example(entry: Entry, example: Example, node: Node) -> Iterator[SourceError]:
    """Checks that the worked example gives the expected value, rounded to the decimals of that value."""
    if unmatched := set(names(node)) ^ set(example.inputs):
        yield entry.error("example.inputs", f"{_list(unmatched)} must be both in the formula and in the example")
        return
    try:
        value = evaluate(node, {name: exactly(_as_written(figure)) for name, figure in example.inputs.items()}).low
    except ExpressionError as error:
        yield entry.error("example", str(error))
        return
    expected = _as_written(example.expected)
    if round(value, _decimals(expected)) != expected:
        yield entry.error("example.expected", f"is {expected}, but the formula gives {value:.{_MAX_DECIMALS}g}")


def _as_written(figure: float) -> Decimal:
    return Decimal(repr(figure))


def _decimals(figure: Decimal) -> int:
    """Returns how many decimals a figure shows: 4 has none, 0.75 has two."""
    return len(f"{figure:.{_MAX_DECIMALS}f}".rstrip("0").split(".")[1])
