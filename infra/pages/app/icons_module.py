"""Writes the module `lib/icons.js` of the pages: the icons that they name, from the set of the package `heroicons`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

NAME = "lib/icons.js"
_NAMED = re.compile(r"\bicon\('([a-z0-9-]+)'\)")
_CONTENT = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)
_HEAD = "import { svg } from '../vendor/lit-html/lit-html.js';\n"


def icons_module(sources: Iterable[str], folder: Path) -> bytes:
    """Returns the module for scripts that name icons as `icon('<name>')`; `folder` has one file for each.

    Raises `FileNotFoundError` for a name that the set does not have, and where the package is not installed.
    """
    names = sorted({name for source in sources for name in _NAMED.findall(source)})
    lines = [f"  '{name}': svg`{_paths(folder / f'{name}.svg')}`,\n" for name in names]
    return f"{_HEAD}\nexport const ICONS = {{\n{''.join(lines)}}};\n".encode()


def _paths(file: Path) -> str:
    match = _CONTENT.search(file.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{file} is not an SVG file")
    return " ".join(match[1].split())
