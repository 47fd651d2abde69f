"""Bundles the modules of the pages into the scripts that are served (`bundle.mjs`, Rolldown; ADR pages-scripts)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
MAIN = "main.js"
_BUNDLER = "node_modules/rolldown"


@dataclass(frozen=True)
class Script:
    """A script that is served: its code, and the names of the scripts that it imports and of the modules in it."""

    name: str
    code: str
    imports: list[str]
    modules: list[str]


def bundle(modules: Mapping[str, str]) -> dict[str, Script]:
    """Returns the scripts by name, for modules by name. The same modules make the same scripts, to the byte.

    Raises `FileNotFoundError` where Node.js or the bundler is not installed.
    """
    node = shutil.which("node")
    if node is None or not (FOLDER / _BUNDLER).is_dir():
        raise FileNotFoundError(_BUNDLER)
    sources = json.dumps(dict(sorted(modules.items()))).encode()
    command = [node, "bundle.mjs"]
    done = subprocess.run(command, input=sources, cwd=FOLDER, stdout=subprocess.PIPE, check=True)  # noqa: S603 - ours
    return {script["name"]: Script(**script) for script in json.loads(done.stdout)}


def rooms(scripts: Mapping[str, Script]) -> dict[str, list[str]]:
    """Returns which scripts the views of each room need beside those of every view; `web/rooms/` has the rooms."""
    common = set(_needed(MAIN, scripts))
    names = sorted(name for name in scripts if name.startswith("rooms/"))
    return {Path(name).stem: [script for script in _needed(name, scripts) if script not in common] for name in names}


def _needed(name: str, scripts: Mapping[str, Script]) -> Iterator[str]:
    """Yields a script with all that it imports, each once."""
    needed = [name]
    for script in needed:
        yield script
        needed += [more for more in scripts[script].imports if more not in needed]
