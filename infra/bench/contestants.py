"""The contestants and their deployment packages, under .aws-sam/bench, with the runtime's own packages.

A peer is one module of `infra/bench/peers` with `lambda_handler(event, context)`. It serves only the routes that it is
measured on; `make bench CHECK=1` shows that it answers them as the service does.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from infra.bench.scenario import GET, LIST, ROUTES
from infra.build import layer, sdk_data
from infra.build.bytecode import compile_all
from infra.build.interpreter import runtime
from infra.build.main import BUILD, NATIVE_LAYER
from infra.stack.template import ROOT

HERE = ROOT / "infra/bench"
FOLDER = ROOT / ".aws-sam/bench"
RUNTIME, SERVER = FOLDER / "runtime", FOLDER / "server"
_POWERTOOLS_LAYER = FOLDER / "powertools-layer"
_SDK = {"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"}
_SERVER = {"uvicorn", "h11", "click"}
_SESSIONS = {"pyjwt", "cryptography", "cffi", "pycparser"}
_POWERTOOLS = {"aws-lambda-powertools", "annotated-types", "pydantic", "pydantic-core", "typing-extensions"}
_POWERTOOLS |= {"typing-inspection"} | _SDK | _SESSIONS
_RUNTIME = {"awslambdaric", "simplejson", "snapshot-restore-py"}
_BLOCK = re.compile(r"^(?P<name>[a-z0-9-]+)==.*(?:\n[ \t].*)*", re.MULTILINE)


@dataclass(frozen=True)
class Contestant:
    """An implementation of some routes: the folder of its function, its modules by the peers' files, and its layer."""

    name: str
    folder: Path
    modules: Mapping[str, str] = field(default_factory=dict)
    routes: tuple[str, ...] = ROUTES
    layer: Path | None = None

    @property
    def path(self) -> str:
        """The module search path of its process: the layer, then the runtime's own packages, as in Lambda."""
        own = [str(self.layer / "python")] if self.layer else []
        return ":".join([*own, str(RUNTIME)])


_SHARED = {"identity": "identity", "models": "models", "sessions": "sessions", "store": "sessions"}
_FLOOR = {**_SHARED, "handler": "floor"}
OURS = Contestant("ours", BUILD / "MeetingsFunction", layer=NATIVE_LAYER)
BARE = Contestant("bare floor", FOLDER / "floor_bare", {**_FLOOR, "store": "floor_bare"})
BOTO = Contestant("boto floor", FOLDER / "floor_boto", {**_FLOOR, "store": "floor_boto"})
FASTAPI = Contestant("FastAPI + Mangum", FOLDER / "fastapi", {**_SHARED, "handler": "fastapi_mangum"}, (GET,))
POWERTOOLS = Contestant(
    "Powertools guide + byte code",
    FOLDER / "powertools",
    {**_SHARED, "handler": "powertools"},
    (GET, LIST),
    _POWERTOOLS_LAYER,
)
CONTESTANTS = (OURS, BARE, BOTO, FASTAPI, POWERTOOLS)


def prepare() -> None:
    """Makes all packages; installs dependencies again only if a lock, the runtime or this module changed."""
    locks = [ROOT / "requirements.lock", ROOT / "requirements-sam.lock", HERE / "requirements.lock", Path(__file__)]
    state = hashlib.sha256(runtime().encode() + b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    mark = FOLDER / "state"
    if not mark.exists() or mark.read_text(encoding="ascii") != state:
        shutil.rmtree(FOLDER, ignore_errors=True)
        _install()
        mark.write_text(state, encoding="ascii")
    for peer in CONTESTANTS[1:]:
        peer.folder.mkdir(parents=True, exist_ok=True)
        for module, source in peer.modules.items():
            shutil.copyfile(HERE / "peers" / f"{source}.py", peer.folder / f"{module}.py")
        if peer is not FASTAPI:
            compile_all(peer.folder, "/var/task")


def _cut_model(botocore: Path, kept: Path) -> None:
    """Writes the SDK's model of the table as cut as it can be: three operations, and items passed on as they are."""
    (whole,) = (botocore / "data/dynamodb").glob("*/service-2.json*")
    model = json.loads(gzip.decompress(whole.read_bytes()) if whole.suffix == ".gz" else whole.read_bytes())
    document = {"type": "structure", "members": {}, "document": True}
    for name, shape in model["shapes"].items():
        if shape.get("value") == {"shape": "AttributeValue"}:
            model["shapes"][name] = document
    target = kept / whole.parent.relative_to(botocore / "data")
    target.mkdir(parents=True)
    small = sdk_data.service_model(model, frozenset({"BatchGetItem", "Query", "TransactWriteItems"}))
    (target / "service-2.json").write_text(json.dumps(small), encoding="utf-8")


def _install() -> None:
    main, peers = ROOT / "requirements.lock", HERE / "requirements.lock"
    _unpack(main, _SDK, RUNTIME)
    _unpack(ROOT / "requirements-sam.lock", _RUNTIME, RUNTIME)
    compile_all(RUNTIME, "/var/lang/lib/site-packages")
    for floor in (BARE, BOTO):
        _unpack(main, _SESSIONS, floor.folder)
    _cut_model(RUNTIME / "botocore", BOTO.folder / "data")
    _unpack(peers, {name for name in _blocks(peers) if name not in _SERVER}, FASTAPI.folder)
    _unpack(peers, _SERVER, SERVER)
    _unpack(main, _POWERTOOLS, _POWERTOOLS_LAYER / "python")
    compile_all(_POWERTOOLS_LAYER / "python", "/opt/python")


def _blocks(lock: Path) -> dict[str, str]:
    """Returns the entries of a lock by package."""
    text = lock.read_text(encoding="utf-8")
    return {entry["name"]: entry[0] for entry in _BLOCK.finditer(text)}


def _unpack(lock: Path, names: Iterable[str], target: Path) -> None:
    """Installs some of a lock's packages as they are, with nothing left out."""
    blocks = _blocks(lock)
    part = FOLDER / "part.lock"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text("\n".join(blocks[name] for name in sorted(names)) + "\n", encoding="utf-8")
    layer.install(part, target, layer.here())
