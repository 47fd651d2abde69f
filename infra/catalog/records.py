"""The shapes of the published catalog: each file of the tree has exactly these fields, in this order.

The docstrings of the shapes are the descriptions in `schema.json`. So a change of one needs a new release.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

SLUG = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
VERSION = r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)"

Sentence = Annotated[str, Field(min_length=1, max_length=600)]
Label = Annotated[str, Field(min_length=2, max_length=60)]
Slug = Annotated[str, Field(pattern=f"^{SLUG}$", max_length=40)]
RogueId = Annotated[str, Field(pattern=rf"^{SLUG}\.{SLUG}$", max_length=80)]
Version = Annotated[str, Field(pattern=f"^{VERSION}$")]
InputName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
ReleasedAt = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
Figure = Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True, allow_inf_nan=False)]

Domain = Literal[
    "finance", "revenue", "sales", "customers", "product", "people", "fundraising", "giving", "programs", "governance"
]
Audience = Literal["startup", "nonprofit"]
ValueType = Literal["currency", "percent", "ratio", "number", "duration"]
Status = Literal["active", "deprecated"]
ChangeKind = Literal["added", "changed", "deprecated"]


class Shape(BaseModel):
    """A closed object: unknown fields are refused, in the source and in published files."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        extra="forbid",
        frozen=True,
    )


class Input(Shape):
    """A name in the expression, and the record whose value it stands for; null for a raw figure."""

    name: InputName
    rogue_id: RogueId | None


class Formula(Shape):
    """How the figure is computed, in words and in the expression grammar."""

    text: Sentence
    expression: Annotated[str, Field(min_length=1, max_length=300)]
    inputs: Annotated[tuple[Input, ...], Field(min_length=1)]


class Example(Shape):
    """A worked example: the expression over these inputs gives this value, rounded as shown."""

    inputs: dict[InputName, Figure]
    expected: Figure


class Definition(Shape):
    """The fields that an author writes and a reader gets unchanged."""

    slug: Slug
    label: Label
    short_label: Annotated[str, Field(min_length=2, max_length=24)]
    aliases: tuple[Label, ...]
    audiences: Annotated[tuple[Audience, ...], Field(min_length=1)]
    description: Sentence
    why_it_matters: Sentence
    value_type: ValueType
    unit: Annotated[str, Field(pattern=r"^[a-z]+(?:[*/][a-z]+)*$")]
    direction: Literal["up", "down", "target"]
    period_type: Literal["instant", "period", "trailing"]
    aggregation: Literal["sum", "average", "last", "none"]
    example: Example | None
    interpretation: Sentence
    pitfalls: Annotated[tuple[Sentence, ...], Field(min_length=1)]
    related: Annotated[tuple[RogueId, ...], Field(min_length=1)]
    sources: Annotated[tuple[Sentence, ...], Field(min_length=1)]


class Kpi(Shape):
    """One KPI definition, as published."""

    object: Literal["kpi"]
    rogue_id: RogueId
    slug: Slug
    domain: Domain
    label: Label
    short_label: str
    aliases: tuple[Label, ...]
    audiences: tuple[Audience, ...]
    description: str
    why_it_matters: str
    value_type: ValueType
    unit: str
    direction: Literal["up", "down", "target"]
    period_type: Literal["instant", "period", "trailing"]
    aggregation: Literal["sum", "average", "last", "none"]
    formula: Formula | None
    example: Example | None
    interpretation: str
    pitfalls: tuple[str, ...]
    related: tuple[RogueId, ...]
    sources: tuple[str, ...]
    status: Status
    superseded_by: RogueId | None
    introduced_in: Version
    changed_in: Version | None


class Released(Shape):
    """The fields at the beginning of every file of a release."""

    version: Version
    released_at: ReleasedAt


class RecordFile(Released):
    """`{domain}/{slug}.json`."""

    kpi: Kpi


class DomainFile(Released):
    """`{domain}.json`."""

    domain: Domain
    label: Label
    kpis: tuple[Kpi, ...]


class DomainCount(Shape):
    """A domain in the index."""

    domain: Domain
    label: Label
    count: int


class IndexEntry(Shape):
    """A record in the index."""

    rogue_id: RogueId
    label: Label
    domain: Domain
    value_type: ValueType
    status: Status


class Index(Released):
    """`index.json`."""

    count: int
    domains: tuple[DomainCount, ...]
    kpis: tuple[IndexEntry, ...]


class SearchEntry(Shape):
    """What a search looks through."""

    rogue_id: RogueId
    label: Label
    domain: Domain
    aliases: tuple[Label, ...]
    audiences: tuple[Audience, ...]


class Search(Shape):
    """`search.json`."""

    version: Version
    entries: tuple[SearchEntry, ...]


class Change(Shape):
    """One line of the changelog."""

    rogue_id: RogueId
    kind: ChangeKind
    note: Sentence


class VersionChanges(Released):
    """One release in the changelog."""

    changes: tuple[Change, ...]


class Changelog(Shape):
    """`changelog.json`, newest version first."""

    versions: tuple[VersionChanges, ...]
