"""Instructions per request, counted by callgrind: they do not wobble with whatever else the machine does."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from infra.bench.packages import Contestant
from infra.bench.warm import Routes, Worker

_TOTALS = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)
_WARM_UP = 10
_COUNTED = 20


def available() -> bool:
    """Whether this machine has valgrind."""
    return all(shutil.which(name) for name in ("valgrind", "callgrind_control"))


def count(
    contestant: Contestant, environment: Mapping[str, str], routes: Routes, names: Iterable[str]
) -> dict[str, int]:
    """Instructions of one warm request to each route, the SDK left out."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--vgdb-prefix={folder}/vgdb")
        found: dict[str, int] = {}
        with Worker(contestant, environment, routes, command) as worker:
            for name in names:
                worker.ask(name, 2, "live")
                worker.ask(name, 1, "record")
                worker.ask(name, _WARM_UP, "canned")
                _control("--zero", folder, worker.pid)
                worker.ask(name, _COUNTED, "canned")
                _control("--dump", folder, worker.pid)
                newest = max(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
                found[name] = int(_TOTALS.findall(newest.read_text(encoding="utf-8"))[-1]) // _COUNTED
    return found


def _control(what: str, folder: str, pid: int) -> None:
    command = ["callgrind_control", f"--vgdb-prefix={folder}/vgdb", what, str(pid)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - ours
