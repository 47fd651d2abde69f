"""Writes the module `lib/needs.js` of the pages: what each view imports, so that a browser asks for it all at once."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Container, Mapping

NAME = "lib/needs.js"
_ROUTE = re.compile(r"'([\w-]+)', \(\) => import\('\./(views/[\w-]+\.js)'\)")
_IMPORTED = re.compile(r"^(?:import|export) .*?from '(\.[^']+)';$", re.MULTILINE)


def needs_module(routes: str, sources: Mapping[str, str], known: Container[str]) -> bytes:
    """Returns the module for the views that `routes` names; `known` are the modules that every view has already."""
    imports = {name: _imports(name, source) for name, source in sources.items()}
    needs = {
        name: sorted(name for name in _closure(view, imports) if name not in known)
        for name, view in _ROUTE.findall(routes)
    }
    return f"export const NEEDS = {json.dumps(needs)};\n".encode()


def _imports(module: str, source: str) -> set[str]:
    folder = posixpath.dirname(module)
    return {posixpath.normpath(f"{folder}/{name}") for name in _IMPORTED.findall(source)}


def _closure(module: str, imports: Mapping[str, set[str]]) -> set[str]:
    """Returns a module with all that it imports, directly or not."""
    found, open_ = {module}, [module]
    while open_:
        imported = imports.get(open_.pop(), set()) - found
        open_ += imported
        found |= imported
    return found
