"""The packages of all contestants, and the runtime they run in, under .aws-sam/bench."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from infra.build import layer
from infra.build.bytecode import compile_all
from infra.build.interpreter import runtime
from infra.build.main import BUILD, NATIVE_LAYER, size, zipped
from infra.local.template import ROOT

HERE = ROOT / "infra/bench"
PLACE = ROOT / ".aws-sam/bench"
RUNTIME = PLACE / "runtime"
SERVER = PLACE / "server"
FLOOR_PYJWT = PLACE / "floor-pyjwt"
_SDK = {"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"}
_SERVER = {"uvicorn", "h11", "click"}
_POWERTOOLS = {"aws-lambda-powertools", "annotated-types", "pydantic", "pydantic-core", "pyjwt", "typing-extensions"}
_POWERTOOLS |= {"typing-inspection"} | _SDK
_SESSIONS = {"pyjwt", "cryptography", "cffi", "pycparser"}
_RUNTIME = {"awslambdaric", "simplejson", "snapshot-restore-py"}
_BLOCK = re.compile(r"^(?P<name>[a-z0-9-]+)==.*(?:\n[ \t].*)*", re.MULTILINE)


@dataclass(frozen=True)
class Contestant:
    """A name, the folders of its functions by group of routes, and its layer."""

    name: str
    meetings: Path
    account: Path
    layer: Path | None = None
    compiled: bool = False

    @property
    def path(self) -> str:
        """Where its process looks for modules: the layer, then the runtime's own, as in Lambda."""
        own = [str(self.layer / "python")] if self.layer else []
        return ":".join([*own, str(RUNTIME)])

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes of what is uploaded for the meetings, zipped and unpacked."""
        folders = [self.meetings, *([self.layer] if self.layer else [])]
        return sum(map(zipped, folders)), sum(map(size, folders))


def contestants() -> list[Contestant]:
    """Ours as built; the floor; each peer as its users deploy it, and once more with byte code in its package."""
    ours = Contestant("ours", BUILD / "MeetingsFunction", BUILD / "AccountFunction", NATIVE_LAYER, compiled=True)
    floor = PLACE / "floor"
    with_pyjwt = Contestant("floor + PyJWT", FLOOR_PYJWT, FLOOR_PYJWT, compiled=True)
    return [ours, Contestant("floor", floor, floor, compiled=True), with_pyjwt, *_peers()]


def _peers() -> list[Contestant]:
    found = []
    for compiled in (False, True):
        suffix = "-compiled" if compiled else ""
        label = " + byte code" if compiled else ""
        fastapi, powertools = PLACE / f"fastapi{suffix}", PLACE / f"powertools{suffix}"
        found.append(Contestant(f"FastAPI+Mangum{label}", fastapi, fastapi, compiled=compiled))
        function = powertools / "function"
        found.append(Contestant(f"Powertools guide{label}", function, function, powertools / "layer", compiled))
    return found


def prepare() -> None:
    """Make all packages; third parties' anew only when a lock has changed."""
    locks = [ROOT / "requirements.lock", ROOT / "requirements-sam.lock", HERE / "requirements.lock", Path(__file__)]
    state = hashlib.sha256(runtime().encode() + b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    mark = PLACE / "state"
    if not mark.exists() or mark.read_text(encoding="ascii") != state:
        shutil.rmtree(PLACE, ignore_errors=True)
        _install()
        mark.write_text(state, encoding="ascii")
    _sources()


def _install() -> None:
    main, peers = ROOT / "requirements.lock", HERE / "requirements.lock"
    _unpack(main, _SDK, RUNTIME)
    _unpack(ROOT / "requirements-sam.lock", _RUNTIME, RUNTIME)
    compile_all(RUNTIME, "/var/lang/lib/site-packages")
    fastapi = {name for name in _blocks(peers) if name not in _SERVER}
    for suffix in ("", "-compiled"):
        _unpack(peers, fastapi, PLACE / f"fastapi{suffix}")
        _unpack(main, _POWERTOOLS, PLACE / f"powertools{suffix}/layer/python")
    _unpack(peers, _SERVER, SERVER)
    _unpack(main, _SESSIONS & _blocks(main).keys(), FLOOR_PYJWT)


def _sources() -> None:
    targets = {"floor": [PLACE / "floor"], "floor_pyjwt": [FLOOR_PYJWT], "fastapi_mangum": [], "powertools": []}
    for suffix in ("", "-compiled"):
        targets["fastapi_mangum"].append(PLACE / f"fastapi{suffix}")
        targets["powertools"].append(PLACE / f"powertools{suffix}/function")
    for name, folders in targets.items():
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            for source in (HERE / "contestants" / name).glob("*.py"):
                shutil.copyfile(source, folder / source.name)
    shutil.copyfile(HERE / "contestants/floor/handler.py", FLOOR_PYJWT / "floor.py")
    for folder in (PLACE / "floor", FLOOR_PYJWT, PLACE / "fastapi-compiled", PLACE / "powertools-compiled"):
        compile_all(folder, "/var/task")


def _blocks(lock: Path) -> dict[str, str]:
    """The entries of a lock by package."""
    text = lock.read_text(encoding="utf-8")
    return {found["name"]: found[0] for found in _BLOCK.finditer(text)}


def _unpack(lock: Path, names: Iterable[str], target: Path) -> None:
    """Some of a lock's packages, whole: what a plain installation gives."""
    blocks = _blocks(lock)
    part = PLACE / "part.lock"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text("\n".join(blocks[name] for name in sorted(names)) + "\n", encoding="utf-8")
    layer.install(part, target, layer.here())
