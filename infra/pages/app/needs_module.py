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
    needs = {
        name: sorted(name for name in closure(view, sources) if name not in known)
        for name, view in _ROUTE.findall(routes)
    }
    return f"export const NEEDS = {json.dumps(needs)};\n".encode()


def _imports(module: str, source: str) -> set[str]:
    folder = posixpath.dirname(module)
    return {posixpath.normpath(posixpath.join(folder, name)) for name in _IMPORTED.findall(source)}


def closure(module: str, sources: Mapping[str, str]) -> set[str]:
    """Returns a module with all that it imports, directly or not."""
    modules, open_ = {module}, [module]
    while open_:
        name = open_.pop()
        imported = _imports(name, sources.get(name, "")) - modules
        open_ += imported
        modules |= imported
    return modules
