"""The deployment packages of all contestants and the runtime's own packages, under .aws-sam/bench."""

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
from infra.stack.template import ROOT

HERE = ROOT / "infra/bench"
FOLDER = ROOT / ".aws-sam/bench"
RUNTIME = FOLDER / "runtime"
SERVER = FOLDER / "server"
_SDK = {"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"}
_SERVER = {"uvicorn", "h11", "click"}
_SESSIONS = {"pyjwt", "cryptography", "cffi", "pycparser"}
_POWERTOOLS = {"aws-lambda-powertools", "annotated-types", "pydantic", "pydantic-core", "typing-extensions"}
_POWERTOOLS |= {"typing-inspection"} | _SDK | _SESSIONS
_RUNTIME = {"awslambdaric", "simplejson", "snapshot-restore-py"}
_BLOCK = re.compile(r"^(?P<name>[a-z0-9-]+)==.*(?:\n[ \t].*)*", re.MULTILINE)


@dataclass(frozen=True)
class Contestant:
    """An implementation of the measured routes: the folders of its functions, and its layer if it has one."""

    name: str
    meetings: Path
    account: Path
    layer: Path | None = None
    compiled: bool = False

    @property
    def path(self) -> str:
        """The module search path of its process: the layer, then the runtime's own packages, as in Lambda."""
        own = [str(self.layer / "python")] if self.layer else []
        return ":".join([*own, str(RUNTIME)])

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes of what is deployed for the meetings' routes, zipped and unpacked."""
        folders = [self.meetings, *([self.layer] if self.layer else [])]
        return sum(map(zipped, folders)), sum(map(size, folders))


def contestants() -> list[Contestant]:
    """Returns ours as built, the floor, each peer as its users deploy it, and each peer with byte code added."""
    ours = Contestant("ours", BUILD / "MeetingsFunction", BUILD / "AccountFunction", NATIVE_LAYER, compiled=True)
    floor = FOLDER / "floor"
    return [ours, Contestant("floor", floor, floor, compiled=True), *_peers()]


def _peers() -> list[Contestant]:
    found = []
    for compiled in (False, True):
        suffix = "-compiled" if compiled else ""
        label = " + byte code" if compiled else ""
        fastapi, powertools = FOLDER / f"fastapi{suffix}", FOLDER / f"powertools{suffix}"
        found.append(Contestant(f"FastAPI+Mangum{label}", fastapi, fastapi, compiled=compiled))
        function = powertools / "function"
        found.append(Contestant(f"Powertools guide{label}", function, function, powertools / "layer", compiled))
    return found


def prepare() -> None:
    """Makes all packages; installs dependencies again only if a lock, the runtime or this module changed."""
    locks = [ROOT / "requirements.lock", ROOT / "requirements-sam.lock", HERE / "requirements.lock", Path(__file__)]
    state = hashlib.sha256(runtime().encode() + b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    mark = FOLDER / "state"
    if not mark.exists() or mark.read_text(encoding="ascii") != state:
        shutil.rmtree(FOLDER, ignore_errors=True)
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
        _unpack(peers, fastapi, FOLDER / f"fastapi{suffix}")
        _unpack(main, _POWERTOOLS, FOLDER / f"powertools{suffix}/layer/python")
    _unpack(peers, _SERVER, SERVER)
    _unpack(main, _SESSIONS, FOLDER / "floor")


def _sources() -> None:
    targets = {"floor": [FOLDER / "floor"], "fastapi_mangum": [], "powertools": []}
    for suffix in ("", "-compiled"):
        targets["fastapi_mangum"].append(FOLDER / f"fastapi{suffix}")
        targets["powertools"].append(FOLDER / f"powertools{suffix}/function")
    for name, folders in targets.items():
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            for source in (HERE / "contestants" / name).glob("*.py"):
                shutil.copyfile(source, folder / source.name)
    for folder in (FOLDER / "floor", FOLDER / "fastapi-compiled", FOLDER / "powertools-compiled/function"):
        compile_all(folder, "/var/task")
    compile_all(FOLDER / "powertools-compiled/layer/python", "/opt/python")


def _blocks(lock: Path) -> dict[str, str]:
    """Returns the entries of a lock by package."""
    text = lock.read_text(encoding="utf-8")
    return {found["name"]: found[0] for found in _BLOCK.finditer(text)}


def _unpack(lock: Path, names: Iterable[str], target: Path) -> None:
    """Installs some of a lock's packages as they are, with nothing left out."""
    blocks = _blocks(lock)
    part = FOLDER / "part.lock"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text("\n".join(blocks[name] for name in sorted(names)) + "\n", encoding="utf-8")
    layer.install(part, target, layer.here())
