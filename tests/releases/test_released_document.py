"""What clients and agents call an operation stays: the last released document is held against this one.

`infra/openapi/released` has the document of the last release. What it names and this one does not is incompatible, and
stands under "Breaking" in `CHANGELOG.md`: as "`old` → `new`" where the operation has another name.
"""

from __future__ import annotations

import json
import lzma
import re
from typing import Any

from infra.openapi.document import FILE, ROOT

RELEASED = max((ROOT / "infra/openapi/released").glob("*.json.xz"))
_RENAMED = re.compile(r"`(\w+)`\s+→\s+`(\w+)`")
_GROUPED = re.compile(r"`(\w+)` in `(\w+)`")


def test_operation_ids_stay_unless_the_changelog_names_them_under_breaking() -> None:
    released, names = _names(_released()), set(_names(_current()).values())
    renamed = dict(_RENAMED.findall(_breaking(_changelog())))
    assert sorted(set(released.values()) - names) == sorted(renamed)
    assert _kept(released, _names(_current()), renamed)


def test_tags_of_operations_stay_unless_the_changelog_names_them_under_breaking() -> None:
    now, named = _tags(_current()), dict(_GROUPED.findall(_breaking(_changelog())))
    moved = {place: now[place] for place, tag in _tags(_released()).items() if now[place] != tag}
    assert {_names(_current())[place]: tag for place, tag in moved.items()} == named


def test_a_name_that_goes_without_a_word_is_noticed() -> None:
    now = {place: "other" if name == "getBoard" else name for place, name in _names(_released()).items()}
    assert not _kept(_names(_released()), now, {})
    assert _kept(_names(_released()), now, {"getBoard": "other"})
    assert not _kept(_names(_released()), now, {"getBoard": "another"})


def test_only_the_newest_version_of_the_changelog_excuses() -> None:
    changelog = (
        "# Changelog\n\n## 2.0.0\n\n### Breaking\n\n- `a` → `b`\n\n### The API\n\n## 1.0.0\n\n### Breaking\n\n- `c`\n"
    )
    assert _breaking(changelog) == "- `a` → `b`"
    assert _breaking("# Changelog\n\n## 2.0.0\n\n- x\n\n## 1.0.0\n\n### Breaking\n\n- `c`\n") == ""


def _kept(released: dict[str, str], now: dict[str, str], renamed: dict[str, str]) -> bool:
    return all(now.get(place) == renamed.get(name, name) for place, name in released.items())


def _breaking(changelog: str) -> str:
    newest = changelog.split("\n## ")[1]
    sections = dict(part.split("\n", 1) for part in newest.split("\n### ")[1:])
    return sections.get("Breaking", "").strip()


def _names(document: Any) -> dict[str, str]:
    return {place: operation["operationId"] for place, operation in _operations(document)}


def _tags(document: Any) -> dict[str, str]:
    return {place: operation["tags"][0] for place, operation in _operations(document)}


def _operations(document: Any) -> list[tuple[str, Any]]:
    return [
        (f"{method} {path}", operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if "operationId" in operation
    ]


def _released() -> Any:
    return json.loads(lzma.decompress(RELEASED.read_bytes()))


def _current() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def _changelog() -> str:
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
