"""Checks the rules over time: ids and released bytes never change, and every change has its changelog line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from infra.catalog.reading import CHANGELOG
from infra.catalog.releases import Release, version_key
from infra.catalog.source import Entry, Source, SourceError
from infra.catalog.tree import changelog, kpi, render

_DATED = {"introducedIn", "changedIn"}


def errors(source: Source, releases: list[Release]) -> list[SourceError]:
    """Returns every error of the changelog, and every difference that the releases do not allow."""
    source_errors = [*_version_order(source), *_changelog_lines(source)]
    if releases and not source_errors:
        newest = releases[0]
        source_errors = [
            *_lost_ids(source, newest),
            *_changed_changelog(source, newest),
            *_current_version(source, newest),
        ]
    return sorted(source_errors)


def differences(source: Source, release: Release) -> dict[str, list[str]]:
    """Returns the differing fields of each record that differs from the release; an empty list for a new record."""
    released = release.kpis
    changed: dict[str, list[str]] = {}
    for key, entry in source.entries.items():
        if key not in released:
            changed[key] = []
        elif fields := _changed_fields(_content(source, entry), released[key]):
            changed[key] = fields
    return changed


def _content(source: Source, entry: Entry) -> dict[str, Any]:
    return kpi(source, entry).model_dump(mode="json")


def _changed_fields(now: dict[str, Any], then: dict[str, Any]) -> list[str]:
    return [name for name in now if name not in _DATED and now[name] != then.get(name)]


def _version_order(source: Source) -> Iterator[SourceError]:
    versions = [version.version for version in source.versions]
    for newer, older in itertools.pairwise(versions):
        if version_key(newer) <= version_key(older):
            yield SourceError(CHANGELOG, newer, "version", f"must be higher than {older}")


def _changelog_lines(source: Source) -> Iterator[SourceError]:
    """Checks that each record is added once, and named at most once in a version."""
    added: set[str] = set()
    for version in reversed(source.versions):
        named: set[str] = set()
        for change in version.changes:
            for key in change.records:
                yield from _changelog_line(source, key, version.version, change.kind, added, named)
    for key, entry in source.entries.items():
        if key not in added:
            yield entry.error("introducedIn", f"needs a line 'added' in {CHANGELOG}")


def _changelog_line(
    source: Source, key: str, version: str, kind: str, added: set[str], named: set[str]
) -> Iterator[SourceError]:
    if key not in source.entries:
        yield SourceError(CHANGELOG, key, version, "names a record that does not exist")
    if key in named:
        yield SourceError(CHANGELOG, key, version, "is named twice in this version")
    if (kind == "added") == (key in added):
        reason = "was added before" if key in added else "was not added yet"
        yield SourceError(CHANGELOG, key, version, f"has a line '{kind}', but {reason}")
    named.add(key)
    if kind == "added":
        added.add(key)


def _lost_ids(source: Source, release: Release) -> Iterator[SourceError]:
    for key in release.ids:
        if key not in source.entries:
            domain = key.split(".")[0]
            yield SourceError(
                f"{domain}.yaml",
                key,
                "slug",
                f"was released in {release.version}: deprecate it instead of renaming or removing it",
            )


def _changed_changelog(source: Source, release: Release) -> Iterator[SourceError]:
    """Checks that the released part of the changelog is unchanged."""
    now = {version.version: version.model_dump(mode="json") for version in changelog(source).versions}
    for version in release.versions:
        if now.get(version["version"]) != version:
            yield SourceError(CHANGELOG, "-", version["version"], "changed after its release: restore the lines")


def _current_version(source: Source, release: Release) -> Iterator[SourceError]:
    if source.versions[0].version == release.version:
        yield from _changed_release(source, release)
    else:
        yield from _unmatched_lines(source, release)


def _changed_release(source: Source, release: Release) -> Iterator[SourceError]:
    """Checks that a released version renders to its released bytes."""
    changed = differences(source, release)
    for key, fields in changed.items():
        for field in fields or ["slug"]:
            yield source.entries[key].error(field, f"changed after the release of {release.version}: start a version")
    tree = render(source) if not changed else release.tree
    for path in sorted(tree):
        if tree[path] != release.tree.get(path):
            yield SourceError(path, "-", "-", f"renders to other bytes than those released in {release.version}")


def _unmatched_lines(source: Source, release: Release) -> Iterator[SourceError]:
    """Checks that the lines of an unreleased version name exactly the records that differ, with the right kind."""
    version = source.versions[0]
    lines = {key: change.kind for change in version.changes for key in change.records}
    changed = differences(source, release)
    for key in changed.keys() | lines.keys():
        allowed = _kinds(source.entries[key], changed.get(key), key in release.kpis) if key in source.entries else set()
        if lines.get(key) not in allowed:
            needed = f"needs a line '{' or '.join(sorted(allowed))}'"
            yield SourceError(CHANGELOG, key, version.version, needed if allowed else "has a line, but did not change")


def _kinds(entry: Entry, fields: list[str] | None, released: bool) -> set[str]:
    """Returns the kinds of line that a record may have; `fields` are those that changed, None if none did."""
    if fields is None:
        return set()
    if not released:
        return {"added"}
    return {"deprecated"} if "status" in fields and entry.record.status == "deprecated" else {"changed"}
