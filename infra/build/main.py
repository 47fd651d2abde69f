"""`make build`: what is deployed, in .aws-sam/build; for other processors than the template's, a layer beside it.

Prints the size of every artifact and a digest of its content: the same sources and the same lock give the same digests.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

from infra.build import layer
from infra.build.bytecode import compile_all, settle
from infra.build.interpreter import interpreter
from infra.stack.template import ROOT, Template

BUILD = ROOT / ".aws-sam/build"
NATIVE_LAYER = ROOT / ".aws-sam/native/SharedLayer"
"""The layer for the processor of this machine: what local runs of the built functions use."""
NATIVE_LAYERS_BESIDE = {name: NATIVE_LAYER.with_name(f"{name.capitalize()}Layer") for name in ("packs", "minutes")}
"""The same of the layers that some functions have beside it, by the names of their locks."""
MOST_UNPACKED = 262_144_000
"""Bytes of a function with its layers that Lambda takes (docs.aws.amazon.com/lambda, gettingstarted-limits)."""


def build(template: Template) -> None:
    """Builds everything; raises `SystemExit` with a sentence if that is not possible."""
    interpreter()
    sam = [str(ROOT / ".venv-sam/bin/sam"), "build", "--template", str(ROOT / "template.yaml")]
    done = subprocess.run(sam, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    for name in template.functions():
        compile_all(BUILD / name, "/var/task")
    layer.make(layer.here(), NATIVE_LAYER)
    for name, folder in NATIVE_LAYERS_BESIDE.items():
        layer.make_beside(name, layer.here(), folder)
    for folder in [*(BUILD / name for name in artifacts(template)), NATIVE_LAYER, *NATIVE_LAYERS_BESIDE.values()]:
        settle(folder)


def artifacts(template: Template) -> list[str]:
    """Returns the logical ids of what is built: layers, then functions."""
    return [*template.resources("AWS::Serverless::LayerVersion"), *template.functions()]


def digest(folder: Path) -> str:
    """Returns the SHA-256 of the names and contents of all files."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            total.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            total.update(path.read_bytes())
    return total.hexdigest()


def size(folder: Path) -> int:
    """Returns the bytes of a folder, unpacked."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def zipped(folder: Path) -> int:
    """Returns the bytes of a folder, as uploaded."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    return packed.tell()


def oversized(template: Template, unpacked: Mapping[str, int]) -> list[str]:
    """Returns the functions that Lambda would refuse; `unpacked` is the size of each artifact."""
    shared = template.document["Globals"]["Function"]["Layers"]
    return [
        name
        for name, body in template.resources("AWS::Serverless::Function").items()
        if unpacked[name] + sum(unpacked[of["Ref"]] for of in [*shared, *body.get("Layers", [])]) > MOST_UNPACKED
    ]


def report(template: Template) -> str:
    """Returns a line for each artifact."""
    lines = [f"{'artifact':24} {'zipped':>12} {'unpacked':>12}  digest"]
    folders = {name: BUILD / name for name in artifacts(template)} | {f"({layer.here()} layer)": NATIVE_LAYER}
    lines += [
        f"{name:24} {zipped(folder):12,} {size(folder):12,}  {digest(folder)[:16]}" for name, folder in folders.items()
    ]
    return "\n".join(lines)


def main() -> None:
    """Builds, and prints what was built. Raises `SystemExit` if a function is too large."""
    template = Template()
    build(template)
    print(report(template))
    if too_large := oversized(template, {name: size(BUILD / name) for name in artifacts(template)}):
        raise SystemExit(f"Larger with its layers than the {MOST_UNPACKED:,} bytes of Lambda: {', '.join(too_large)}.")


if __name__ == "__main__":
    main()
