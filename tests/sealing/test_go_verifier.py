"""Go verifies the log by the packages with which it verifies its own: `golang.org/x/mod`, in the sources of each Go."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from governance.log.notes import Checkpoint, sign_checkpoint
from governance.log.tiles import Edge, Tile
from governance.store.history import leaves, log_files, log_key
from tests.harness import sealing
from tests.harness.board_scenario import BoardScenario
from tests.harness.history import audit_items
from tests.harness.programs import program
from tests.sealing.test_sealing import meetings

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.slow
_ENTRIES = 300
_EARLIER = 5


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The verifier, compiled with what this machine's Go brings and nothing else."""
    go, folder = program("go"), tmp_path_factory.mktemp("go")
    offline = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0", "GOENV": "off"}
    environment = {**os.environ, **offline, "GOPATH": str(folder / "path"), "GOCACHE": str(folder / "cache")}
    about = [go, "env", "GOROOT", "GOVERSION"]
    asked = subprocess.run(about, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    root, version = asked.stdout.splitlines()
    language = "go " + ".".join(version.removeprefix("go").split(".")[:2])
    for package in ("note", "tlog"):
        source = Path(root) / "src/cmd/vendor/golang.org/x/mod/sumdb" / package
        shutil.copytree(source, folder / "mod/sumdb" / package)
    (folder / "mod/go.mod").write_text(f"module golang.org/x/mod\n{language}\n", encoding="utf-8")
    needed = "require golang.org/x/mod v0.0.0\nreplace golang.org/x/mod => ./mod\n"
    (folder / "go.mod").write_text(f"module verifier\n{language}\n{needed}", encoding="utf-8")
    shutil.copy(Path(__file__).parent / "go/main.go", folder)
    subprocess.run([go, "build", "-o", "verifier", "."], cwd=folder, env=environment, check=True)  # noqa: S603
    return folder / "verifier"


@pytest.fixture
def published(scenario: BoardScenario, bucket: S3Client, tmp_path: Path) -> Path:
    """A folder with the log as everybody reads it, an earlier checkpoint of it, and proofs of the service."""
    meetings(scenario, _EARLIER)
    sealing.seal(scenario.board_id)
    earlier = sealing.public("checkpoint")
    meetings(scenario, _ENTRIES - _EARLIER)
    sealing.seal(scenario.board_id)
    for stored in bucket.list_objects_v2(Bucket="static-test", Prefix="log/")["Contents"]:
        path = tmp_path / stored["Key"].removeprefix("log/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sealing.public(stored["Key"].removeprefix("log/")))
    (tmp_path / "earlier").write_bytes(earlier)
    sample = [leaf for row in audit_items(scenario.board_id)[::23] for leaf in leaves.leaves_of(row)]
    lines = [
        f"{leaf.entry.hex()} {base64.b64encode((log_files.proof(leaf.index or 0) or '').encode()).decode()}"
        for leaf in sample
    ]
    (tmp_path / "proofs").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def judged(verifier: Path, folder: Path) -> str:
    done = subprocess.run([str(verifier), str(folder)], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode in {0, 1}, done.stderr
    assert (done.returncode == 0) == done.stdout.startswith("holds"), done.stdout
    return done.stdout


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[7] ^= 1
    path.write_bytes(bytes(content))


def rewrite(folder: Path) -> None:
    """Publishes another history, as the thief of the key can."""
    edge = Edge()
    made = edge.append([bytes([number % 256] * 32) for number in range(_ENTRIES)])
    checkpoint = Checkpoint(sealing.key().name, edge.size, edge.root)
    signed = sign_checkpoint(checkpoint, log_key.verifier_key(checkpoint.origin), log_key.sign)
    (folder / "checkpoint").write_text(signed.text, encoding="utf-8")
    for tile, content in made.items():
        (folder / tile.path).write_bytes(content)


def exchange_entry(folder: Path) -> None:
    proofs = (folder / "proofs").read_text(encoding="utf-8")
    (folder / "proofs").write_text("00" * 32 + proofs[64:], encoding="utf-8")


TAMPERINGS: dict[str, Callable[[Path], None]] = {
    "a tile": lambda folder: flip(folder / Tile(0, 0).path),
    "a partial tile": lambda folder: flip(folder / Tile(0, 1, _ENTRIES - 256).path),
    "the checkpoint": lambda folder: flip(folder / "checkpoint"),
    "the history": rewrite,
    "an entry": exchange_entry,
}


def test_go_accepts_the_log_and_the_proofs_and_refuses_what_was_changed(verifier: Path, published: Path) -> None:
    assert judged(verifier, published) == f"holds {_ENTRIES}\n"
    for name, tamper in TAMPERINGS.items():
        changed = published.with_name(f"{published.name}-{name.replace(' ', '-')}")
        shutil.copytree(published, changed)
        tamper(changed)
        assert judged(verifier, changed).startswith("refused: "), name
