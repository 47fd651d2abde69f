"""The contestants and their deployment packages, under .aws-sam/bench.

A peer is one module of `infra/tools/bench/peers` with `lambda_handler(event, context)`. It serves only the
routes that it is measured on; `make bench CHECK=1` shows that it answers them as the service does.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from infra.build import layer, sdk_data
from infra.build.bytecode import compile_all
from infra.build.interpreter import runtime
from infra.build.main import BUILD, NATIVE_LAYER
from infra.local.runtime import CLIENT, install_client
from infra.stack.template import ROOT
from infra.tools.bench.scenario import GET, ROUTES

HERE = ROOT / "infra/tools/bench"
FOLDER = ROOT / ".aws-sam/bench"
PACKAGES = FOLDER / "packages"


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
        """The module search path of its process: its layer or the peers' packages, and the client of the runtime."""
        return f"{self.layer}/python:{CLIENT}" if self.layer else f"{PACKAGES}:{CLIENT}"


_SHARED = {"identity": "identity", "models": "models", "sessions": "sessions", "store": "sessions"}
_FLOOR = {**_SHARED, "handler": "floor"}
_POWERTOOLS, _FASTAPI = {**_SHARED, "handler": "powertools"}, {**_SHARED, "handler": "fastapi_guide"}
OURS = Contestant("ours", BUILD / "MeetingsFunction", layer=NATIVE_LAYER)
BARE = Contestant("bare floor", FOLDER / "floor_bare", {**_FLOOR, "store": "floor_bare"})
BOTO = Contestant("boto floor", FOLDER / "floor_boto", {**_FLOOR, "store": "floor_boto"})
POWERTOOLS = Contestant("Powertools guide + byte code", FOLDER / "powertools", _POWERTOOLS, (GET,))
FASTAPI = Contestant("FastAPI + uvicorn", FOLDER / "fastapi", _FASTAPI, (GET,))
CONTESTANTS = (OURS, BARE, BOTO, POWERTOOLS)
"""Those whose functions are measured; FastAPI is measured as a server."""


def prepare() -> None:
    """Makes all packages; installs dependencies again only if the lock or the runtime changed."""
    install_client()
    lock, mark = HERE / "requirements.lock", FOLDER / "state"
    state = f"# {runtime()}\n{lock.read_text(encoding='utf-8')}"
    if not mark.exists() or mark.read_text(encoding="utf-8") != state:
        shutil.rmtree(FOLDER, ignore_errors=True)
        layer.install(lock, PACKAGES, layer.here())
        compile_all(PACKAGES, "/var/lang/lib/site-packages")
        _cut_model(PACKAGES / "botocore/data", BOTO.folder / "data")
        mark.write_text(state, encoding="utf-8")
    for peer in (BARE, BOTO, POWERTOOLS, FASTAPI):
        peer.folder.mkdir(parents=True, exist_ok=True)
        for module, source in peer.modules.items():
            shutil.copyfile(HERE / "peers" / f"{source}.py", peer.folder / f"{module}.py")
        compile_all(peer.folder, "/var/task")


def _cut_model(data: Path, kept: Path) -> None:
    """Writes the SDK's model of the table as cut as it can be: three operations, and items passed on as they are."""
    (whole,) = (data / "dynamodb").glob("*/service-2.json.gz")
    model = json.loads(gzip.decompress(whole.read_bytes()))
    document = {"type": "structure", "members": {}, "document": True}
    for name, shape in model["shapes"].items():
        if shape.get("value") == {"shape": "AttributeValue"}:
            model["shapes"][name] = document
    target = kept / whole.parent.relative_to(data)
    target.mkdir(parents=True)
    small = sdk_data.service_model(model, frozenset({"BatchGetItem", "Query", "TransactWriteItems"}))
    (target / "service-2.json").write_text(json.dumps(small), encoding="utf-8")
