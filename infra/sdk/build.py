"""`make sdk`: the wheel of the Python client and the tarball of the TypeScript client, in dist/.

Types and operations are generated from openapi.json and the frames of the live channel; the runtimes are kept here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from infra.sdk import contract, python_called, python_operations, python_types
from infra.stack.template import ROOT
from infra.version import VERSION

DIST = ROOT / "dist"
PYTHON = ROOT / "infra/sdk/python"
PACKAGE = "board_governance"
_HATCH = ROOT / ".venv-sdk/bin/hatchling"


def python_package(folder: Path) -> Path:
    """Writes the package of the Python client without its types into a folder, and returns it."""
    package = folder / PACKAGE
    shutil.copytree(PYTHON / PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    python_called.write(package)
    operations = contract.operations(contract.document())
    (package / "operations.py").write_text(python_operations.text(operations, VERSION), encoding="utf-8")
    return package


def wheel(dist: Path) -> Path:
    """Builds the wheel. Raises CalledProcessError if the generator or the builder fails."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        package = python_package(folder)
        document = contract.document()
        python_types.write(document, contract.operations(document), package / "types.py")
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(PYTHON / name, folder)
        subprocess.run([_HATCH, "build", "-t", "wheel", "-d", dist], cwd=folder, check=True)  # noqa: S603 - our own
    return dist / f"{PACKAGE}_client-{VERSION}-py3-none-any.whl"


def main() -> None:
    """Builds both and prints their sizes."""
    shutil.rmtree(DIST, ignore_errors=True)
    for file in (wheel(DIST),):
        sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
