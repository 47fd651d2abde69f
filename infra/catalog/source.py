"""The shapes of the source files, and the errors that name a location in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from infra.catalog.records import (
    ChangeKind,
    Definition,
    Domain,
    Formula,
    Input,
    InputName,
    Label,
    ReleasedAt,
    RogueId,
    Sentence,
    Shape,
    Status,
    Version,
)

DOMAINS: tuple[Domain, ...] = get_args(Domain)
Period = Literal["same", "opening", "prior", "annual"]
"""Of which period an input is: the figure's own, its beginning, an earlier one, or twelve months."""


@dataclass(frozen=True, order=True)
class SourceError:
    """One mistake and its location; `message` continues the name of the field."""

    file: str
    record: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.record}: {self.field}: {self.message}"


class CatalogError(Exception):
    """The catalog cannot be built, published or released; `errors` are the reasons, in order."""

    def __init__(self, errors: list[SourceError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors


class RawInput(Shape):
    """An input without a record: a raw figure with its unit."""

    raw: str
    period: Period = "same"


class RecordInput(Shape):
    """An input of another period than the figure's own."""

    kpi: RogueId
    period: Period


SourceInput = RogueId | RawInput | RecordInput


def reference(value: SourceInput) -> str | None:
    """Returns the id of the record that an input stands for; None for a raw figure."""
    if isinstance(value, RecordInput):
        return value.kpi
    return value if isinstance(value, str) else None


def period(value: SourceInput) -> Period:
    """Returns of which period the value of an input is."""
    return "same" if isinstance(value, str) else value.period


class SourceFormula(Shape):
    """A formula in the source: each input is the id of a record, one with its period, or a raw figure."""

    text: Sentence
    expression: str
    inputs: dict[InputName, SourceInput]

    def published(self) -> Formula:
        """Returns the formula as readers get it."""
        named = [Input(name=name, rogue_id=reference(value)) for name, value in self.inputs.items()]
        return Formula(text=self.text, expression=self.expression, inputs=tuple(named))


class SourceRecord(Definition):
    """A record in the source; omitted fields have the usual value."""

    formula: SourceFormula | None
    status: Status = "active"
    superseded_by: RogueId | None = None


class SourceDomain(Shape):
    """A domain's file; its records are validated one by one, so that each error names its record."""

    domain: Domain
    label: Label
    records: list[dict[str, Any]]


class SourceChange(Shape):
    """A group of changelog lines with the same kind and note."""

    kind: ChangeKind
    note: Sentence
    records: list[RogueId]


class SourceVersion(Shape):
    """One version of the changelog."""

    version: Version
    released_at: ReleasedAt
    changes: list[SourceChange]


@dataclass(frozen=True)
class Entry:
    """A record with the file that it was read from."""

    file: str
    domain: Domain
    record: SourceRecord

    @property
    def rogue_id(self) -> str:
        """`domain.slug`."""
        return f"{self.domain}.{self.record.slug}"

    def error(self, field: str, message: str) -> SourceError:
        """Returns an error of this record."""
        return SourceError(self.file, self.rogue_id, field, message)


@dataclass(frozen=True)
class Source:
    """The whole source: domain labels, records by id, unit words, and the versions, newest first."""

    labels: dict[Domain, str]
    entries: dict[str, Entry]
    units: frozenset[str]
    versions: list[SourceVersion]
