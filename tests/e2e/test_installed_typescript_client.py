"""The tarball of `make sdk`, installed in a fresh folder: its size, what the compiler says, and its README's sample.

What runs against a service runs with the client of the last release too: nothing that it was promised is gone.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from infra.openapi.document import FILE
from infra.sdk import build
from tests.e2e.conftest import Service
from tests.e2e.reference_samples import reference_samples
from tests.harness.programs import packages, program

pytestmark = pytest.mark.slow
MOST_COMPRESSED = 12 * 1024
"""Bytes of all scripts of the package, compressed."""
_TSC = ("--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler")
_RUNTIME = Path(__file__).with_name("typescript_client.mjs")


@dataclass(frozen=True)
class Place:
    """A folder with the package and what it needs, and the README's sample as a file."""

    folder: Path

    def run(self, *command: str | Path, **environment: str) -> str:
        """Runs a program in the folder, and returns what it prints."""
        done = subprocess.run(  # noqa: S603 - our own
            command, cwd=self.folder, env=os.environ | environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return _place(tmp_path_factory, FILE)


@pytest.fixture(scope="module")
def place_of_a_released_client(tmp_path_factory: pytest.TempPathFactory, released: Path) -> Place:
    return _place(tmp_path_factory, released)


def _place(tmp_path_factory: pytest.TempPathFactory, document: Path) -> Place:
    packages(build.TYPESCRIPT)
    tarball = build.tarball(tmp_path_factory.mktemp("dist"), document)
    place = Place(tmp_path_factory.mktemp("fresh"))
    (place.folder / "package.json").write_text('{"private": true, "type": "module"}')
    place.run(program("npm"), "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", tarball, "ws")
    readme = (build.TYPESCRIPT / "README.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```typescript\n(.*?)```", readme, re.DOTALL)
    (place.folder / "sample.ts").write_text(sample, encoding="utf-8")
    shutil.copy(_RUNTIME, place.folder)
    return place


def test_the_scripts_are_small(place: Place) -> None:
    scripts = sorted((place.folder / "node_modules/board-governance-client/dist").glob("*.js"))
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= MOST_COMPRESSED


def test_the_sample_of_the_readme_compiles_and_makes_a_board(any_place: Place, service: Service) -> None:
    any_place.run(packages(build.TYPESCRIPT) / ".bin/tsc", *_TSC, "sample.ts")
    sample = any_place.folder / "sample.js"
    session = service.session("olivia")
    text = sample.read_text().replace("https://board.example", service.url).replace("svc_pat_…", session)
    sample.write_text(text)
    assert any_place.run(program("node"), sample) == "First meeting draft\n"


def test_the_samples_of_the_reference_compile(place: Place, tmp_path: Path) -> None:
    folder = place.folder / "reference"
    folder.mkdir()
    environment = "declare const process: { env: { BOARD_GOVERNANCE_TOKEN: string } };\n"
    samples = reference_samples(tmp_path, "TypeScript")
    for number, sample in enumerate(samples):
        (folder / f"sample-{number}.ts").write_text(f"{environment}{sample}\n", encoding="utf-8")
    files = sorted(folder.glob("*.ts"))
    place.run(packages(build.TYPESCRIPT) / ".bin/tsc", *_TSC, "--noEmit", *files)


def test_pages_uploads_rings_deliveries_repeats_and_errors(any_place: Place, service: Service) -> None:
    settings = {"BOARD_GOVERNANCE_URL": service.url, "BOARD_GOVERNANCE_TOKEN": service.session("olivia")}
    said = json.loads(any_place.run(program("node"), _RUNTIME.name, **settings))
    assert said.pop("status") in ("scanning", "ready")
    assert said.pop("event").startswith("document")
    assert said == {
        "documents": 3,
        "verified": "meeting.created",
        "refused": "VerificationError",
        "html": [True, "UNREADABLE_RESPONSE", 200, False],
        "half": [True, "UNREADABLE_RESPONSE", 200, False],
        "lost": [True, "NO_RESPONSE", 0, False],
        "tries": 3,
        "keys": 1,
    }
