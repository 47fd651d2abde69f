"""Renders one version of the catalog: every file of the published tree, as the bytes that readers get.

Rendering is deterministic: the same source always gives the same bytes.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from infra.catalog.records import (
    Change,
    Changelog,
    Domain,
    DomainCount,
    DomainFile,
    Index,
    IndexEntry,
    Kpi,
    RecordFile,
    Search,
    SearchEntry,
    VersionChanges,
)
from infra.catalog.source import Entry, Source, SourceVersion

Tree = dict[str, bytes]

INDEX = "index.json"
CHANGELOG = "changelog.json"
_FILES = (RecordFile, DomainFile, Index, Search, Changelog)


def canonical(value: Any) -> bytes:
    """Returns JSON as it is published: compact, UTF-8, fields in the order of the shapes, one line end."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _file(shape: BaseModel) -> bytes:
    return canonical(shape.model_dump(mode="json"))


def render(source: Source) -> Tree:
    """Returns the tree of the newest version in the source, by path relative to its root."""
    version = source.versions[0]
    head = {"version": version.version, "releasedAt": version.released_at}
    kpis = [kpi(source, entry) for entry in source.entries.values()]
    tree = {
        "index.json": _file(_index(source, head, kpis)),
        "search.json": _file(_search(version, kpis)),
        "schema.json": canonical(schema()),
        "changelog.json": _file(changelog(source)),
    }
    for domain, label in source.labels.items():
        members = tuple(kpi for kpi in kpis if kpi.domain == domain)
        tree[f"{domain}.json"] = _file(DomainFile(**head, domain=domain, label=label, kpis=members))
    for record in kpis:
        tree[f"{record.domain}/{record.slug}.json"] = _file(RecordFile(**head, kpi=record))
    return tree


def kpi(source: Source, entry: Entry) -> Kpi:
    """Returns a record as it is published, with its versions from the changelog."""
    record = entry.record
    return Kpi(
        **record.model_dump(exclude={"formula", "example"}),
        object="kpi",
        rogue_id=entry.rogue_id,
        domain=entry.domain,
        formula=record.formula.published() if record.formula else None,
        example=record.example,
        introduced_in=_last_version(source, entry.rogue_id, "added") or source.versions[0].version,
        changed_in=_last_version(source, entry.rogue_id, "changed", "deprecated"),
    )


def _last_version(source: Source, rogue_id: str, *kinds: str) -> str | None:
    """Returns the newest version whose changelog names the record with one of these kinds."""
    for version in source.versions:
        if any(change.kind in kinds and rogue_id in change.records for change in version.changes):
            return version.version
    return None


def _index(source: Source, head: dict[str, str], kpis: list[Kpi]) -> Index:
    domains = (_count(domain, label, kpis) for domain, label in source.labels.items())
    entries = (IndexEntry(**record.model_dump(include=set(IndexEntry.model_fields))) for record in kpis)
    return Index(**head, count=len(kpis), domains=tuple(domains), kpis=tuple(entries))


def _count(domain: Domain, label: str, kpis: list[Kpi]) -> DomainCount:
    return DomainCount(domain=domain, label=label, count=sum(record.domain == domain for record in kpis))


def _search(version: SourceVersion, kpis: list[Kpi]) -> Search:
    entries = (SearchEntry(**record.model_dump(include=set(SearchEntry.model_fields))) for record in kpis)
    return Search(version=version.version, entries=tuple(entries))


def changelog(source: Source) -> Changelog:
    """Returns every version with its lines, newest first, one line per record."""
    return Changelog(versions=tuple(_changes(version) for version in source.versions))


def _changes(version: SourceVersion) -> VersionChanges:
    lines = [
        Change(rogue_id=rogue_id, kind=change.kind, note=change.note)
        for change in version.changes
        for rogue_id in change.records
    ]
    return VersionChanges(version=version.version, released_at=version.released_at, changes=tuple(lines))


class _Schema(GenerateJsonSchema):
    """A generator of JSON Schema without titles on fields, whose names are enough."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the base class names it
        """Returns False for every field."""
        return False


def schema() -> dict[str, Any]:
    """Returns JSON Schema 2020-12: the root describes a record, `$defs` every file of the tree."""
    _, definitions = models_json_schema(
        [(shape, "serialization") for shape in (Kpi, *_FILES)], schema_generator=_Schema
    )
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "title": "KPI catalog",
        "description": "One KPI definition. The files of the catalog are described under $defs by name.",
        "$ref": "#/$defs/Kpi",
        "$defs": definitions["$defs"],
    }
