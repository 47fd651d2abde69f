"""Reads and writes the releases: for each version the frozen bytes of its tree and the list of their hashes.

`released/<version>.tar.xz` holds the bytes, and `released/<version>.sha256` the hashes, in a form that a reviewer can
read. A released version is always served from its frozen bytes, even if the code that rendered it changes.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.catalog.source import CatalogError, SourceError
from infra.catalog.tree import CHANGELOG, INDEX, Tree

RELEASES = Path(__file__).parent / "released"


@dataclass(frozen=True)
class Release:
    """A released version with its frozen tree."""

    version: str
    tree: Tree

    @property
    def kpis(self) -> dict[str, dict[str, Any]]:
        """The released records by id."""
        records = (json.loads(body)["kpi"] for path, body in self.tree.items() if "/" in path)
        return {record["rogueId"]: record for record in records}

    @property
    def ids(self) -> list[str]:
        """The released ids, in the order of the index."""
        return [entry["rogueId"] for entry in json.loads(self.tree[INDEX])["kpis"]]

    @property
    def versions(self) -> list[dict[str, Any]]:
        """The changelog as it was released."""
        return list(json.loads(self.tree[CHANGELOG])["versions"])


def version_key(version: str) -> tuple[int, ...]:
    """Returns a sort key that orders versions by their numbers: 1.10.0 follows 1.9.0."""
    return tuple(int(part) for part in version.split("."))


def load(folder: Path = RELEASES) -> list[Release]:
    """Returns every release, newest first; raises `CatalogError` if the bytes do not match the hashes."""
    versions = sorted((path.stem for path in folder.glob("*.sha256")), key=version_key, reverse=True)
    return [Release(version, _frozen_tree(folder, version)) for version in versions]


def freeze(version: str, tree: Tree, folder: Path = RELEASES) -> None:
    """Writes a tree as the release of a version."""
    with tarfile.open(folder / f"{version}.tar.xz", "w:xz", preset=9) as archive:
        for path, body in sorted(tree.items()):
            member = tarfile.TarInfo(path)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    (folder / f"{version}.sha256").write_text(_manifest(tree), encoding="utf-8")


def _manifest(tree: Tree) -> str:
    """Returns one line per file, in the format of `sha256sum`."""
    return "".join(f"{hashlib.sha256(body).hexdigest()}  {path}\n" for path, body in sorted(tree.items()))


def _frozen_tree(folder: Path, version: str) -> Tree:
    tree: Tree = {}
    with tarfile.open(folder / f"{version}.tar.xz", "r:xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            tree[member.name] = file.read() if file else b""
    released = (folder / f"{version}.sha256").read_text(encoding="utf-8").splitlines()
    if changed := set(_manifest(tree).splitlines()) ^ set(released):
        paths = sorted({line.split("  ")[1] for line in changed})
        raise CatalogError(
            [SourceError(f"{version}.tar.xz", path, "-", "does not match the released hash") for path in paths]
        )
    return tree
