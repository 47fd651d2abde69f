"""Reads the source files into typed records. Every error names its file, record and field."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from infra.catalog.source import (
    DOMAINS,
    CatalogError,
    Entry,
    Source,
    SourceDomain,
    SourceError,
    SourceRecord,
    SourceVersion,
)

SOURCE = Path(__file__).parent / "definitions"
CHANGELOG = "changelog.yaml"
UNITS = "units.yaml"

T = TypeVar("T")


class _Loader(yaml.CSafeLoader):
    """A YAML loader that refuses a repeated key in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Returns the mapping; raises `ConstructorError` if a key is repeated."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"'{key}' is repeated", node.start_mark)
        return super().construct_mapping(node, deep)


class _Reader:
    """Reads one source folder and collects the errors."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.errors: list[SourceError] = []

    def yaml(self, name: str) -> Any:
        try:
            text = (self._folder / name).read_text(encoding="utf-8")
            data = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            self.errors.append(SourceError(name, "-", "-", " ".join(str(error).split())))
            return None
        if data is None:
            self.errors.append(SourceError(name, "-", "-", "is empty"))
        return data

    def typed(self, name: str, record: str, parse: Callable[[], T]) -> T | None:
        try:
            return parse()
        except ValidationError as error:
            for item in error.errors():
                field = ".".join(str(part) for part in item["loc"]) or "-"
                self.errors.append(SourceError(name, record, field, item["msg"]))
            return None

    def domain(self, name: str) -> tuple[SourceDomain | None, list[Entry]]:
        data = self.yaml(name)
        head = self.typed(name, "-", lambda: SourceDomain.model_validate(data)) if data is not None else None
        if head is None:
            return None, []
        if f"{head.domain}.yaml" != name:
            self.errors.append(
                SourceError(name, "-", "domain", f"is '{head.domain}', which belongs in {head.domain}.yaml")
            )
        return head, [entry for raw in head.records if (entry := self._entry(name, head, raw))]

    def _entry(self, name: str, head: SourceDomain, raw: dict[str, Any]) -> Entry | None:
        record = self.typed(name, f"{head.domain}.{raw.get('slug')}", lambda: SourceRecord.model_validate(raw))
        return Entry(name, head.domain, record) if record else None

    def versions(self) -> list[SourceVersion]:
        data = self.yaml(CHANGELOG)
        parse = TypeAdapter(list[SourceVersion]).validate_python
        return (self.typed(CHANGELOG, "-", lambda: parse(data)) if data is not None else None) or []

    def units(self) -> frozenset[str]:
        data = self.yaml(UNITS)
        parse = TypeAdapter(dict[str, str]).validate_python
        return frozenset((self.typed(UNITS, "-", lambda: parse(data)) if data is not None else None) or {})

    def unique(self, entries: list[Entry]) -> dict[str, Entry]:
        by_id: dict[str, Entry] = {}
        for entry in entries:
            if entry.rogue_id in by_id:
                self.errors.append(entry.error("slug", "is used twice in this domain"))
            by_id[entry.rogue_id] = entry
        return by_id


def read(folder: Path = SOURCE) -> Source:
    """Returns the source in `folder`; raises `CatalogError` with every error of its shape."""
    reader = _Reader(folder)
    domains = [reader.domain(f"{domain}.yaml") for domain in DOMAINS]
    source = Source(
        labels={head.domain: head.label for head, _ in domains if head},
        entries=reader.unique([entry for _, entries in domains for entry in entries]),
        units=reader.units(),
        versions=reader.versions(),
    )
    if not source.versions and not reader.errors:
        reader.errors.append(SourceError(CHANGELOG, "-", "-", "has no version"))
    if reader.errors:
        raise CatalogError(sorted(reader.errors))
    return source
