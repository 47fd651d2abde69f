"""The wheel of `make sdk`, installed in a fresh place: its size, what type checkers say, and its README's sample.

What runs against a service runs with the client of the last release too: nothing that it was promised is gone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from infra.openapi.document import FILE
from infra.sdk import build
from infra.stack.template import ROOT
from tests.e2e.conftest import Service
from tests.e2e.reference_samples import reference_samples
from tests.harness.programs import packages

pytestmark = pytest.mark.slow
MOST_BYTES = 1_500_000
MOST_IMPORTED = 120
"""Modules that the client imports beside those of httpx."""
_IMPORTED = (
    "import sys, httpx; before = set(sys.modules); import board_governance; print(len(set(sys.modules) - before))"
)
_TIMED = "import httpx, time; start = time.perf_counter(); import board_governance; print(time.perf_counter() - start)"
_WRONG = 'from board_governance import Client\nClient().boards.create_board(nam="New")\n'
_UPLOAD_AND_LIVE = """
import pathlib, threading
from board_governance import Client
with Client() as client, Client() as other:
    board = client.boards.create_board(name="Live")["id"]
    document = client.documents.create_document(board, title="Paper")["id"]
    pathlib.Path("Paper.pdf").write_bytes(b"%PDF-1.7\\n%%EOF\\n")
    print(client.documents.upload(board, document, "Paper.pdf")["status"])
    heard = threading.Event()
    def change():
        while not heard.wait(0.2):
            other.meetings.create_meeting(board, title="Heard", status="scheduled")
    changing = threading.Thread(target=change)
    changing.start()
    print(next(client.live(board))["event"])
    heard.set()
    changing.join()
"""


@dataclass(frozen=True)
class Place:
    """A folder with an environment that has the wheel and what it needs, and the sample as a file."""

    wheel: Path
    folder: Path

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.folder / "bin/python"

    def run(self, *arguments: str | Path, **environment: str) -> str:
        """Runs the interpreter, and returns what it prints."""
        return run(self.python, *arguments, cwd=self.folder, **environment)


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own
        command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
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
    if not (ROOT / ".venv-sdk/.ready").exists():
        pytest.skip("needs .venv-sdk, which is not installed")
    wheel = build.wheel(tmp_path_factory.mktemp("dist"), document)
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    place = Place(wheel, folder)
    place.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    readme = (build.PYTHON / "README.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (folder / "sample.py").write_text(sample, encoding="utf-8")
    (folder / "wrong.py").write_text(_WRONG, encoding="utf-8")
    return place


def test_the_wheel_is_small_and_imports_little(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.wheel.stat().st_size <= MOST_BYTES
    assert int(place.run("-c", _IMPORTED)) <= MOST_IMPORTED
    seconds = float(place.run("-c", _TIMED))
    with capsys.disabled():
        sys.stdout.write(f"\nimport {seconds * 1000:.0f} ms over httpx, wheel {place.wheel.stat().st_size:,} bytes\n")


def test_a_board_is_made_by_the_sample_of_the_readme(any_place: Place, service: Service) -> None:
    settings = {"BOARD_GOVERNANCE_URL": service.url, "BOARD_GOVERNANCE_TOKEN": service.session("olivia")}
    said = any_place.run("-W", "error", "sample.py", **settings)
    assert re.fullmatch(r"\['First meeting'\] 404 RESOURCE_NOT_FOUND req_[0-9a-f]{16}\n", said)


def test_the_sample_is_typed_for_mypy_and_a_wrong_keyword_is_noticed(place: Place) -> None:
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", str(place.python))
    run(*mypy, "sample.py", cwd=place.folder)
    with pytest.raises(AssertionError, match="nam"):
        run(*mypy, "wrong.py", cwd=place.folder)


def test_the_samples_of_the_reference_are_typed(place: Place, tmp_path: Path) -> None:
    samples = reference_samples(tmp_path, "Python")
    assert len(samples) > 200
    assert [sample for sample in samples if re.search(r"print\(client\.\w+\.list_", sample)] == []
    (place.folder / "reference").mkdir()
    for number, sample in enumerate(samples):
        (place.folder / f"reference/sample_{number}.py").write_text(sample, encoding="utf-8")
    run(sys.executable, "-m", "mypy", "--strict", "--python-executable", place.python, "reference", cwd=place.folder)


def test_the_sample_is_typed_for_pyright(place: Place) -> None:
    pyright = packages(ROOT / "infra/sdk/typescript") / ".bin/pyright"
    run(pyright, "--pythonpath", place.python, "sample.py", cwd=place.folder)


def test_a_file_is_uploaded_and_a_change_is_heard(any_place: Place, service: Service) -> None:
    settings = {"BOARD_GOVERNANCE_URL": service.url, "BOARD_GOVERNANCE_TOKEN": service.session("olivia")}
    status, heard = any_place.run("-W", "error", "-c", _UPLOAD_AND_LIVE, **settings).split()
    assert status in ("scanning", "ready")
    assert heard.startswith(("meeting.", "document"))
