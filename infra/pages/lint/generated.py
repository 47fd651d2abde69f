"""Writes what the pages import and `web` does not have: `python -m infra.pages.lint.generated <folder>`.

These modules are generated from the routes, the catalog and the texts, or come from packages. The type checker finds
them beside those of `web`, and reports nothing in them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from infra.pages.app.site import WEB, modules


def write(folder: Path) -> None:
    """Writes each of these modules under its name. Raises `MissingPackagesError`."""
    for name, body in modules().items():
        if name.endswith(".js") and not (WEB / name).exists():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"// @ts-nocheck\n" + body)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
