"""`python -m infra.pages.app.build <folder>`: writes the modules and styles of the pages as they are served."""

from __future__ import annotations

import sys
from pathlib import Path

from infra.pages.app.site import modules


def build(folder: Path) -> None:
    """Writes every file under its name. Raises `MissingPackagesError`."""
    for name, body in modules().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    (folder / "package.json").write_text('{"type": "module"}\n')  # tells Node.js what `.js` is


if __name__ == "__main__":
    build(Path(sys.argv[1]))
