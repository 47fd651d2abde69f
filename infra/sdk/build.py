"""`make sdk`: the wheel of the Python client and the tarball of the TypeScript client, in dist/.

Types and operations are generated from openapi.json and the frames of the live channel; the runtimes are kept here.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from infra.openapi.document import FILE
from infra.sdk import contract, python_called, python_operations, python_types
from infra.stack.template import ROOT
from infra.version import VERSION

DIST = ROOT / "dist"
PYTHON = ROOT / "infra/sdk/python"
PACKAGE = "board_governance"
TYPESCRIPT = ROOT / "infra/sdk/typescript"
_MODULES = TYPESCRIPT / "node_modules"
_PEERS = ("ws",)
_TAKEN = ("openapi-fetch", "standardwebhooks")
_HATCH = ROOT / ".venv-sdk/bin/hatchling"
_OPTIONAL_DEFAULTS = "--default-non-nullable=false"
"""What has a default may be left out of a request; the generator asks for it otherwise."""


def python_package(folder: Path, file: Path = FILE) -> Path:
    """Writes the package of the Python client of a document without its types into a folder, and returns it."""
    package = folder / PACKAGE
    shutil.copytree(PYTHON / PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    python_called.write(package)
    operations = contract.operations(contract.document(file))
    (package / "operations.py").write_text(python_operations.text(operations, VERSION), encoding="utf-8")
    return package


def wheel(dist: Path, file: Path = FILE) -> Path:
    """Builds the wheel of a document. Raises CalledProcessError if the generator or the builder fails."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        package = python_package(folder, file)
        document = contract.document(file)
        python_types.write(document, contract.operations(document), package / "types.py")
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(PYTHON / name, folder)
        subprocess.run([_HATCH, "build", "-t", "wheel", "-d", dist], cwd=folder, check=True)  # noqa: S603 - our own
    return dist / f"{PACKAGE}_client-{VERSION}-py3-none-any.whl"


def tarball(dist: Path, file: Path = FILE) -> Path:
    """Builds the tarball of a document. Raises CalledProcessError if a generator, the compiler or npm fails."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        typescript_sources(folder, file)
        shutil.copy(TYPESCRIPT / "README.md", folder)
        (folder / "package.json").write_text(json.dumps(_package()), encoding="utf-8")
        schema = folder / "src/schema.d.ts"
        generator = str(_MODULES / ".bin/openapi-typescript")
        subprocess.run([generator, str(file), "-o", str(schema), _OPTIONAL_DEFAULTS], check=True)  # noqa: S603 - our own
        compile_typescript(folder)
        shutil.copy(schema, folder / "dist")
        dist.mkdir(exist_ok=True)
        npm = shutil.which("npm") or "npm"
        subprocess.run([npm, "pack", "--silent", "--pack-destination", dist], cwd=folder, check=True)  # noqa: S603 - npm
    return dist / f"board-governance-client-{_package()['version']}.tgz"


def typescript_sources(folder: Path, file: Path = FILE) -> None:
    """Writes what the compiler takes, but the types of the API, into a folder."""
    shutil.copytree(TYPESCRIPT / "src", folder / "src")
    shutil.copy(TYPESCRIPT / "tsconfig.json", folder)
    (folder / "node_modules").symlink_to(_MODULES)
    (folder / "src/keyed.ts").write_text(_keyed_paths(file), encoding="utf-8")


def compile_typescript(folder: Path, *options: str) -> None:
    """Compiles the sources in a folder into its `dist`. Raises CalledProcessError."""
    subprocess.run([_MODULES / ".bin/tsc", "-p", folder, *options], check=True)  # noqa: S603 - our own


def _keyed_paths(file: Path) -> str:
    operations = contract.operations(contract.document(file))
    paths = [operation.path for operation in operations if operation.takes_key]
    told = "/** The paths whose POST is safe to repeat with its key. */"
    return f"{told}\nexport const KEYED = new Set({json.dumps(paths)});\n"


def _package() -> dict[str, Any]:
    """Returns the package.json that is published; npm writes `x.y.z.dev0` as `x.y.z-dev.0`."""
    wanted = json.loads((TYPESCRIPT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    return {
        "name": "board-governance-client",
        "version": VERSION.replace(".dev", "-dev."),
        "description": "A client of the Board Governance Service.",
        "license": "UNLICENSED",
        "type": "module",
        "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}},
        "files": ["dist", "README.md"],
        "sideEffects": False,
        "engines": {"node": ">=20"},
        "dependencies": {name: f"^{wanted[name]}" for name in _TAKEN},
        "peerDependencies": {name: f"^{wanted[name]}" for name in _PEERS},
        "peerDependenciesMeta": {name: {"optional": True} for name in _PEERS},
    }


def main() -> None:
    """Builds both and prints their sizes."""
    shutil.rmtree(DIST, ignore_errors=True)
    for file in (wheel(DIST), tarball(DIST)):
        sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
