"""The rules of time: ids never change, released bytes never change, and every change has its changelog line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from infra.catalog.reading import CHANGELOG
from infra.catalog.releases import Release, version_key
from infra.catalog.source import Entry, Fault, Source
from infra.catalog.tree import changelog, kpi, render

_DATED = {"introducedIn", "changedIn"}


def faults(source: Source, releases: list[Release]) -> list[Fault]:
    """Everything that the changelog and the releases do not allow."""
    found = [*_order(source), *_lines(source)]
    if releases and not found:
        found = [*_lost_ids(source, releases[0]), *_past(source, releases[0]), *_present(source, releases[0])]
    return sorted(found)


def differences(source: Source, release: Release) -> dict[str, list[str]]:
    """For each record that differs from the release, the members that do; none for a new record."""
    released = release.kpis
    found: dict[str, list[str]] = {}
    for key, entry in source.entries.items():
        if key not in released:
            found[key] = []
        elif members := _changed_members(_content(source, entry), released[key]):
            found[key] = members
    return found


def _content(source: Source, entry: Entry) -> dict[str, Any]:
    return kpi(source, entry).model_dump(mode="json")


def _changed_members(now: dict[str, Any], then: dict[str, Any]) -> list[str]:
    return [name for name in now if name not in _DATED and now[name] != then.get(name)]


def _order(source: Source) -> Iterator[Fault]:
    versions = [version.version for version in source.versions]
    for newer, older in itertools.pairwise(versions):
        if version_key(newer) <= version_key(older):
            yield Fault(CHANGELOG, newer, "version", f"must be higher than {older}")


def _lines(source: Source) -> Iterator[Fault]:
    """Each record is added once, and is named once in a version at most."""
    added: set[str] = set()
    for version in reversed(source.versions):
        named: set[str] = set()
        for change in version.changes:
            for key in change.records:
                yield from _line(source, key, version.version, change.kind, added, named)
    for key, entry in source.entries.items():
        if key not in added:
            yield entry.fault("introducedIn", f"no line in {CHANGELOG} says that it was added")


def _line(source: Source, key: str, version: str, kind: str, added: set[str], named: set[str]) -> Iterator[Fault]:
    if key not in source.entries:
        yield Fault(CHANGELOG, key, version, "there is no such record")
    if key in named:
        yield Fault(CHANGELOG, key, version, "is named twice in one version")
    if (kind == "added") == (key in added):
        yield Fault(CHANGELOG, key, version, f"cannot be '{kind}' here")
    named.add(key)
    if kind == "added":
        added.add(key)


def _lost_ids(source: Source, release: Release) -> Iterator[Fault]:
    for key in release.ids:
        if key not in source.entries:
            domain = key.split(".")[0]
            yield Fault(f"{domain}.yaml", key, "slug", f"released in {release.version}: deprecate it, never rename it")


def _past(source: Source, release: Release) -> Iterator[Fault]:
    """The released part of the changelog stands as it was released."""
    now = {version.version: version.model_dump(mode="json") for version in changelog(source).versions}
    for version in release.versions:
        if now.get(version["version"]) != version:
            yield Fault(CHANGELOG, "-", version["version"], "the lines of a released version have changed")


def _present(source: Source, release: Release) -> Iterator[Fault]:
    if source.versions[0].version == release.version:
        yield from _changed_release(source, release)
    else:
        yield from _unnamed(source, release)


def _changed_release(source: Source, release: Release) -> Iterator[Fault]:
    """A released version renders to its released bytes."""
    changed = differences(source, release)
    for key, members in changed.items():
        for member in members or ["slug"]:
            yield source.entries[key].fault(member, f"changed after the release of {release.version}: start a version")
    tree = render(source) if not changed else release.tree
    for path in sorted(tree):
        if tree[path] != release.tree.get(path):
            yield Fault(path, "-", "-", f"other bytes than those released in {release.version}")


def _unnamed(source: Source, release: Release) -> Iterator[Fault]:
    """In a version to come, the changelog names exactly the records that differ, and says how."""
    version = source.versions[0]
    lines = {key: change.kind for change in version.changes for key in change.records}
    changed = differences(source, release)
    for key in changed.keys() | lines.keys():
        wanted = _kinds(source.entries[key], changed.get(key), key in release.kpis) if key in source.entries else set()
        if lines.get(key) not in wanted:
            why = f"{version.version} needs a line '{' or '.join(sorted(wanted))}'" if wanted else "nothing changed"
            yield Fault(CHANGELOG, key, version.version, why)


def _kinds(entry: Entry, members: list[str] | None, released: bool) -> set[str]:
    if members is None:
        return set()
    if not released:
        return {"added"}
    return {"deprecated"} if "status" in members and entry.record.status == "deprecated" else {"changed"}
