"""Instructions per request, counted by callgrind: a figure that the machine's load does not change."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from infra.bench.packages import Contestant
from infra.bench.warm import Requests, Worker

_TOTALS = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)
_WARM_UP = 60
_FEW, _MANY = 20, 120


def available() -> bool:
    """Returns whether this machine has valgrind."""
    return all(shutil.which(name) for name in ("valgrind", "callgrind_control"))


def count(
    contestant: Contestant, environment: Mapping[str, str], requests: Requests, names: Iterable[str]
) -> dict[str, int]:
    """Returns the instructions of one warm request of each name, without the SDK's.

    They are the difference between many and few requests, which leaves out what the worker does around them.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--vgdb-prefix={folder}/vgdb")
        found: dict[str, int] = {}
        with Worker(contestant, environment, requests, command) as worker:
            for name in names:
                worker.ask(name, 2, "live")
                worker.ask(name, 1, "record")
                worker.ask(name, _WARM_UP, "canned")
                few, many = (_counted(worker, name, times, folder) for times in (_FEW, _MANY))
                found[name] = (many - few) // (_MANY - _FEW)
    return found


def _counted(worker: Worker, name: str, times: int, folder: str) -> int:
    _control("--zero", folder, worker.pid)
    worker.ask(name, times, "canned")
    _control("--dump", folder, worker.pid)
    newest = max(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
    return int(_TOTALS.findall(newest.read_text(encoding="utf-8"))[-1])


def _control(what: str, folder: str, pid: int) -> None:
    command = ["callgrind_control", f"--vgdb-prefix={folder}/vgdb", what, str(pid)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - ours
