"""The layer: the common library and everything it stands on, for one kind of processor.

The routes of all functions are in it too, for the functions that evaluate or call routes of others (ADR access).

Usage: python -m infra.build.layer <arm64|x86_64> <folder> [packs|minutes]

With `packs`, it is the layer of the libraries that read and write PDFs, for the function that makes board packs; with
`minutes`, that of the libraries that seal them, for the function that makes files of minutes.

Wheels are taken by the hashes of requirements.lock and never built here, so the same lock gives the same bytes on any
machine; what no function reads is left out (ADR build).
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

from infra.build import interpreter, sdk_data
from infra.build.bytecode import compile_all

ROOT = Path(__file__).resolve().parents[2]
_PLATFORMS = {
    "arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "x86_64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
}
_USELESS = ("*.dist-info", "bin", "**/tests", "**/__pycache__", "**/*.pyi", "**/*.pyx", "**/*.pxd", "**/*.h", "**/*.md")
_USELESS_OF_BOTO3 = ("boto3/data", "boto3/examples")


def here() -> str:
    """Returns the kind of processor of this machine, as Lambda calls it."""
    return "arm64" if platform.machine() in {"aarch64", "arm64"} else "x86_64"


def make(architecture: str, folder: Path) -> None:
    """Fills a folder with the layer's content, as it appears under /opt."""
    packages = folder / "python"
    shutil.rmtree(packages, ignore_errors=True)
    install(ROOT / "requirements.lock", packages, architecture)
    prune(packages)
    sdk_data.slim(packages / "botocore")
    for package, source in (("governance", "shared/governance"), ("functions", "functions")):
        shutil.copytree(ROOT / source, packages / package, ignore=shutil.ignore_patterns("__pycache__"))
    compile_all(packages, "/opt/python")


def make_beside(name: str, architecture: str, folder: Path) -> None:
    """Fills a folder with what only some workers have, by the lock of this name, as it appears under /opt."""
    packages = folder / "python"
    shutil.rmtree(packages, ignore_errors=True)
    install(ROOT / f"requirements-{name}.lock", packages, architecture)
    prune(packages)
    compile_all(packages, "/opt/python")


def install(lock: Path, target: Path, architecture: str) -> None:
    """Unpacks the wheels that a lock names, for Lambda's Linux on this processor."""
    command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-compile"]
    command += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--implementation", "cp"]
    command += ["--python-version", interpreter.version()]
    for name in _PLATFORMS[architecture]:
        command += ["--platform", name]
    subprocess.run([*command, "--target", str(target), "--requirement", str(lock)], check=True)  # noqa: S603 - ours


def prune(packages: Path) -> None:
    """Leaves out what is for installers, type checkers and tests."""
    for pattern in (*_USELESS, *_USELESS_OF_BOTO3):
        for path in sorted(packages.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


if __name__ == "__main__":
    architecture, target, *beside = sys.argv[1:]
    if beside:
        make_beside(beside[0], architecture, Path(target))
    else:
        make(architecture, Path(target))
